import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CliBed, STARTER } from "../support/cli-bed.ts";
import { exportOf, type } from "../support/contentful/contentful-export.ts";

const BLOG = join(import.meta.dirname, "../../fixtures/contentful/blog.json");
const FROM = ["import", "--from", "contentful"];
const TEXT = readFileSync(BLOG, "utf8");
const broken = (parts: object) =>
  JSON.stringify(exportOf({ contentTypes: [type("page", {})], ...parts }));

describe("svc import --from contentful", { timeout: 60_000 }, () => {
  it("an export becomes a workspace that checks, publishes and verifies", () => {
    const bed = new CliBed();
    const { stdout, stderr } = bed.ok(...FROM, BLOG, "--relax");
    expect(stdout).toBe(
      'imported "blogspace" (en): 3 models, 0 blocks, 0 features, 1 project, 14 entries, 1 asset\n',
    );
    expect(stderr.split("\n")).toEqual([
      'warning: the key of the content type "title" was changed to "title_"',
      "left out: entries that are not published (1)",
      "left out: entries that are archived (1)",
      "left out: values that the content type has no field for, or an omitted one (1)",
      "left out: assets that have no file (1)",
      "validations that are not carried over: enabledNodeTypes (1), linkMimetypeGroup (1), unique (1)",
      "warning: 5 entries shown by no experience, as bob: nothing leads there, or more than 5 references; --roots says where to begin",
      "relaxed: post.slug: pattern (broken by 1 entry, as d7)",
      "relaxed: post.kind: options, now text (broken by 1 entry, as d7)",
      "relaxed: author.email: required (broken by 1 entry, as bob)",
      "next: svc check, then svc publish",
      "",
    ]);
    bed.ok("check");
    bed.ok("publish");
    bed.ok("verify");
  });

  it("without --relax the constraints stay, and check lists every break", () => {
    const bed = new CliBed();
    expect(bed.json(0, ...FROM, BLOG).relaxed).toEqual([]);
    const { problems } = bed.json(1, "check");
    expect(problems.filter(({ level }: { level: string }) => level === "error")).toHaveLength(3);
  });

  it("--locale, --roots, --drafts and --workspace are taken, and --json tells what became of all", () => {
    const bed = new CliBed();
    const how = ["--locale", "de", "--roots", "author, title", "--drafts", "--workspace", "site"];
    expect(bed.json(0, ...FROM, BLOG, ...how)).toMatchObject({
      ...{
        workspaceId: "site",
        locale: "de",
        counts: { entries: 15 },
        relaxed: [],
      },
      leftOut: { "entries that are archived": 1 },
      notCarriedOver: { enabledNodeTypes: 1, linkMimetypeGroup: 1, unique: 1 },
    });
  });

  it("the workspace goes out as a folder, and comes back the same", () => {
    const bed = new CliBed();
    bed.ok(...FROM, BLOG, "--relax");
    const { versionId } = bed.json(0, "publish");
    bed.ok("export", "folder");
    bed.ok("import", "folder");
    expect(bed.json(0, "publish").versionId).toBe(versionId);
  });

  it("a byte order mark is accepted", () => {
    const bed = new CliBed();
    writeFileSync(bed.path("export.json"), `\ufeff${TEXT}`);
    bed.ok(...FROM, "export.json");
  });

  it("on a terminal, the time that reading takes is no silence", () => {
    expect(new CliBed().runOnTerminal(...FROM, BLOG)).toContain("bytes read");
  });

  it("its help has an example", () => {
    expect(new CliBed().ok("import", "--help").stdout).toContain(
      "svc import --from contentful export.json",
    );
  });
});

describe("svc import --from contentful: what cannot be read changes nothing", {
  timeout: 60_000,
}, () => {
  const wrong: [string, number, string | Uint8Array | undefined, readonly string[], string][] = [
    ["a file that is not there", 1, undefined, FROM, 'there is no file "export.json"'],
    ["an empty file", 1, "", FROM, "export.json"],
    [
      "broken JSON, with its place",
      1,
      '{\n  "contentTypes": oops',
      FROM,
      "export.json:2:19: broken JSON",
    ],
    ["a truncated export, with its place", 1, TEXT.slice(0, 3000), FROM, "export.json:"],
    [
      "bytes that are no UTF-8",
      1,
      Buffer.from(`\ufeff${TEXT}`, "utf16le"),
      FROM,
      "it is not UTF-8",
    ],
    ["a list", 1, "[]", FROM, "not a JSON object"],
    ["foreign JSON", 1, '{"name":"x"}', FROM, 'no list "contentTypes"'],
    ["no content types", 1, broken({ contentTypes: [] }), FROM, "is empty"],
    [
      "an entry without id",
      1,
      broken({ entries: [{}] }),
      FROM,
      "entries[0] must have required property 'sys'",
    ],
    [
      "an entry without locales",
      1,
      broken({
        entries: [
          { sys: { id: "e", contentType: { sys: { id: "page" } } }, fields: { title: "x" } },
        ],
      }),
      FROM,
      "entries[0].fields.title must be object",
    ],
    [
      "a field without type",
      1,
      broken({ contentTypes: [{ ...type("page", {}), fields: [{ id: "x" }] }] }),
      FROM,
      "contentTypes[0].fields[0]",
    ],
    [
      "validations of another form",
      1,
      broken({ contentTypes: [type("page", { x: { type: "Symbol", validations: [null] } })] }),
      FROM,
      "validations",
    ],
    [
      "values that are nested too deep",
      1,
      broken({ x: JSON.parse(`${"[".repeat(300)}${"]".repeat(300)}`) }),
      FROM,
      "200 levels deep",
    ],
    ["an unknown format", 2, TEXT, ["import", "--from", "sanity"], "--from takes: contentful"],
    ["an unknown locale", 2, TEXT, [...FROM, "--locale", "fr"], "it has: en, de"],
    ["an unknown type in --roots", 2, TEXT, [...FROM, "--roots", "post,nope"], '"nope"'],
    ["an empty type in --roots", 2, TEXT, [...FROM, "--roots", ","], "not an empty text"],
    ["an id that is none", 2, TEXT, [...FROM, "--workspace", "a/b"], '"a/b"'],
    ["an option of --from without it", 2, TEXT, ["import", "--relax"], "--relax is for exports"],
    ["an export without --from", 1, TEXT, ["import"], "--from contentful"],
  ];
  it.each(wrong)("%s", (_, status, contents, command, message) => {
    const bed = new CliBed();
    if (contents !== undefined) writeFileSync(bed.path("export.json"), contents);
    const before = readdirSync(bed.folder);
    expect(bed.failure(status, ...command, "export.json").join("\n")).toContain(message);
    expect(readdirSync(bed.folder)).toEqual(before);
  });

  it("a large export that is truncated is told at once, with its place", () => {
    const bed = new CliBed();
    const large = JSON.stringify({ ...JSON.parse(TEXT), x: "1, ".repeat(4_000_000) });
    writeFileSync(bed.path("export.json"), large.slice(0, -9));
    expect(bed.failure(1, ...FROM, "export.json")[0]).toMatch(
      /export\.json:1:\d{8}: broken JSON: Unterminated string/,
    );
  });

  it("a folder is no export, be it one of a workspace", () => {
    const bed = new CliBed();
    mkdirSync(bed.path("shop"));
    cpSync(STARTER, bed.path("shop"), { recursive: true });
    expect(bed.failure(1, ...FROM, "shop").join("\n")).toContain("without --from");
  });

  it("a store that is there stays byte for byte as it was", () => {
    const bed = new CliBed(STARTER);
    writeFileSync(bed.path("export.json"), TEXT.slice(0, 3000));
    const before = readFileSync(bed.path("workspace.db"));
    bed.failure(1, ...FROM, "export.json");
    bed.failure(2, ...FROM, BLOG, "--locale", "fr");
    expect(readFileSync(bed.path("workspace.db")).equals(before)).toBe(true);
  });
});
