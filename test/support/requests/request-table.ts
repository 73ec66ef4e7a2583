import type { Address } from "../../../src/documents/address.ts";
import type { RequestProblem } from "../../../src/http/problem-document.ts";
import { LONGEST, NAMELESS, PICTURE, UPLOADED, urlOf } from "./requested-site.ts";

/** The hosts that serve the files; "release" and "in-place" are the two edge functions, "worker" the first in a Cloudflare Worker. */
export type HostName =
  | "serve"
  | "preview"
  | "release"
  | "in-place"
  | "worker"
  | "nginx"
  | "nginx-preview";

/** The response that a host should give. */
export type Expected =
  /** 200 with a file of `out/`. */
  | { readonly file: string }
  /** 200 with a document of the draft. */
  | { readonly draft: Address }
  | { readonly draftAsset: true }
  /** 200 with a file of the release of a preview. */
  | { readonly previewed: string }
  | { readonly refused: RequestProblem; readonly preview?: true }
  | "preflight";

export interface RequestRow {
  readonly rule: string;
  readonly method?: string;
  /** `$VALID` and the like are replaced by tokens. */
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly expected: Expected;
  /** Hosts with another response, or that are skipped. */
  readonly but?: Partial<Record<HostName, Expected | "skipped">>;
}

const P = "/api/v1/projects";
const SITE = `${P}/site`;
const HOME = `${SITE}/experiences/home/content`;
const HASH = "0123456789abcdef";
const PROJECT = { file: "api/v1/projects/site/index.json" };

const refused = (code: RequestProblem) => ({ refused: code });
const ABSENT = refused("experience-content-not-published");
const UNKNOWN = refused("experience-not-found");
const INVALID = { refused: "preview-token-invalid", preview: true } as const;
/** The one difference: a bucket has the same response for every missing object. */
const IN_BUCKET = { "in-place": refused("not-found") };
/** A function gets no target in absolute form. */
const NO_EDGE = { release: "skipped", "in-place": "skipped", worker: "skipped" } as const;
/** A response to a valid token, where there are previews. */
const previewed = (one: Expected) => ({ preview: one, release: one, "nginx-preview": one });

/** The same requirement for several targets, each of which may name its method: `HEAD /path`. */
function rows(
  rule: string,
  expected: Expected,
  targets: readonly string[],
  more: Pick<RequestRow, "but" | "headers"> = {},
): RequestRow[] {
  return targets.map((text) => {
    const [, method = "GET", target = ""] = /^(?:([A-Z]+) )?(.*)$/s.exec(text) ?? [];
    return { rule, method, target, expected, ...more };
  });
}

const DOCUMENTS: readonly RequestRow[] = [
  ...rows("H1: project config", PROJECT, [SITE, `HEAD ${SITE}`]),
  ...rows("H1: a percent-encoded letter equals the letter", PROJECT, [
    `${P}/s%69te`,
    "/%61pi/v1/projects/site",
  ]),
  ...rows("H1: schema", { file: "api/v1/projects/site/schema.json" }, [
    `${SITE}/schema`,
    `${SITE}/sch%65ma`,
    `HEAD ${SITE}/schema`,
  ]),
  ...rows(
    "H1: experience content",
    { file: "api/v1/projects/site/experiences/home/content.json" },
    [HOME, `HEAD ${HOME}`, `${P}/%73ite/experiences/hom%65/content`],
  ),
  ...rows("I1: a dotted id", { file: "api/v1/projects/a.b-c_d/index.json" }, [`${P}/a.b-c_d`]),
  ...rows("I1: an id of 128", { file: `api/v1/projects/${LONGEST}/index.json` }, [
    `${P}/${LONGEST}`,
  ]),
  ...rows(
    "H1: the query changes nothing",
    PROJECT,
    [
      "?",
      "?a=1&b=2",
      "?Preview_Token=x",
      "?previewToken=x",
      "?preview_tokens=x",
      "?%ZZ=%ZZ",
      "?a=preview_token",
      "?a?preview_token=1",
      "?preview+token=1",
      "?preview_token%3D1",
    ].map((query) => SITE + query),
  ),
  ...rows(
    "RFC 9112, 3.2.2: absolute form, whatever the host",
    PROJECT,
    [`http://elsewhere.example${SITE}`, `HTTP://[::1]:80${SITE}`],
    { but: NO_EDGE },
  ),
  ...rows("RFC 9112, 3.2.2: absolute form", INVALID, [`http://x${SITE}?preview_token=wrong`], {
    but: NO_EDGE,
  }),
  ...rows(
    "RFC 9112, 3.2.2: absolute form",
    refused("not-found"),
    ["http://x/", "http://x/?preview_token=$VALID", "http://x/../secret.txt"],
    { but: NO_EDGE },
  ),
];

const MISSING: readonly RequestRow[] = [
  ...["nowhere", "SITE", "_", "manifest", "shop", "drafted"].flatMap((id) => [
    ...rows(
      "H4: no such project",
      refused("project-not-found"),
      [`${P}/${id}`, `HEAD ${P}/${id}`],
      {
        but: IN_BUCKET,
      },
    ),
    ...rows("H4: no such schema", refused("schema-not-published"), [`${P}/${id}/schema`], {
      but: IN_BUCKET,
    }),
    ...rows(
      "H4: no content of an unknown project",
      ABSENT,
      [`${P}/${id}/experiences/home/content`],
      {
        but: IN_BUCKET,
      },
    ),
  ]),
  ...rows("E6: no content", ABSENT, [`${SITE}/experiences/empty/content`], {
    but: { ...IN_BUCKET, release: refused("not-found") },
  }),
  ...rows(
    "H54: no such experience, as servers with the config can tell",
    ABSENT,
    ["none", "HOME", "drawn", LONGEST].flatMap((id) => {
      const path = `${SITE}/experiences/${id}/content`;
      return [path, `HEAD ${path}`];
    }),
    {
      but: {
        serve: UNKNOWN,
        preview: UNKNOWN,
        ...IN_BUCKET,
        release: refused("not-found"),
      },
    },
  ),
  ...rows(
    "H4: a problem stays one, whatever is asked",
    refused("project-not-found"),
    [`${P}/none`],
    {
      headers: { Accept: "text/html", "If-None-Match": "*", Range: "bytes=0-3" },
      but: IN_BUCKET,
    },
  ),
];

export const OTHER_ADDRESSES = "H1: 404 for other paths";

const NOWHERE = rows(OTHER_ADDRESSES, refused("not-found"), [
  "/",
  "/api",
  "/api/v1",
  P,
  `${P}/`,
  `${SITE}/`,
  `${SITE}/schema/`,
  `${SITE}/other`,
  `${SITE}/experiences`,
  `${SITE}/experiences/`,
  `${SITE}/experiences/home`,
  `${HOME}/`,
  `${SITE}/experiences//content`,
  `${SITE}/schema/x`,
  "/api/v2/projects/site",
  "HEAD /",
  "/API/v1/projects/site",
  "/api/V1/projects/site",
  "/projects/site",
  `/x${SITE}`,
  `${SITE}/index.json`,
  `${SITE}/schema.json`,
  `${HOME}.json`,
  "/favicon.ico",
  "/etc/passwd",
  "/manifest.json",
  "/404.json",
  "/assets",
  "/assets/",
  "/r/w",
  "/r/",
  "/.svc",
  "/.env",
  `/r/w/${"0".repeat(32)}-${"0".repeat(12)}${SITE}/index.json`,
  "/.svc-write",
  `${P}/${LONGEST}L`,
  `${P}/.site`,
  `${P}/site.`,
  `${P}/si%20te`,
  `${P}/s%C3%A5te`,
  `${P}/a~b`,
  `/${SITE}`,
  "/api//v1/projects/site",
  `${P}//site`,
  `${SITE}//schema`,
  "//etc/passwd",
  "/api%2Fv1/projects/site",
  "/api/v1/projects%2fsite",
  `${SITE}%2Fschema`,
  `${SITE}%5C`,
  `${P}/./site`,
  `${P}/x/../site`,
  `${P}/%2e/site`,
  `${P}/x/%2E%2e/site`,
  `${P}/..`,
  `${P}/.`,
  "/../manifest.json",
  "/..%2fmanifest.json",
  "/%2e%2e/manifest.json",
  "/../workspace.db",
  "/assets/../manifest.json",
  "/%252e%252e%252fsecret.txt",
  `${P}/..%2f..%2f..%2fsecret.txt`,
  "/../refused",
  "/../too-long",
  `${SITE}%0a`,
  `${SITE}%00`,
  "/%00",
  "/%7f%1b",
  `${SITE}%0d%0aX-Injected:%201`,
  `${SITE}#`,
  `${SITE}#?preview_token=$VALID`,
  `${SITE};a`,
  "/?preview_token=$VALID",
  `${P}/?preview_token=`,
  "/manifest.json?preview_token=$VALID",
]);

const MALFORMED = rows("H4: malformed percent-encoding", refused("bad-request"), [
  "/%",
  "/%ZZ",
  "/%2",
  `${P}/%C3%28`,
  `${P}/%C3`,
  `${SITE}%FF`,
  `${P}/%E0%A4`,
  "/%E0%A4?a=b",
  `${P}/%C0%AE`,
  `${P}/%ED%A0%80`,
  `${P}/%F4%90%80%80`,
  `${P}/%F8%88%80%80%80`,
  `${P}/%80`,
  `/assets/${HASH}/%FF`,
  "//%ZZ",
  "/..%2f%ZZ",
  `${SITE}/%ZZ?preview_token=$VALID`,
]);

const ASSETS: readonly RequestRow[] = [
  ...[PICTURE, UPLOADED, NAMELESS].flatMap(({ path }) =>
    rows("V4b: an asset", { file: path }, [
      urlOf(path),
      `${urlOf(path)}?preview_token=x`,
      `HEAD ${urlOf(path)}`,
    ]),
  ),
  ...rows("V4b: an asset", { file: PICTURE.path }, [urlOf(PICTURE.path).replace("%2B", "+")]),
  ...rows("H1: no such asset", refused("not-found"), [
    ...["none.png", "", ".", "..", "a/b", "a%2Fb", "a%5Cb", "a%00", "%F0%9F%92%A9.png"].map(
      (name) => `/assets/${HASH}/${name}`,
    ),
    `/assets/${HASH}/../../../secret.txt`,
    `/assets/${HASH}/..%2f..%2f..%2fsecret.txt`,
    `/assets/${HASH}/..%5c..%5csecret.txt`,
    `/assets/${HASH}`,
    "/assets/..%2f..%2fsecret.txt",
    `${urlOf(PICTURE.path)}/`,
    `/assets/0123456789ABCDEF/x.png`,
    "/assets/0123456789abcde/x",
    urlOf(PICTURE.path).replace("assets", "Assets"),
    urlOf(PICTURE.path).replace("/assets", ""),
  ]),
  ...rows("H5: a file of the draft", refused("not-found"), ["$DRAWN", "HEAD $DRAWN"], {
    but: { preview: { draftAsset: true }, "nginx-preview": { draftAsset: true } },
  }),
];

const OTHER_METHODS: readonly RequestRow[] = [
  SITE,
  `${P}/nowhere?preview_token`,
  urlOf(PICTURE.path),
  "/manifest.json",
  "/%ZZ",
  "/../x",
].flatMap((target) => [
  ...rows("H1: OPTIONS", "preflight", [`OPTIONS ${target}`]),
  ...rows(
    "H1: other methods",
    refused("method-not-allowed"),
    ["POST", "PUT", "PATCH", "DELETE", "PROPFIND", "TRACE", "BREW"].map(
      (name) => `${name} ${target}`,
    ),
  ),
]);

const EVERY_LETTER = "preview_token".replace(/./g, (c) => `%${c.charCodeAt(0).toString(16)}`);

/** Queries in which no token is valid for the project `site`. */
const INVALID_QUERIES = [
  "preview_token",
  "preview_token=",
  "a=1&preview_token&b=2",
  "a?b=1&preview_token=",
  "preview%5Ftoken=x",
  "preview%5ftoken",
  `${EVERY_LETTER}=`,
  EVERY_LETTER.toUpperCase(),
  "preview_token=$VALID&preview_token=$VALID",
  "preview_token=$VALID&preview_token=",
  "preview_token=$VALID&preview%5ftoken=$VALID",
  "preview%5ftoken=&preview_token=$VALID",
  "preview_token=%24",
  "preview_token=%24VALID",
  "preview_token=$VALIDx",
  "preview_token=%ff",
  "preview_token=$OTHER",
  "preview_token=$EXPIRED",
  "preview_token=$REVOKED",
  "preview_token=$REPLACED",
  "preview_token=$ID",
  "preview_token=$HASH",
  "&&preview_token",
  "preview_token=%ZZ%C3",
  "preview_token=$VALID%20",
  "preview_token=$VALID%00",
  "preview_token=$VALID%ff",
  "preview_token=Folder%20token%2B%C3%A4%200123456789",
  "preview_token=folder%20token+%C3%A4%200123456789",
  "a=#&preview_token=1",
  `preview_token=${"t".repeat(12_000)}`,
  "preview_token[]=1&preview_token",
];

const ADDRESSES: Readonly<Record<string, Address>> = {
  [SITE]: { kind: "project", projectId: "site" },
  [HOME]: { kind: "content", projectId: "site", experienceId: "home" },
  [`${SITE}/schema`]: { kind: "schema", projectId: "site" },
};

const DRAFTED: Expected = { draft: { kind: "project", projectId: "drafted" } };

const INVALID_TOKEN = "H3: an invalid token";

const TOKENS: readonly RequestRow[] = [
  ...INVALID_QUERIES.flatMap((query) =>
    rows(INVALID_TOKEN, INVALID, [
      `${SITE}?${query}`,
      `${P}/nowhere?${query}`,
      `${P}/nowhere/schema?${query}`,
      `${HOME}?${query}`,
      `HEAD ${SITE}/experiences/none/content?${query}`,
    ]),
  ),
  ...rows("H3: an invalid token, never from a cache", INVALID, [`${SITE}?preview_token=x`], {
    headers: { "If-None-Match": "*" },
  }),
  ...rows("H3: a token valid elsewhere", INVALID, [
    `${P}/nowhere?preview_token=$VALID`,
    `${P}/shop?preview_token=$VALID`,
  ]),
  ...rows("H5: a project of the draft", INVALID, [`${P}/drafted?preview_token=$VALID`], {
    but: { preview: DRAFTED, "nginx-preview": DRAFTED },
  }),
  ...Object.entries(ADDRESSES).flatMap(([path, draft]) =>
    rows(
      "H3: a valid token",
      INVALID,
      [
        ...["$VALID", "$CREATED", "$FOREVER", "$YEARS", "$LATER"].map(
          (token) => `${path}?a=1&preview_token=${token}`,
        ),
        `${path}?preview_token=folder+token%2B%C3%A4+0123456789`,
        `HEAD ${path}?preview_token=$VALID`,
        `${path.replace("site", "%73ite")}?preview%5Ftoken=$VALID`,
      ],
      { but: previewed({ draft }) },
    ),
  ),
  ...Object.entries({ empty: ABSENT, none: UNKNOWN }).flatMap(([id, code]) =>
    rows(
      "E6, H54: on preview too",
      INVALID,
      [`${SITE}/experiences/${id}/content?preview_token=$VALID`],
      { but: previewed({ ...code, preview: true }) },
    ),
  ),
];

const FILES = {
  [SITE]: PROJECT.file,
  [HOME]: "api/v1/projects/site/experiences/home/content.json",
  [`${SITE}/schema`]: "api/v1/projects/site/schema.json",
};

const PREVIEWS: readonly RequestRow[] = [
  ...Object.entries(FILES).flatMap(([path, file]) =>
    rows(
      "L15: a token of a preview",
      INVALID,
      [
        `${path}?preview_token=$PULL`,
        `HEAD ${path}?a=1&preview_token=$PULL`,
        `${path.replace("site", "%73ite")}?preview%5Ftoken=$PULL`,
      ],
      { but: { release: { previewed: file }, worker: { previewed: file } } },
    ),
  ),
  ...rows("L15: none of an ended preview, or twice, or elsewhere", INVALID, [
    `${SITE}?preview_token=$PULLED`,
    `${HOME}?preview_token=$PULL&preview_token=$PULL`,
    `${SITE}?preview_token=$PULL&preview%5ftoken=`,
    `${P}/shop?preview_token=$PULL`,
    `${P}/nowhere/schema?preview_token=$PULL`,
  ]),
];

const EVENTS: readonly RequestRow[] = [
  ...rows("H50: no events are published", refused("not-found"), [
    `${SITE}/events`,
    `HEAD ${SITE}/events?a=preview_token`,
    `${SITE}/events/?preview_token=$VALID`,
  ]),
  ...rows(
    "H50: only a preview has events, and none for an invalid token",
    refused("not-found"),
    [
      `${SITE}/events?preview_token`,
      `${SITE}/ev%65nts?preview_token=$EXPIRED`,
      `${SITE}/events?preview_token=$VALID&preview_token=$VALID`,
      `HEAD ${P}/nowhere/events?preview_token=$VALID`,
    ],
    { but: { preview: INVALID, "nginx-preview": INVALID } },
  ),
];

/** Requests and their responses, the same on every host. */
export const REQUESTS: readonly RequestRow[] = [
  ...DOCUMENTS,
  ...MISSING,
  ...NOWHERE,
  ...MALFORMED,
  ...ASSETS,
  ...OTHER_METHODS,
  ...TOKENS,
  ...PREVIEWS,
  ...EVENTS,
];
