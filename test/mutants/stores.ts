import { type Mutant, mutantsOf } from "./mutant.ts";

const KEPT = "test/cli/store-kept.test.ts";
const COPY = "test/store/copy-store.test.ts";

/** Of stores that a team keeps in a bucket: rules R13 and R14. */
export const STORES: readonly Mutant[] = [
  ...mutantsOf(
    "src/cli/commands/store/push.ts",
    KEPT,
    [
      "R13: the first push replaces any store",
      "remembered === undefined ? ({ ifAbsent: true } as const) : { ifMatch: remembered.etag }",
      "remembered === undefined ? undefined : { ifMatch: remembered.etag }",
    ],
    [
      "R13: a later push replaces what somebody else has pushed",
      "remembered === undefined ? ({ ifAbsent: true } as const) : { ifMatch: remembered.etag }",
      "remembered === undefined ? ({ ifAbsent: true } as const) : undefined",
    ],
    [
      "R13: another store's bytes count as pushed",
      "if (head?.sha256 === body.sha256) return head.etag;",
      "if (head !== undefined) return head.etag;",
    ],
    [
      "R13: conditions are not tried",
      "if (!(await honoursConditions(",
      "if (key === probe && !(await honoursConditions(",
    ],
    ["R13: conditions are tried on the store itself", ".conditions`;", "`;"],
    [
      "R13: a store is pushed to where it is served",
      "if (target) assertNotServed(kept, target);",
      "if (target === address) assertNotServed(kept, target);",
    ],
    [
      "R13: the ETag of a push is forgotten",
      "remember(file, { address, endpoint, etag, mark });",
      "remember(file, { address, endpoint, etag: body.sha256, mark });",
    ],
  ),
  ...mutantsOf("src/cli/store/store-body.ts", "test/cli/store-body.test.ts", [
    "R13: a store of any size is uploaded",
    "if (size > MAX_BYTES)",
    "if (size > 2 * MAX_BYTES)",
  ]),
  ...mutantsOf("src/cli/store/remembered-copy.ts", KEPT, [
    "R13: the ETag of another address is taken",
    "return copy?.address === of.address && copy.endpoint === of.endpoint ? copy : undefined;",
    "return copy?.endpoint === of.endpoint ? copy : undefined;",
  ]),
  ...mutantsOf(
    "src/store/copy-store.ts",
    [KEPT, COPY],
    [
      "R13: a damaged store is copied",
      "    assertIntact(database);\n    // Before the first byte",
      "    // Before the first byte",
    ],
    [
      "R13: a copy is readable by others",
      '{ flag: "wx", mode: statSync(file).mode }',
      '{ flag: "wx" }',
    ],
    [
      "R14: a store that others use is replaced",
      'if (code !== "SQLITE_BUSY" || waited >= BUSY_TIMEOUT) throw error;',
      'if (code !== "SQLITE_BUSY") throw error;\n      if (waited >= BUSY_TIMEOUT) return;',
    ],
    [
      "R14: others may open a store before it is replaced",
      'database.pragma("locking_mode = EXCLUSIVE");',
      "",
    ],
    ["R14: a new store has permissions of its own", "chmodSync(by, statSync(path).mode);", ""],
    [
      "R14: a damaged store is taken",
      "    assertIntact(database);\n    return contentMark(database);",
      "    return contentMark(database);",
    ],
  ),
  ...mutantsOf(
    "src/store/copy-store.ts",
    COPY,
    [
      "R14: a changed entry is no change",
      '"SELECT workspace, id, row_check FROM entries ORDER BY number"',
      '"SELECT workspace, id FROM entries ORDER BY number"',
    ],
    ["R14: a token is no change", '  "SELECT * FROM tokens ORDER BY id",\n', ""],
  ),
  ...mutantsOf(
    "src/cli/commands/store/pull.ts",
    KEPT,
    [
      "R14: own changes are replaced",
      "if (remembered?.mark === mark) return;",
      "if (remembered !== undefined) return;",
    ],
    [
      "R14: a store that was not pulled is replaced",
      "if (remembered?.mark === mark) return;",
      "if (remembered === undefined || remembered.mark === mark) return;",
    ],
    [
      "R14: an object is not checked before it replaces the store",
      "const mark = checked(temporary, address);",
      'const mark = "";',
    ],
    [
      "R14: what a removed store left is applied to the new one",
      "removeStore(file);\n      giveFreeName",
      "giveFreeName",
    ],
  ),
  ...mutantsOf("src/deploy/aws/s3-object-store.ts", KEPT, [
    "R14: other bytes than were pushed are taken",
    'hash.digest("hex") !== object.sha256',
    'hash.digest("hex") === "of nothing"',
  ]),
];
