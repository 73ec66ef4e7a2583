import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { constants, zstdCompressSync } from "node:zlib";
import Database from "better-sqlite3";
import { beforeEach, describe, expect, it } from "vitest";
import { sha256, versionIdOf } from "../../src/documents/version-id.ts";
import { rowCheck } from "../../src/store/draft-rows.ts";
import { openStore } from "../../src/store/store.ts";
import { type Stored, startS3 } from "../docs/s3-stand-in.ts";
import { CliBed, STARTER } from "../support/cli-bed.ts";
import { credentialsEnv } from "../support/deploy/aws-stand-in.ts";
import { pathsBelow } from "../support/file-tree.ts";

// A store that somebody else has made with what they know of svc: every sum, hash and version id is
// right. A person fetches it, and runs what they run each day.

const SCRIPT = "require('child_process').execSync('id')";

let objects: Map<string, Stored>;
let env: Record<string, string>;
beforeEach(async () => {
  objects = new Map();
  env = {
    ...credentialsEnv({ accessKeyId: "a", secretAccessKey: "b" }),
    SVC_DEPLOY_ENDPOINT: await startS3({ objects }),
  };
});

/** A store with a published version, as the attacker has it before the attack. */
let template: Buffer;
function published(): Buffer {
  if (template === undefined) {
    const bed = new CliBed(STARTER);
    bed.ok("publish");
    whole(bed.path("workspace.db"));
    template = readFileSync(bed.path("workspace.db"));
  }
  return template;
}

function whole(file: string): void {
  const database = new Database(file);
  database.pragma("journal_mode = DELETE");
  database.close();
}

type Attack = (database: Database.Database) => void;

/** A person with a hostile store. */
async function victimOf(attack: Attack): Promise<CliBed> {
  const bed = new CliBed();
  bed.env = env;
  const file = bed.path("workspace.db");
  writeFileSync(file, published());
  const database = new Database(file);
  database.unsafeMode();
  database.pragma("foreign_keys = OFF");
  attack(database);
  database.close();
  return bed;
}

/** What a person does with a store. */
const DAILY = [
  ["write"],
  ["diff"],
  ["publish", "--dry-run"],
  ["publish"],
  ["check"],
  ["stats"],
  ["versions"],
  ["types", "-o", "types.ts"],
  ["export", "content"],
  ["import", "own"],
  ["deploy", "s3://site"],
] as const;

const DAMAGED = "store-damaged";

/** Runs all of it: every command ends in order, and files are written only where they belong. */
async function expectHarmless(bed: CliBed): Promise<Map<string, string | undefined>> {
  const codes = new Map<string, string | undefined>();
  for (const args of DAILY) {
    if (args[0] === "import") mkdirSync(bed.path("own"), { recursive: true });
    const { status, stdout } = await bed.runBeside(...args, "--json");
    expect([0, 1, 2, 3, 4], `svc ${args.join(" ")}: ${stdout.slice(0, 300)}`).toContain(status);
    codes.set(args[0], status === 0 ? undefined : JSON.parse(stdout).error?.code);
  }
  const wrong = pathsBelow(bed.folder).filter(
    (path) =>
      !/^workspace\.db/.test(path) &&
      path !== "types.ts" &&
      !/^out\/(?:404\.json|manifest\.json|assets\/[0-9a-f]{16}\/[^./][^/]*|api\/v1\/projects\/[\w-]+\/[\w/-]+\.json)$/.test(
        path,
      ) &&
      !/^content\/(?:\.svc\/exported\.txt|workspace\.json|files\/[0-9a-f]{16}\/[^./][^/]*|[a-z]+\/[\w-]+\.json)$/.test(
        path,
      ),
  );
  expect(wrong).toEqual([]);
  for (const [key, { bytes }] of objects) expect(bytes.includes(SCRIPT), key).toBe(false);
  return codes;
}

/** Adds the script as a file of the current version. */
const fileAt =
  (path: (hash: string) => string): Attack =>
  (database) => {
    const hash = sha256(SCRIPT);
    database.prepare("INSERT INTO files VALUES (?, ?)").run(hash, Buffer.from(SCRIPT));
    database.prepare("INSERT INTO version_files VALUES (1, ?, ?)").run(path(hash), hash);
    database.exec("UPDATE versions SET file_count = file_count + 1");
  };

/** Adds a document to the current version, whose id is derived again. */
const documentAt =
  (path: string, bytes = Buffer.from(`{"versionId":null}\n`)): Attack =>
  (database) => {
    const params = { [constants.ZSTD_c_compressionLevel]: 1 };
    const packed = zstdCompressSync(bytes, { params });
    const { lastInsertRowid } = database
      .prepare("INSERT INTO documents (sha256, size, bytes) VALUES (?, ?, ?)")
      .run(sha256(bytes), bytes.length, packed);
    database
      .prepare("INSERT OR REPLACE INTO version_documents VALUES (1, ?, ?)")
      .run(path, lastInsertRowid);
    forgeVersion(database);
  };

function forgeVersion(database: Database.Database): void {
  const rows = database
    .prepare<unknown[], [string, string]>(
      "SELECT path, sha256 FROM version_documents JOIN documents ON number = document",
    )
    .raw()
    .all();
  const id = versionIdOf(rows);
  database.prepare("UPDATE versions SET id = ?").run(id);
  database.prepare("UPDATE workspaces SET current_version = ?").run(id);
}

/** Replaces a record of the draft, with its sum. */
const record =
  (
    kind: string,
    id: string,
    change: (body: Record<string, unknown>) => unknown,
    newId = id,
  ): Attack =>
  (database) => {
    const where = "WHERE kind = ? AND id = ?";
    const body = database.prepare(`SELECT body FROM records ${where}`).pluck().get(kind, id);
    const text = JSON.stringify(change(JSON.parse(body as string)));
    database
      .prepare(`UPDATE records SET id = ?, body = ?, row_check = ? ${where}`)
      .run(newId, text, rowCheck(kind, newId, text), kind, id);
    database.exec("DELETE FROM outcomes");
  };

const asset =
  (change: (body: Record<string, unknown>) => unknown): Attack =>
  (database) => {
    const row = database
      .prepare<unknown[], { id: string; body: string }>("SELECT id, body FROM assets LIMIT 1")
      .get();
    if (row === undefined) throw new Error("the template has no asset");
    const text = JSON.stringify(change(JSON.parse(row.body)));
    database
      .prepare("UPDATE assets SET body = ?, row_check = ? WHERE id = ?")
      .run(text, rowCheck(row.id, text), row.id);
    database.exec("DELETE FROM outcomes");
  };

const entry =
  (columns: { id?: string; publishing?: string; data?: string }): Attack =>
  (database) => {
    const row = database
      .prepare<unknown[], Record<string, string>>("SELECT * FROM entries LIMIT 1")
      .get() as Record<string, string>;
    const { id = "", model_id = "", publishing = "", data = "" } = { ...row, ...columns };
    database
      .prepare(
        "UPDATE entries SET id = ?, publishing = ?, data = ?, row_check = ? WHERE number = ?",
      )
      .run(id, publishing, data, rowCheck(id, model_id, publishing, data), row.number);
    database.exec("DELETE FROM outcomes");
  };

describe("F9a: paths in a store", () => {
  it.each<[path: string, attack: Attack]>([
    ["assets/<hash>/../../../x.js", fileAt((hash) => `assets/${hash.slice(0, 16)}/../../../x.js`)],
    ["assets/<hash>/a/x.js", fileAt((hash) => `assets/${hash.slice(0, 16)}/a/x.js`)],
    ["assets/<hash>/.htaccess", fileAt((hash) => `assets/${hash.slice(0, 16)}/.htaccess`)],
    ["assets/<hash>/a\\..\\x.js", fileAt((hash) => `assets/${hash.slice(0, 16)}/a\\..\\x.js`)],
    ["index.html as a file", fileAt(() => "index.html")],
    ["../x.json", documentAt("../x.json")],
    ["package.json", documentAt("package.json")],
    ["/tmp/x.json", documentAt("/tmp/svc-attack.json")],
    ["a project ..", documentAt("api/v1/projects/../index.json")],
    ["a hidden project", documentAt("api/v1/projects/.git/index.json")],
    [
      "an experience with a backslash",
      documentAt("api/v1/projects/site/experiences/a\\b/content.json"),
    ],
  ])("%s of a version is written nowhere", async (_path, attack) => {
    const bed = await victimOf(attack);
    const first = await bed.runBeside("write", "--json");
    expect(JSON.parse(first.stdout)).toMatchObject({ error: { code: DAMAGED } });
    expect(pathsBelow(bed.path("out"))).toEqual([]);
    const { stdout } = await bed.runBeside("versions", "--json");
    const [{ versionId }] = JSON.parse(stdout).versions;
    const rollback = await bed.runBeside("rollback", versionId, "--json");
    expect(JSON.parse(rollback.stdout)).toMatchObject({ error: { code: DAMAGED } });
    await expectHarmless(bed);
  });
});

describe("R9b: records of a store", () => {
  const project = { id: "../../../evil", name: "E", steps: [], experiences: [] };
  it.each<[what: string, attack: Attack]>([
    [
      "a model id that is a path",
      record("models", "page", (body) => ({ ...body, id: "../../x" }), "../../x"),
    ],
    ["a project id that is a path", record("projects", "site", () => project, project.id)],
    ["another id than its row has", record("models", "page", (body) => ({ ...body, id: "other" }))],
    [
      "an experience id that is a path",
      record("projects", "site", (body) => ({
        ...body,
        experiences: [{ id: "../../../x", key: "x", name: "X", stepIds: [] }],
      })),
    ],
    [
      "stepIds: null",
      record("projects", "site", (body) => ({
        ...body,
        experiences: [{ id: "x", key: "x", name: "X", stepIds: null }],
      })),
    ],
    ["steps: 3", record("projects", "site", (body) => ({ ...body, steps: 3 }))],
    ["no members", record("models", "page", () => ({}))],
    ["a list", record("models", "page", () => [])],
    ["fields: null", record("models", "page", (body) => ({ ...body, fields: null }))],
    [
      "a field type of Object.prototype",
      record("models", "page", (body) => ({
        ...body,
        fields: [{ key: "a", type: "constructor" }],
      })),
    ],
    ["a file name that is a path", asset((body) => ({ ...body, fileName: "../../../x.js" }))],
    ["a file name that is hidden", asset((body) => ({ ...body, fileName: ".htaccess" }))],
    ["a hash that is a path", asset((body) => ({ ...body, sha256: "../../../../../../x" }))],
    ["versions: {}", asset((body) => ({ ...body, versions: {} }))],
    ["an entry id that is a path", entry({ id: "../../../../x" })],
    ["an entry that is no object", entry({ data: "7" })],
    ["an entry that is null", entry({ data: "null" })],
    ["an entry that is no JSON", entry({ data: "{" })],
    ["an entry that says no object about itself", entry({ publishing: "[]" })],
    ["an entry with times that are none", entry({ publishing: '{"publishAt":{}}' })],
    ["an entry nested very deeply", entry({ data: `${'{"a":'.repeat(9999)}1${"}".repeat(9999)}` })],
    [
      "a workspace id that is a path",
      (database) => {
        const settings = JSON.stringify({ id: "../../x", name: "X" });
        database
          .prepare("UPDATE workspaces SET id = ?, settings = ?, settings_check = ?")
          .run("../../x", settings, rowCheck("../../x", settings));
      },
    ],
  ])("%s: the store is damaged, and nothing is written elsewhere", async (_what, attack) => {
    const bed = await victimOf(attack);
    const codes = await expectHarmless(bed);
    for (const command of ["check", "publish", "export"]) {
      expect(codes.get(command), command).toBe(DAMAGED);
    }
  });

  it.each([-1, 2 ** 40])(
    "R9b: a workspace of the number %d ends no command in a defect",
    async (number) => {
      await expectHarmless(
        await victimOf((database) => {
          for (const table of [
            "records",
            "entries",
            "assets",
            "draft_files",
            "versions",
            "journal",
          ]) {
            database.prepare(`UPDATE ${table} SET workspace = ?`).run(number);
          }
          database.prepare("UPDATE workspaces SET number = ?").run(number);
        }),
      );
    },
  );

  it("R9b: the preview serves nothing of it, and stays", async () => {
    const bed = await victimOf((database) => {
      const hash = sha256(SCRIPT);
      database.prepare("INSERT INTO files VALUES (?, ?)").run(hash, Buffer.from(SCRIPT));
      database.prepare("UPDATE draft_files SET sha256 = ?").run(hash);
    });
    const database = new Database(bed.path("workspace.db"), { readonly: true });
    const path = database.prepare("SELECT path FROM draft_files").pluck().get() as string;
    database.close();
    const store = openStore(bed.path("workspace.db"));
    expect(() => store.draftFile(path)).toThrow(expect.objectContaining({ code: DAMAGED }));
    store.close();
  });
});

describe("R9b: documents of a store", () => {
  const NAMES = ["index.json", "schema.json", "experiences/home/content.json"];
  it.each(NAMES.map((name) => [name]))(
    "R9b: %s of any shape ends no command in a defect",
    async (name) => {
      for (const text of [
        "null",
        "7}",
        "{",
        "{}\n",
        '{"versionId":null}\n',
        '{"content":null,"experiences":3,"fields":[],"steps":{},"versionId":null}\n',
        '{"content":[null],"experiences":[null],"references":7,"steps":[null],"versionId":null}\n',
        '{"$defs":null,"x-svc-version-id":null}\n',
        '{"$defs":{"contentModels":[],"fields":7},"x-svc-version-id":null}\n',
      ]) {
        const path = `api/v1/projects/site/${name}`;
        const bed = await victimOf(documentAt(path, Buffer.from(text)));
        await expectHarmless(bed);
      }
    },
  );
});

describe("R9: the schema of a store", () => {
  const RUN = "INSERT INTO journal (workspace, at, action, to_version) VALUES (1, 'x', 'y', 'z')";
  it.each<[what: string, sql: string]>([
    ["a trigger", `CREATE TRIGGER t AFTER UPDATE ON workspaces BEGIN ${RUN}; END`],
    ["a view", "CREATE VIEW v AS SELECT 1"],
    [
      "a table that is a view",
      "ALTER TABLE journal RENAME TO j; CREATE VIEW journal AS SELECT * FROM j",
    ],
    ["another table", "CREATE TABLE notes (text TEXT)"],
    ["a virtual table", "CREATE VIRTUAL TABLE f USING fts5(a)"],
    ["another index", "CREATE INDEX i ON records (body)"],
    ["an index less", "DROP INDEX entries_by_id"],
    ["another column", "ALTER TABLE tokens ADD COLUMN more TEXT"],
    [
      "other SQL of a table",
      "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'STRICT', '') WHERE name = 'journal'",
    ],
    [
      "a trigger that is called like a table",
      `CREATE TRIGGER sqliteschema AFTER INSERT ON tokens BEGIN ${RUN}; END`,
    ],
  ])("with %s it is not opened", async (_what, sql) => {
    const bed = await victimOf((database) => database.exec(sql));
    const before = readFileSync(bed.path("workspace.db"));
    for (const [command, code] of await expectHarmless(bed)) {
      if (!["deploy", "import"].includes(command)) expect(code, command).toBe(DAMAGED);
    }
    expect(readFileSync(bed.path("workspace.db"))).toEqual(before);
  });
});

describe("R9b: what a store has compressed", () => {
  it("R9b: a document of 6 GB in 200 kB is not opened", async () => {
    const piece = zstdCompressSync(Buffer.alloc(2 ** 28, " "));
    // Frames one after the other are one text.
    const packed = Buffer.concat(Array.from({ length: 24 }, () => piece));
    const bed = await victimOf((database) => {
      database
        .prepare("UPDATE documents SET size = ?, bytes = ? WHERE number = 1")
        .run(24 * 2 ** 28, packed);
    });
    const { stdout } = await bed.runBeside("write", "--json");
    expect(JSON.parse(stdout)).toMatchObject({ error: { code: DAMAGED } });
  });
});

describe("R9a: who may read a store", () => {
  it("R9a: it is made for its owner only, and so is what SQLite keeps beside it", async () => {
    const mode = (file: string) => statSync(file).mode & 0o777;
    const bed = new CliBed();
    bed.env = env;
    bed.ok("import", STARTER);
    expect(mode(bed.path("workspace.db"))).toBe(0o600);
    const database = new Database(bed.path("workspace.db"));
    database.exec("UPDATE workspaces SET revision = revision + 1");
    for (const end of ["-wal", "-shm"]) expect(mode(bed.path(`workspace.db${end}`))).toBe(0o600);
    database.close();
  });
});
