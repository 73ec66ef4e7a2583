const DEEP = 100_000;
const LONG = 3 * 1024 * 1024;

/** Unusual and invalid JSON values, as text. */
export const ODD_VALUES: readonly string[] = [
  ...["null", "true", "false", "0", "-0", "1", "-1", "0.1", "1e2", "1e400", "-1e400", "1e-400"],
  ...["12345678901234567890", "9007199254740993", "1.7976931348623157e308", "5e-324", "1E+1"],
  ...["9".repeat(500), `0.${"3".repeat(500)}`, "01", "+1", ".5", "1.", "0x10", "NaN", "Infinity"],
  ...[
    "{}",
    "[]",
    "[null]",
    '""',
    '" "',
    '"\\u0000"',
    '"a\\u0000b"',
    '"\\ud800"',
    '"\\udc00\\ud800"',
  ],
  ...[
    '"\\ud83d\\ude00"',
    '"\ufeff"',
    '"\u202e"',
    '"\\u"',
    '"\\x41"',
    '"tab\there"',
    "'single'",
    "undefined",
  ],
  ...[
    '"../../etc/passwd"',
    '"/etc/passwd"',
    '"C:\\\\x"',
    '"__proto__"',
    '"constructor"',
    '"toString"',
  ],
  ...['{"__proto__":{"id":"x"}}', '{"constructor":{"prototype":{"x":1}}}', '{"toJSON":1}'],
  ...[
    '{"a":1,"a":2}',
    '{"a":1,"\\u0061":2}',
    '{"__proto__":1,"__proto__":2}',
    '{"":1}',
    '{"length":-1}',
  ],
  ...['{"assetId":"\\ud800"}', '{"assetId":"__proto__","versionId":"__proto__"}'],
  ...['{"contentEntryId":"__proto__"}', '{"contentBlockId":"constructor","data":{"x":[]}}'],
  ...[
    '{"key":"k","type":"text","pattern":"("}',
    '{"key":"k","type":"text","pattern":"(?:a{999}){999}"}',
  ],
  ...['{"key":"constructor","type":"json"}', '{"key":"k","type":"select","options":[]}'],
  ...[
    '{"key":"k","type":"number","minimum":1e308,"maximum":-1e308}',
    '{"type":"__proto__","key":"k"}',
  ],
  ...[`${"[".repeat(201)}${"]".repeat(201)}`, `${'{"a":'.repeat(199)}1${"}".repeat(199)}`],
  ...["[".repeat(DEEP), "[".repeat(DEEP) + "]".repeat(DEEP), '{"a":'.repeat(DEEP)],
  ...[`"${"x".repeat(LONG)}"`, `"${"\\ud800".repeat(LONG / 16)}"`, `"${"é".repeat(70_000)}"`],
  `[${"1,".repeat(50_000)}1]`,
  `{${Array.from({ length: 20_000 }, (_, index) => `"m${index}":${index}`).join(",")}}`,
];

/** Unusual member names, as JSON text. */
export const ODD_NAMES: readonly string[] = [
  ...['"__proto__"', '"constructor"', '"toString"', '""', '"\\ud800"', '"id"', '"type"', '"data"'],
  ...['"a\\u0000"', '"hasOwnProperty"', '"\\u0069d"', `"${"n".repeat(100_000)}"`, "unquoted", "1"],
];

/** Texts that are put before, after or in place of the content of a file. */
export const ODD_TEXTS: readonly string[] = [
  ...[
    "",
    " ",
    "\n",
    "\0",
    "\ufeff",
    "\ufeff\ufeff",
    "{",
    "[",
    '"',
    "null",
    "[]",
    "{}",
    "0",
    "[{}]",
  ],
  ...["// comment\n", "/* comment */", "/* no end", '/* " */', '{"id":', ",", "]", "}", "\u2028"],
  `["\n${"[".repeat(DEEP)}`,
  `/* " */${"[".repeat(DEEP)}`,
  `'"'${'{"a":'.repeat(DEEP)}`,
  `"\\`,
];
