/** Unusual and malformed parts of requests; one byte per character. */
export const METHODS: readonly string[] = [
  ...["GET", "GET", "GET", "GET", "HEAD", "OPTIONS", "POST", "PUT", "DELETE", "PATCH", "TRACE"],
  ...["CONNECT", "PRI", "PROPFIND", "get", "", "G\0T", "GET GET", "\xff", "M".repeat(5000)],
];

export const PIECES: readonly string[] = [
  ...[
    "/",
    "//",
    "\\",
    ".",
    "..",
    "%2e",
    "%2E%2e",
    "%2f",
    "%5c",
    "%00",
    "%ff",
    "%C3%28",
    "%",
    "%zz",
  ],
  ...[
    "?",
    "&",
    "=",
    "#",
    ";",
    ":",
    "@",
    "*",
    " ",
    "\t",
    "\0",
    "\x7f",
    "\xe9",
    "+",
    "%0d%0a",
    "%25",
  ],
  ...["api", "v1", "projects", "site", "schema", "experiences", "home", "content", "assets", "out"],
  ...["0123456789abcdef", "workspace.db", "manifest.json", "404.json", "index.json", "__proto__"],
  ...["http://", "https://x", "localhost", "preview_token", "preview_token=", "?preview_token=t"],
  ...["a".repeat(300), "/a".repeat(3000), "x".repeat(20_000), "%41".repeat(5000)],
];

/** `$TOKEN` and `$ASSET` stand for a valid token and the address of a published asset. */
export const QUERIES: readonly string[] = [
  ...["", "", "?", "?preview_token", "?preview_token=", "?preview_token=wrong", "?x=1"],
  ...[
    "?preview_token=$TOKEN",
    "?preview_token=$TOKEN&preview_token=$TOKEN",
    "?PREVIEW_TOKEN=$TOKEN",
  ],
  ...[
    "?preview_token=$TOKEN%00",
    "?preview_token=%$TOKEN",
    "?preview%5ftoken=$TOKEN",
    "?&&preview_token=%ff",
  ],
  ...[
    "?preview_token[]=$TOKEN",
    "?preview_token=$TOKEN#",
    ";preview_token=$TOKEN",
    `?preview_token=${"t".repeat(9000)}`,
  ],
];

export const HEADERS: readonly string[] = [
  ...[
    "Host: localhost",
    "Host:",
    "Host: a\r\nHost: b",
    "Host: \xff",
    "Host: $TOKEN",
    `Host: ${"h".repeat(3000)}`,
  ],
  ...[
    "Range: bytes=0-",
    "Range: bytes=-1",
    "Range: bytes=5-2",
    "Range: bytes=0-0,2-3",
    "Range: bytes=x",
    "Range: lines=1",
  ],
  ...[
    "Range: bytes=99999999999999999999-",
    "Range: bytes=0-99999999999999999999",
    "Range: bytes=-0",
    "Range: bytes=--1",
  ],
  ...[
    "If-None-Match: *",
    'If-None-Match: W/"x", "',
    `If-None-Match: ${'"a",'.repeat(2000)}`,
    "If-None-Match: \0",
  ],
  ...[
    'If-Range: "x"',
    "If-Range: Sat, 21 Nov 2026 09:00:00 GMT",
    "If-Modified-Since: x",
    "If-Match: *",
  ],
  ...[
    "Connection: close",
    "Connection: keep-alive, Upgrade\r\nUpgrade: websocket",
    "Connection: \xff",
    "Upgrade: h2c",
  ],
  ...[
    "Content-Length: 0",
    "Content-Length: 5",
    "Content-Length: -1",
    "Content-Length: 5\r\nContent-Length: 6",
    "Content-Length: x",
  ],
  ...[
    "Transfer-Encoding: chunked",
    "Transfer-Encoding: gzip, chunked",
    "Transfer-Encoding: x",
    "Trailer: x",
    "TE: trailers",
  ],
  ...[
    "Expect: 100-continue",
    "Expect: x",
    "Accept-Encoding: gzip, br",
    "Accept: text/html",
    "Origin: null",
  ],
  ...[
    "no colon",
    ": no name",
    "X Y: z",
    " folded: line",
    "X:\ty\r\n\tz",
    "__proto__: x",
    "constructor: y",
    "X: \x01",
  ],
  ...[`X: ${"x".repeat(20_000)}`, `${"X: y\r\n".repeat(3000)}Z: z`, `${"n".repeat(20_000)}: x`],
];

export const BODIES: readonly string[] = [
  "",
  "",
  "",
  "hello",
  "5\r\nhello\r\n0\r\n\r\n",
  "ffffffffff\r\n",
  "0\r\n\r\n",
  "\0".repeat(100),
];

export const VERSIONS: readonly string[] = [
  ..."123456".split("").map(() => "HTTP/1.1"),
  "HTTP/1.0",
  "HTTP/2.0",
  "HTTP/0.9",
  "http/1.1",
  "",
];
