import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { markdownText } from "../../src/cli/output/formats.ts";
import { CliBed, STARTER } from "../support/cli-bed.ts";
import { exportOf, type Loose, type } from "../support/contentful/contentful-export.ts";

const BLOG = join(import.meta.dirname, "../../fixtures/contentful/blog.json");
const FROM = ["import", "--from", "contentful"];
const TEXT = readFileSync(BLOG, "utf8");
const broken = (parts: object) =>
  JSON.stringify(exportOf({ contentTypes: [type("page", {})], ...parts }));

describe("svc import --from contentful", () => {
  it("an export becomes a workspace that can be checked, published and verified", () => {
    const bed = new CliBed();
    const { stdout, stderr } = bed.ok(...FROM, BLOG);
    expect(stdout).toBe(
      'imported "blogspace" (en, de): 3 models, 0 blocks, 0 features, 2 projects, 15 entries, 1 asset\n',
    );
    expect(stderr.split("\n")).toEqual([
      'warning: 1 name cannot be the key of a content type: "title" became "title_"',
      "drafts: 1 entry has draft: true, and publishing leaves it out (--drafts imports as published)",
      "left out: values that the content type has no field for, or an omitted one: post.secret (1)",
      "left out: entries that are archived (1)",
      "left out: assets that have no file (1)",
      "validations not carried over: linkMimetypeGroup (1)",
      "experiences: the entries of post (--roots names others)",
      "next: svc check, then svc publish",
      "",
    ]);
    const { problems } = bed.json(1, "check");
    expect(problems.filter(({ level }: { level: string }) => level === "error")).toHaveLength(3);
  });

  it("M8: in a folder, migrate relax drops the constraints that the data breaks, naming each", () => {
    const bed = new CliBed();
    bed.ok(...FROM, BLOG, "--write", "blog");
    const { stdout, stderr } = bed.ok("migrate", "blog", "relax", "--write");
    expect(stdout).toBe("changed 2 records in 2 files\n");
    expect(stderr.split("\n")).toEqual([
      "the folder is in no Git repository, so only a copy can undo this",
      "relaxed: author.email: required (broken by 1 entry, e.g. bob)",
      "relaxed: post.kind: options, now text (broken by 1 entry, e.g. d7)",
      "relaxed: post.slug: pattern (broken by 1 entry, e.g. d7)",
      "",
    ]);
    bed.ok("import", "blog");
    bed.ok("check");
    bed.ok("publish");
    bed.ok("verify");
    const { relaxed, files } = bed.json(0, "migrate", "blog", "relax");
    expect({ relaxed, files }).toEqual({ relaxed: [], files: [] });
    // G3: the next import makes the models again, once theirs are removed.
    expect(bed.failure(4, ...FROM, BLOG, "--write", "blog").join("\n")).toContain("did not write");
    rmSync(bed.path("blog/models"), { recursive: true });
    expect(bed.json(0, ...FROM, BLOG, "--write", "blog").files).toMatchObject({ written: 3 });
  });

  it("--locale, --roots, --drafts and --workspace apply, and --json reports what was left out", () => {
    const bed = new CliBed();
    const how = ["--locale", "de", "--roots", "author, title", "--drafts", "--workspace", "site"];
    expect(bed.json(0, ...FROM, BLOG, ...how)).toMatchObject({
      workspaceId: "site",
      locale: "de",
      counts: { entries: 15 },
      leftOut: { "entries that are archived": 1 },
      notCarriedOver: { linkMimetypeGroup: 1 },
    });
  });

  it("X10: --write writes the workspace folder and no store, and the next one updates it", () => {
    const bed = new CliBed();
    const how = [...FROM, BLOG, "--write", "blog"];
    const { folder, files, counts } = bed.json(0, ...how);
    expect([folder, files.written, counts.entries]).toEqual(["blog", 22, 15]);
    expect(readdirSync(bed.folder)).toEqual(["blog"]);
    expect(JSON.parse(readFileSync(bed.path("blog/workspace.json"), "utf8"))).toMatchObject({
      import: { from: "contentful", roots: ["post"] },
    });
    expect(bed.json(0, ...how).files).toEqual({ written: 0, unchanged: 22, removed: 0 });
    bed.ok(...FROM, BLOG);
    expect(bed.json(0, "export", "blog").files).toEqual({ written: 0, unchanged: 22, removed: 0 });
  });

  it("X10: --dry-run prints the same and changes nothing", () => {
    const bed = new CliBed();
    const dry = bed.ok(...FROM, BLOG, "--dry-run");
    expect(dry.stdout).toMatch(/^would import "blogspace" \(en, de\): 3 models, /);
    bed.ok(...FROM, BLOG, "--dry-run", "--write", "blog");
    expect(readdirSync(bed.folder)).toEqual([]);
    const lines = (text: string) => text.split("\n").slice(0, -2);
    expect(lines(dry.stderr)).toEqual(lines(bed.ok(...FROM, BLOG).stderr));
    const before = readFileSync(bed.path("workspace.db"));
    expect(bed.json(0, ...FROM, BLOG, "--dry-run", "--roots", "author").counts.entries).toBe(15);
    expect(readFileSync(bed.path("workspace.db")).equals(before)).toBe(true);
  });

  it("X9a: --report has each content type, field and record, as JSON and as Markdown", () => {
    const bed = new CliBed();
    bed.ok(...FROM, BLOG, "--report", "report.json");
    const { fates, workspaceId } = JSON.parse(readFileSync(bed.path("report.json"), "utf8"));
    expect(workspaceId).toBe("blogspace");
    const { contentTypes, entries, assets }: Loose = JSON.parse(TEXT);
    const idOf = ({ sys }: Loose) => sys.id;
    const fieldsOf = ({ sys, fields }: Loose) => fields.map(({ id }: Loose) => `${sys.id}.${id}`);
    const expected: Loose = {
      type: contentTypes.map(idOf),
      field: contentTypes.flatMap(fieldsOf),
      entry: entries.map(idOf),
      asset: assets.map(idOf),
    };
    for (const [kind, ids] of Object.entries<string[]>(expected)) {
      const told = fates.filter((fate: Loose) => fate.kind === kind).map(({ id }: Loose) => id);
      expect(told.sort(), kind).toEqual([...new Set(ids)].sort());
    }
    expect(fates.find((fate: Loose) => fate.id === "first")).toMatchObject({
      became: { id: "first", type: "post", experience: "first" },
    });
    bed.ok(...FROM, BLOG, "--dry-run", "--report", "report.md");
    const markdown = readFileSync(bed.path("report.md"), "utf8");
    expect(markdown).toContain("# Import of blogspace (en)\n");
    expect(markdown).toContain("\n## Entries\n\n| in the export | here | lost |\n");
    for (const { id } of fates) expect(markdown).toContain(`\n| ${markdownText(id)} | `);
    expect(bed.failure(2, ...FROM, BLOG, "--report", "report.txt")[0]).toContain("report.txt");
  });

  it("shows progress on a terminal", () => {
    expect(new CliBed().runOnTerminal(...FROM, BLOG)).toContain("records imported");
  });
});

describe("svc import --from contentful: invalid input changes nothing", () => {
  const invalid: [string, string | Uint8Array, string][] = [
    ["other bytes than UTF-8", Buffer.from(`\ufeff${TEXT}`, "utf16le"), "it is not UTF-8"],
    ["an asset that is a number", broken({ assets: [7] }), "assets[0] must be object"],
  ];
  const wrong: [string, number, readonly string[], string][] = [
    ["an unknown format", 2, ["import", "--from", "nothing"], "--from takes: contentful"],
    ["an empty type in --roots", 2, [...FROM, "--roots", ","], "must not be empty"],
    ["an option of --from without it", 2, ["import", "--drafts"], "applies only to exports"],
    ["an export without --from", 2, ["import"], "--from contentful"],
    ["a missing file", 2, [...FROM, "gone.json"], 'there is no file "gone.json"'],
  ];
  it.each([
    ...invalid.map(([name, text, message]) => [name, 1, FROM, message, text] as const),
    ...wrong.map((one) => [...one, TEXT] as const),
  ])("%s", (_, status, command, message, text) => {
    const bed = new CliBed();
    writeFileSync(bed.path("export.json"), text);
    expect(bed.failure(status, ...command, "export.json").join("\n")).toContain(message);
    expect(readdirSync(bed.folder)).toEqual(["export.json"]);
  });

  it("leaves an existing store byte for byte unchanged", () => {
    const bed = new CliBed(STARTER);
    writeFileSync(bed.path("export.json"), TEXT.slice(0, 3000));
    const before = readFileSync(bed.path("workspace.db"));
    bed.failure(1, ...FROM, "export.json");
    bed.failure(2, ...FROM, BLOG, "--locale", "fr");
    expect(readFileSync(bed.path("workspace.db")).equals(before)).toBe(true);
  });
});
