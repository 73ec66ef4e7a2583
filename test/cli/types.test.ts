import { copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { CliBed, NEIGHBOUR, STARTER, STOREFRONT } from "../support/cli-bed.ts";
import { bytesBelow, pathsBelow, statesBelow } from "../support/file-tree.ts";
import { RunningCommand } from "./running-command.ts";

const SCHEMA = "out/api/v1/projects/site/schema.json";

let bed: CliBed;
beforeEach(() => {
  bed = new CliBed(STARTER);
});

const read = (file: string) => readFileSync(bed.path(file), "utf8");

describe("svc types", () => {
  it("generates the same bytes from a file, standard input and the store's published document", async () => {
    bed.ok("publish");
    const { stdout, stderr } = bed.ok("types", SCHEMA);
    expect(stderr).toBe("");
    expect(stdout).toMatch(/^\/\/ [^\n]*svc:project\/site\/schema[^\n]*\n.*[^\n]\n$/s);
    expect(stdout).not.toContain("export const");
    expect(bed.ok("types").stdout).toBe(stdout);
    expect(bed.ok("types", "--draft").stdout).toBe(stdout);
    const piped = new RunningCommand(bed, "types", "-").input(read(SCHEMA));
    expect(await piped.end()).toEqual({ status: 0, stdout, stderr: "" });
  });

  it("reads a document without a store", () => {
    bed.ok("publish");
    const empty = new CliBed();
    copyFileSync(bed.path(SCHEMA), empty.path("schema.json"));
    expect(empty.ok("types", "schema.json").stdout).toContain("export interface Schema {");
    expect(pathsBelow(empty.folder)).toEqual(["schema.json"]);
  });

  it("--draft reads the draft of the store; without it, the published version", () => {
    expect(bed.failure(4, "types")[0]).toMatch(/^error: .*publish/);
    bed.ok("publish");
    const published = bed.ok("types").stdout;
    bed.ok("import", changedStarter(bed));
    expect(bed.ok("types").stdout).toBe(published);
    expect(bed.ok("types", "--draft").stdout).toContain("export interface Novelty {");
  });

  it("--workspace and --project pick one of several", () => {
    const many = new CliBed(STOREFRONT, NEIGHBOUR);
    expect(many.failure(2, "types", "--draft").join("\n")).toMatch(/--workspace/);
    const storefront = ["types", "--draft", "--workspace", "storefront"];
    expect(many.ok(...storefront).stdout).toContain(
      "svc:project/prj_kiosk/schema, svc:project/prj_web/schema.",
    );
    const { stdout } = many.ok(...storefront, "--project", "prj_web");
    expect(stdout).toContain("svc:project/prj_web/schema");
    expect(many.failure(2, ...storefront, "--project", "none")[1]).toMatch(/prj_kiosk.*prj_web/);
    const neighbour = ["types", "--draft", "--workspace", "neighbour", "--json"];
    expect(JSON.parse(many.ok(...neighbour).stdout).types).toContain("svc:project/prj_neighbour/");
  });

  it("T11: several schema documents give one file, of which none may be another workspace's", () => {
    const many = new CliBed(STOREFRONT, NEIGHBOUR);
    const published = ["storefront", "neighbour"].map((id) => {
      many.ok("publish", "--workspace", id, "--out", id);
      return `${id}/api/v1/projects`;
    });
    const [kiosk, web] = ["prj_kiosk", "prj_web"].map((id) => `${published[0]}/${id}/schema.json`);
    const { stdout } = many.ok("types", `${kiosk}`, `${web}`, "--experience-ids");
    expect(many.ok("types", "--workspace", "storefront", "--experience-ids").stdout).toBe(stdout);
    const other = `${published[1]}/prj_neighbour/schema.json`;
    expect(many.failure(1, "types", `${web}`, other)[0]).toBe(
      "error: the schemas of prj_web, prj_neighbour differ",
    );
  });

  it("-o writes the file and its folder, and does not touch an up-to-date file", () => {
    const text = bed.ok("types", "--draft").stdout;
    const write = ["types", "--draft", "-o", "src/deep/content.ts"];
    expect(bed.ok(...write).stdout).toBe("wrote src/deep/content.ts\n");
    expect(bytesBelow(bed.path("src"))).toEqual({ "deep/content.ts": text });
    const before = statesBelow(bed.path("src"));
    expect(bed.ok(...write).stdout).toBe("src/deep/content.ts is up to date\n");
    expect(statesBelow(bed.path("src"))).toEqual(before);
    expect(bed.ok(...write, "--const").stdout).toBe("wrote src/deep/content.ts\n");
    expect(read("src/deep/content.ts")).toContain('export const modelKeys = ["author", "page"]');
  });

  it("--check exits with 0 if the file is up to date, else with 1 and a hint, and writes nothing", () => {
    const check = ["types", "--draft", "-o", "content.ts", "--check"];
    const missing = bed.run(...check);
    expect([missing.status, missing.stdout]).toEqual([1, "content.ts is not up to date\n"]);
    expect(missing.stderr).toMatch(/^hint: [^\n]*svc types[^\n]*\n$/);
    expect(existsSync(bed.path("content.ts"))).toBe(false);
    bed.ok("types", "--draft", "-o", "content.ts");
    expect(bed.ok(...check).stdout).toBe("content.ts is up to date\n");
    for (const edited of [
      `${read("content.ts")}\n`,
      "",
      read("content.ts").replace("Page", "page"),
    ]) {
      writeFileSync(bed.path("content.ts"), edited);
      const before = statesBelow(bed.folder);
      expect(bed.run(...check).status).toBe(1);
      expect(statesBelow(bed.folder)["content.ts"]).toBe(before["content.ts"]);
    }
  });

  it("--json prints the types, whether a file was written, and whether it is up to date", () => {
    const text = bed.ok("types", "--draft").stdout;
    expect(bed.json(0, "types", "--draft")).toEqual({ types: text });
    const file = ["types", "--draft", "-o", "content.ts"];
    const upToDate = (is: boolean) => ({ file: "content.ts", upToDate: is });
    expect(bed.json(1, ...file, "--check")).toEqual(upToDate(false));
    expect(bed.json(0, ...file)).toEqual({ file: "content.ts", written: true });
    expect(bed.json(0, ...file)).toEqual({ file: "content.ts", written: false });
    expect(bed.json(0, ...file, "--check")).toEqual(upToDate(true));
  });

  it("unreadable and unwritable files are reported with a hint", () => {
    writeFileSync(bed.path("broken.json"), "{");
    writeFileSync(bed.path("other.json"), '{"$id":"svc:project/x/schema"}');
    writeFileSync(
      bed.path("newer.json"),
      '{"$id":"svc:project/x/schema","x-svc-schema-version":2}',
    );
    expect(bed.failure(1, "types", "broken.json")[0]).toMatch(/"broken\.json" is not JSON/);
    expect(bed.failure(1, "types", "-")[0]).toMatch(/standard input is not JSON/);
    expect(bed.failure(2, "types", "none.json")[0]).toBe('error: there is no file "none.json"');
    expect(bed.json(1, "types", ".").error.code).toBe("folder-invalid");
    expect(bed.failure(4, "types", "--draft", "-o", "broken.json/types.ts")[0]).toMatch(
      /^error: cannot \w+ "[^"]*broken\.json[^"]*": [a-z ]+$/,
    );
    expect(bed.json(1, "types", "other.json").error.code).toBe("schema-invalid");
    expect(bed.json(4, "types", "newer.json").error.code).toBe("schema-newer");
  });

  it("T6, T9: --format writes, checks and prints the other documents, of a file too", () => {
    bed.ok("publish");
    for (const [format, member] of [
      ["json-schema", "$defs"],
      ["openapi", "paths"],
    ]) {
      const types = ["types", "--format", `${format}`];
      const { stdout } = bed.ok(...types);
      expect(JSON.parse(stdout)).toHaveProperty([`${member}`]);
      expect(bed.ok(...types, SCHEMA).stdout).toBe(stdout);
      expect(bed.json(0, ...types)).toEqual({ types: stdout });
      expect(bed.run(...types, "-o", "a.json", "--check").status).toBe(1);
      bed.ok(...types, "-o", "a.json");
      expect(read("a.json")).toBe(stdout);
      expect(bed.ok(...types, "-o", "a.json", "--check").stdout).toBe("a.json is up to date\n");
    }
    const url = ["--format", "openapi", "--url", "https://a.example/api/v1/"];
    expect(JSON.parse(bed.ok("types", ...url).stdout).servers).toEqual([
      { url: "https://a.example/api/v1" },
    ]);
  });

  it("T8: --experience-ids reads the config of a folder, of a store, and beside a file", async () => {
    bed.ok("publish");
    const ids = ["types", "--experience-ids"];
    const { stdout } = bed.ok(...ids);
    expect(stdout).toContain('export type ExperienceId = "welcome";\n');
    for (const source of [["--draft"], [SCHEMA], [STARTER]]) {
      expect(bed.ok(...ids, ...source).stdout, source[0]).toBe(stdout);
    }
    copyFileSync(bed.path(SCHEMA), bed.path("alone.json"));
    const piped = await new RunningCommand(bed, ...ids, "-").input(read("alone.json")).end();
    for (const { status, stderr } of [piped, bed.run(...ids, "alone.json")]) {
      expect([status, stderr]).toEqual([
        2,
        expect.stringMatching(/not beside.*\nhint: pass a workspace folder/),
      ]);
    }
    expect(bed.failure(2, ...ids, "none.json")[0]).toBe('error: there is no file "none.json"');
    writeFileSync(bed.path("index.json"), '{"id":"other","experiences":[]}');
    expect(bed.failure(1, ...ids, "alone.json")[0]).toMatch(/not the project config of "site"/);
  });

  it.each([
    ["--check without a file", ["--check"]],
    ["--const with JSON Schema", ["--format", "json-schema", "--const"]],
    ["--url with TypeScript", ["--url", "https://a.example/api/v1"]],
    ["a --url that is no base URL", ["--format", "openapi", "--url", "https://a.example"]],
    ["an unknown format", ["--format", "swift"]],
    ["no URL", ["http://", "-o", "a.ts"]],
    ["an empty file name", ["-o", ""]],
  ])("%s is wrong usage", (_what, args) => {
    bed.failure(2, "types", ...args);
    expect(existsSync(bed.path("a.ts"))).toBe(false);
  });
});

/** The starter with one more model, as a folder. */
function changedStarter({ folder }: CliBed): string {
  const changed = join(folder, "changed");
  bed.ok("export", changed);
  const model = { id: "novelty", key: "novelty", name: "Novelty", fields: [] };
  writeFileSync(join(changed, "models/novelty.json"), JSON.stringify(model));
  return changed;
}
