import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { queryOf } from "../../src/fields/reference.ts";
import { migrateFolder, readDefinitions } from "../../src/folder/migrate/migrate-folder.ts";
import { migrationNamed } from "../../src/folder/migrate/migrations.ts";
import type { JsonObject, JsonValue } from "../../src/workspace/json.ts";
import { isJsonObject } from "../../src/workspace/json.ts";
import { type CliBed, STOREFRONT } from "../support/cli-bed.ts";
import { bytesBelow } from "../support/file-tree.ts";
import { bedWith, git } from "./migrate-bed.ts";

const RENAME = ["rename-field", "author", "name", "fullName"];
/** All records in one file a kind: an array, or NDJSON. */
function inOneFile(bed: CliBed, extension: "json" | "ndjson"): void {
  for (const kind of ["models", "blocks", "entries", "projects"]) {
    const folder = bed.path("content", kind);
    const records = Object.keys(bytesBelow(folder)).map((path) =>
      JSON.parse(readFileSync(join(folder, path), "utf8")),
    );
    renameSync(folder, bed.path(`old-${kind}`));
    const text =
      extension === "json"
        ? JSON.stringify(records, null, 2)
        : records.map((one) => JSON.stringify(one)).join("\n");
    writeFileSync(bed.path("content", `${kind}.${extension}`), text);
  }
}

/** Everywhere in published JSON: the key of the field of authors. */
function withRenamedKey(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withRenamedKey);
  if (!isJsonObject(value)) return value;
  const all = Object.entries(value).map(([key, one]) => [key, withRenamedKey(one)]);
  const next = Object.fromEntries(all) as JsonObject;
  if (next.contentModelKey !== "author" || !isJsonObject(next.data)) return next;
  const { name, ...data } = next.data;
  return { ...next, data: name === undefined ? data : { ...data, fullName: name } };
}

/** The published documents of the folder, but for the version id. */
function publishedFrom(bed: CliBed): Record<string, JsonValue> {
  bed.ok("import", "content");
  bed.ok("publish");
  const root = bed.path("out/api");
  return Object.fromEntries(
    Object.keys(bytesBelow(root)).map((path) => {
      const { versionId: _, ...document } = JSON.parse(readFileSync(join(root, path), "utf8"));
      return [path, document];
    }),
  );
}

/** Gives the only locale of all projects to the values of every field of models and blocks. */
async function localizeAll(folder: string): Promise<string[]> {
  const { models, blocks } = readDefinitions(folder);
  const fields = Object.entries({ model: models, block: blocks }).flatMap(([kind, list]) =>
    list.flatMap((one) =>
      // Q1: of a field with a query nothing is stored.
      one.fields.flatMap((field) =>
        queryOf(field) === undefined ? [[`${kind}:${one.key}`, field.key]] : [],
      ),
    ),
  );
  for (const args of fields) {
    const migration = await migrationNamed("localize-field", args)(readDefinitions(folder));
    for (const { file, after } of await migrateFolder(folder, migration)) {
      writeFileSync(join(folder, file), after);
    }
  }
  return fields.map((args) => args.join(" "));
}

it("M5, B3: with every field localized into the only locale the same is published", async () => {
  const bed = bedWith(STOREFRONT);
  const before = publishedFrom(bed);
  const projects = bed.path("content/projects");
  for (const file of Object.keys(bytesBelow(projects))) {
    const path = join(projects, file);
    const project = JSON.parse(readFileSync(path, "utf8"));
    writeFileSync(path, JSON.stringify({ ...project, locale: "en" }));
  }
  expect((await localizeAll(bed.path("content"))).length).toBeGreaterThan(20);
  expect(publishedFrom(bed)).toEqual(before);
});

function withoutVersion(published: unknown): string {
  return JSON.stringify(published).replaceAll(/"[0-9a-f]{32}"/g, '"version"');
}

describe("M1: svc migrate", () => {
  it("M1: after rename-field the published content is that of before but for the key", () => {
    const bed = bedWith(STOREFRONT);
    inOneFile(bed, "json");
    const before = publishedFrom(bed);
    bed.ok("migrate", "content", ...RENAME, "--write");
    const after = publishedFrom(bed);
    const others = Object.keys(before).filter((path) => !path.endsWith("schema.json"));
    expect(others.length).toBeGreaterThan(5);
    for (const path of others) {
      expect(after[path]).toEqual(withRenamedKey(before[path] as JsonValue));
    }
    expect(JSON.stringify(after)).toContain('"fullName":"');
    const schemas = Object.keys(before).filter((path) => path.endsWith("schema.json"));
    for (const path of schemas) {
      expect(JSON.stringify(after[path])).toContain('"fullName":{');
    }
  });

  it("M1: without --write it changes nothing, and prints a diff that git applies", () => {
    const bed = bedWith(STOREFRONT);
    git(bed, "init", "-q");
    for (const migration of [
      RENAME,
      ["remove-field", "product", "name"],
      ["rename-model", "product", "item"],
      ["rename-entry", "page-home", "front-page"],
    ]) {
      const before = bytesBelow(bed.path("content"));
      const { stdout } = bed.ok("migrate", "content", ...migration);
      expect(bytesBelow(bed.path("content"))).toEqual(before);
      writeFileSync(bed.path("a.patch"), stdout);
      git(bed, "apply", "a.patch");
      const applied = bytesBelow(bed.path("content"));
      git(bed, "apply", "-R", "a.patch");
      expect(bytesBelow(bed.path("content"))).toEqual(before);
      const { stdout: said } = bed.ok("migrate", "content", ...migration, "--write", "--force");
      expect(said).toMatch(/^changed \d+ records in \d+ files?\n$/);
      expect(bytesBelow(bed.path("content"))).toEqual(applied);
    }
  });

  it("M9: after rename-entry the published content is that of before but for the id", () => {
    const bed = bedWith(STOREFRONT);
    inOneFile(bed, "ndjson");
    const before = publishedFrom(bed);
    const ids = ["page-home", "TT-Cairn-45", "article-northfell-day-3"];
    for (const id of ids) bed.ok("migrate", "content", "rename-entry", id, `${id}0`, "--write");
    const text = withoutVersion(publishedFrom(bed));
    const problems = (at: string) => bed.json(0, "check", at).counts;
    expect(problems("content")).toEqual(problems(STOREFRONT));
    expect(text).toContain('"page-home0"');
    expect(JSON.parse(text.replaceAll(new RegExp(`"(${ids.join("|")})0"`, "g"), '"$1"'))).toEqual(
      JSON.parse(withoutVersion(before)),
    );
  });

  it("M9a: rename-entry refuses an id that there is, and one that is none, and follows a rename by hand", () => {
    const bed = bedWith();
    const refused = (...args: string[]) =>
      bed.failure(1, "migrate", "content", "rename-entry", ...args);
    expect(refused("home-page", "about-page")[0]).toContain('already an entry "about-page"');
    expect(refused("home-pgae", "home")[1]).toContain('did you mean "home-page"?');
    expect(refused("home-page", "a b")[0]).toContain("cannot be the id");
    const [author, home] = ["sam-rivers", "home-page"].map((id) =>
      bed.path(`content/entries/${id}.json`),
    );
    writeFileSync(
      author as string,
      readFileSync(author as string, "utf8").replace("sam-rivers", "sam"),
    );
    bed.failure(1, "publish", "content", "--strict");
    const { files } = bed.json(
      0,
      "migrate",
      "content",
      "rename-entry",
      "sam-rivers",
      "sam",
      "--write",
    );
    expect(files.map(({ file }: { file: string }) => file)).toEqual([
      "content/entries/about-page.json",
      "content/entries/home-page.json",
    ]);
    expect(readFileSync(home as string, "utf8")).toContain('"contentEntryId": "sam"');
    expect(bed.ok("check", "content").stdout).toBe("no problems\n");
  });

  it("M9: the file is renamed too, unless another has the name", () => {
    const bed = bedWith();
    const names = () => Object.keys(bytesBelow(bed.path("content/entries"))).sort();
    const rename = ["migrate", "content", "rename-entry", "home-page", "home"];
    // Named as the entry will be.
    writeFileSync(
      bed.path("content/entries/home.json"),
      JSON.stringify({ id: "x", modelId: "page", data: { headline: "X" } }),
    );
    expect(bed.json(0, ...rename).files[0]).not.toHaveProperty("to");
    rmSync(bed.path("content/entries/home.json"));
    expect(bed.json(0, ...rename).files).toContainEqual({
      file: "content/entries/home-page.json",
      to: "content/entries/home.json",
      records: 1,
    });
    bed.ok(...rename, "--write");
    expect(names()).toEqual(["about-page.json", "home.json", "sam-rivers.json"]);
    expect(bed.ok("check", "content").stdout).toBe("no problems\n");
  });

  it("M1: a folder with faults, an unknown migration and wrong arguments are refused", () => {
    const bed = bedWith();
    expect(bed.failure(2, "migrate", "content", "rename", "a")[0]).toContain("no migration");
    expect(bed.failure(2, "migrate", "content", "constructor")[0]).toContain("no migration");
    expect(bed.failure(2, "migrate", "content", "rename-field", "page")[0]).toContain("too few");
    expect(bed.failure(2, "migrate", "content", "script", "a", "b")[0]).toContain("too many");
    expect(bed.failure(1, "migrate", "content", "remove-field", "page", "a")[0]).toContain(
      "no field",
    );
    writeFileSync(bed.path("content/features.json"), "[{]");
    const before = bytesBelow(bed.folder);
    bed.failure(1, "migrate", "content", "rename-model", "page", "site", "--write");
    expect(bytesBelow(bed.folder)).toEqual(before);
  });

  it("M1: nothing to change is no change", () => {
    const bed = bedWith();
    writeFileSync(bed.path("same.mjs"), "export default (entry) => entry;");
    expect(bed.ok("migrate", "content", "script", "same.mjs").stdout).toBe("");
    expect(bed.json(0, "migrate", "content", "script", "same.mjs", "--write")).toMatchObject({
      files: [],
      records: 0,
      written: false,
    });
  });
});
