import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { TEMPORARY } from "../../src/files/folder.ts";
import { LOCK } from "../../src/files/lock.ts";
import { migrateFolder, readDefinitions } from "../../src/folder/migrate/migrate-folder.ts";
import { migrationNamed } from "../../src/folder/migrate/migrations.ts";
import { MIGRATION_FOLDER, stageMigration } from "../../src/folder/migrate/replace-files.ts";
import { STARTER } from "../support/cli-bed.ts";
import { bytesBelow } from "../support/file-tree.ts";
import { workspaceFolder } from "../support/workspaces/workspace-folder.ts";
import { bedWith, git } from "./migrate-bed.ts";

describe("M4: changes that are not committed", () => {
  it("M4: refuse --write, until they are committed or with --force", () => {
    const bed = bedWith();
    const args = ["migrate", "content", "rename-model", "page", "site", "--write"];
    git(bed, "init", "-q");
    expect(bed.failure(4, ...args)[0]).toContain("not committed");
    bed.ok(...args.slice(0, -1));
    git(bed, "add", "content");
    expect(bed.failure(4, ...args)[0]).toContain("not committed");
    git(bed, "commit", "-qm", "a");
    writeFileSync(bed.path("content/more.txt"), "a");
    expect(bed.failure(4, ...args)[0]).toContain("content/more.txt");
    // Outside of the folder.
    renameSync(bed.path("content/more.txt"), bed.path("more.txt"));
    // Left by a process that was killed.
    mkdirSync(bed.path("content", MIGRATION_FOLDER));
    for (const name of [`${MIGRATION_FOLDER}/0`, LOCK, TEMPORARY]) {
      writeFileSync(bed.path("content", name), "");
    }
    bed.ok(...args);
    expect(readdirSync(bed.path("content")).filter((name) => name.startsWith("."))).toEqual([]);
    const again = ["migrate", "content", "rename-model", "site", "page", "--write"];
    expect(bed.failure(4, ...again)[0]).toMatch(/not committed: content\/\S+ and \d+ more$/);
    bed.ok(...again, "--force");
    expect(git(bed, "status", "--porcelain", "content")).toBe("");
  });

  it("M4: outside of a Git repository there are none", () => {
    const bed = bedWith();
    const { stderr } = bed.ok("migrate", "content", "rename-model", "page", "site", "--write");
    expect(stderr).toContain("no Git repository");
  });
});

describe("M3: an interrupted migration", () => {
  const AGAIN = ["migrate", "content", "rename-model", "page", "other", "--write"];

  /** A folder in which a migration was decided, and `count` of its files replaced. */
  async function interrupted(count: number) {
    const bed = bedWith();
    const folder = bed.path("content");
    const args = ["page", "headline", "title"];
    const migration = await migrationNamed("rename-field", args)(readDefinitions(folder));
    const files = await migrateFolder(folder, migration);
    stageMigration(folder, `rename-field ${args.join(" ")}`, files);
    const staged = join(folder, MIGRATION_FOLDER);
    for (const [index, { file }] of [...files.entries()].slice(0, count)) {
      renameSync(join(staged, String(index)), join(folder, file));
    }
    return { bed, folder, files };
  }

  it.each([0, 1, 2, 3])("M3: is completed by the next one, after %i of 3 files", async (count) => {
    const { bed, folder, files } = await interrupted(count);
    expect(files).toHaveLength(3);
    const hint = "hint: run svc migrate content rename-field page headline title --write";
    for (const args of [["import", "content"], AGAIN.slice(0, -1)]) {
      const [error, advice] = bed.failure(4, ...args);
      expect(error).toContain('the migration "rename-field page headline title"');
      expect(advice).toContain(hint);
    }
    expect(bed.json(0, ...AGAIN)).toMatchObject({
      migration: "rename-field page headline title",
      resumed: true,
      written: true,
      records: 3,
    });
    for (const { file, after } of files) {
      expect(readFileSync(join(folder, file), "utf8")).toBe(after);
    }
    expect(existsSync(join(folder, MIGRATION_FOLDER))).toBe(false);
    bed.ok("import", "content");
    bed.ok(...AGAIN);
  });

  it("M3: never replaces a file that was changed since", async () => {
    const { bed, folder, files } = await interrupted(1);
    const [, , last] = files;
    const path = join(folder, last?.file ?? "");
    writeFileSync(path, `${last?.before}\n`);
    const before = bytesBelow(folder);
    expect(bed.failure(4, ...AGAIN)[0]).toContain("was changed during the migration");
    expect(bytesBelow(folder)).toEqual(before);
    writeFileSync(path, last?.before ?? "");
    bed.ok(...AGAIN);
  });

  it.each([
    "",
    "null",
    "5",
    "{}",
    '{"migration":"x","files":[null]}',
    '{"migration":1,"files":[]}',
  ])("M3: what is no journal of a migration is refused, and stays: %s", (text) => {
    const bed = bedWith();
    mkdirSync(bed.path("content", MIGRATION_FOLDER));
    writeFileSync(bed.path("content", MIGRATION_FOLDER, "journal.json"), text);
    const before = bytesBelow(bed.path("content"));
    for (const args of [["check", "content"], AGAIN]) {
      const [error, hint] = bed.failure(4, ...args);
      expect(error).toContain("is not the journal of a migration");
      expect(hint).toContain(`then remove ${MIGRATION_FOLDER}`);
    }
    expect(bytesBelow(bed.path("content"))).toEqual(before);
  });

  it("M3: a file that is changed after it was read stops the migration before it begins", async () => {
    const folder = workspaceFolder({});
    const file = { file: "workspace.json", before: "{}", after: "[]", records: 1 };
    expect(() => stageMigration(folder, "x", [file])).toThrow("was changed during the migration");
    expect(readdirSync(folder)).toEqual(["workspace.json"]);
  });
});

describe("M6: script", () => {
  const PRICES = `import type { EntryMigration } from "@svc-publish/svc";
const migrate: EntryMigration = async (entry, { modelKey }) => {
  if (modelKey !== "page") return entry;
  const { headline, ...data } = entry.data as { headline: string };
  return { ...entry, data: { headline: headline.toUpperCase(), ...data } };
};
export default migrate;
`;

  it("M6: a typed function from entry to entry", () => {
    const bed = bedWith();
    writeFileSync(bed.path("prices.ts"), PRICES);
    bed.ok("migrate", "content", "script", "prices.ts", "--write");
    const file = "entries/home-page.json";
    const [before, after] = [join(STARTER, file), bed.path("content", file)].map((path) =>
      readFileSync(path, "utf8"),
    );
    const text = "Welcome to your workspace";
    expect(after).toBe(before?.replace(text, text.toUpperCase()));
  });

  it("M6: a module in a CommonJS package is refused with the name that it needs", () => {
    const bed = bedWith();
    writeFileSync(bed.path("package.json"), '{ "type": "commonjs" }');
    writeFileSync(bed.path("prices.ts"), PRICES);
    const refused = bed.run("migrate", "content", "script", "prices.ts");
    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain("name it .mts or .mjs");
    writeFileSync(bed.path("prices.mts"), PRICES);
    expect(bed.ok("migrate", "content", "script", "prices.mts").stdout).toContain("WELCOME");
  });

  it.each([
    ["export const migrate = (entry) => entry;", "exports no function"],
    ["export default () => {", "cannot load"],
    ["export default () => {};", "returned no entry"],
    ["export default (entry) => ({ ...entry, id: 'other' });", "returned another id"],
    ["export default (entry) => ({ ...entry, data: 7 });", '"data" must be an object'],
    ["export default (entry) => entry.data.nothing.at;", 'failed for the entry "about-page"'],
    ["export default (entry) => ({ ...entry, more: 1 });", 'unknown member "more"'],
    ["export default (entry) => ({ ...entry, publishAt: 'soon' });", '"publishAt" is not a date'],
    ["export default (entry) => ({ ...entry, modelId: '\\ud800' });", '"modelId"'],
  ])("M6: %s: nothing is changed", (text, message) => {
    const bed = bedWith();
    writeFileSync(bed.path("a.mjs"), text);
    const before = bytesBelow(bed.folder);
    expect(bed.failure(1, "migrate", "content", "script", "a.mjs", "--write").at(-2)).toContain(
      message,
    );
    expect(bytesBelow(bed.folder)).toEqual(before);
  });

  it.each([
    ["5", "it threw 5, without a message"],
    ["undefined", "it threw undefined, without a message"],
    ["Symbol('a')", "it threw Symbol(a), without a message"],
    ["new Error()", "it threw Error, without a message"],
  ])("M6: throw %s: the message says so", (thrown, message) => {
    const bed = bedWith();
    const failed = (name: string, script: string) => {
      writeFileSync(bed.path(name), script);
      return bed.failure(1, "migrate", "content", "script", name).at(-2);
    };
    const inEntry = `a.mjs failed for the entry "about-page": ${message}`;
    expect(failed("a.mjs", `export default () => { throw ${thrown} };`)).toContain(inEntry);
    expect(failed("b.mjs", `throw ${thrown};`)).toContain(`cannot load b.mjs: ${message}`);
  });
});

describe("M6: what a script prints", () => {
  it("M6: goes to stderr, and is no part of the diff or of the object of --json", () => {
    const bed = bedWith();
    writeFileSync(bed.path("quiet.mjs"), "export default (entry) => ({ ...entry, draft: true });");
    writeFileSync(
      bed.path("loud.mjs"),
      `console.log("loaded");
      export default (entry) => {
        console.log("one"); console.info("two"); console.debug("three");
        return { ...entry, draft: true };
      };`,
    );
    const quiet = bed.ok("migrate", "content", "script", "quiet.mjs");
    const loud = bed.ok("migrate", "content", "script", "loud.mjs");
    expect(loud.stdout).toBe(quiet.stdout);
    for (const word of ["loaded", "one", "two", "three"]) expect(loud.stderr).toContain(word);
    const json = bed.ok("migrate", "content", "script", "loud.mjs", "--json");
    expect(JSON.parse(json.stdout)).toMatchObject({ diff: quiet.stdout });
  });
});

describe("M7: what a script returns", () => {
  const withValue = (value: string) =>
    `export default (entry) => ({ ...entry, data: { ...entry.data, x: ${value} } });`;
  const ITSELF = "(entry) => { entry.data.x = [entry]; return entry; }";
  const DEEP =
    "(entry) => { let x = []; for (let i = 0; i < 1e5; i++) x = [x]; entry.data.x = x; return entry; }";

  it.each([
    [withValue("NaN"), "returned NaN at /data/x for"],
    [withValue("[1, { 'a/b': -Infinity }]"), "returned -Infinity at /data/x/1/a~1b for"],
    [withValue("10n"), "returned a bigint at /data/x for"],
    [withValue("() => 1"), "returned a function at /data/x for"],
    [withValue("Symbol()"), "returned a symbol at /data/x for"],
    [withValue("new Date(0)"), "returned a Date at /data/x for"],
    [withValue("{ a: new Map() }"), "returned a Map at /data/x/a for"],
    [withValue("[undefined]"), "returned undefined at /data/x/0 for"],
    [withValue("[1, , 2]"), "returned undefined at /data/x/1 for"],
    [`export default ${ITSELF}`, "returned an object that contains itself at /data/x/0 for"],
    [`export default ${DEEP}`, "returned values nested more than 200 levels deep at /data/x/0 for"],
    ["export default () => new Map();", "returned a Map for"],
  ])("M7: is refused where JSON would change it: %s", (script, message) => {
    const bed = bedWith();
    writeFileSync(bed.path("a.mjs"), script);
    const before = bytesBelow(bed.folder);
    const [error, hint] = bed.failure(1, "migrate", "content", "script", "a.mjs", "--write");
    expect(error).toContain(`${message} the entry "about-page"`);
    expect(hint).toContain("values of JSON");
    expect(bytesBelow(bed.folder)).toEqual(before);
  });

  it("M7: has no members that are undefined, and may have one object twice", () => {
    const bed = bedWith();
    writeFileSync(
      bed.path("a.mjs"),
      `const x = {}; ${withValue("{ a: x, b: [x], c: undefined }")}`,
    );
    bed.ok("migrate", "content", "script", "a.mjs", "--write");
    const { data } = JSON.parse(readFileSync(bed.path("content/entries/about-page.json"), "utf8"));
    expect(data.x).toEqual({ a: {}, b: [{}] });
    writeFileSync(bed.path("b.mjs"), withValue("undefined"));
    bed.ok("migrate", "content", "script", "b.mjs", "--write", "--force");
    const before = join(STARTER, "entries/about-page.json");
    const after = bed.path("content/entries/about-page.json");
    expect(JSON.parse(readFileSync(after, "utf8"))).toEqual(
      JSON.parse(readFileSync(before, "utf8")),
    );
  });

  it.each([
    "export default () => process.exit(0);",
    "process.exit(0);",
    "export default () => new Promise(() => {});",
    "export default () => { setTimeout(process.exit, 0, 0); return new Promise(() => {}); };",
  ])("M7a: a script that ends the program has failed: %s", (script) => {
    const bed = bedWith();
    writeFileSync(bed.path("a.mjs"), script);
    const before = bytesBelow(bed.folder);
    const { status, stderr } = bed.runAlone("migrate", "content", "script", "a.mjs", "--write");
    expect(stderr).toContain("error: script a.mjs ended svc before all entries were migrated");
    expect(status).toBe(1);
    expect(bytesBelow(bed.folder)).toEqual(before);
  });
});
