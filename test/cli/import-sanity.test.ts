import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { archiveOf } from "../support/archive.ts";
import { CliBed } from "../support/cli-bed.ts";
import { image, SVG } from "../support/sanity/dataset.ts";

const BLOG = join(import.meta.dirname, "../../fixtures/sanity/blog.ndjson");
const FROM = ["import", "--from", "sanity"];

const PAGE = { _id: "a", _type: "page", photo: image("a.svg") };
const ARCHIVE = archiveOf([
  { name: "production-export/data.ndjson", text: `${JSON.stringify(PAGE)}\n` },
  { name: "production-export/images/a.svg", text: SVG },
]);

describe("svc import --from sanity", () => {
  it("a dataset becomes a workspace that can be checked, published and verified", () => {
    const bed = new CliBed();
    const { stdout, stderr } = bed.ok(...FROM, BLOG, "--report", "report.md");
    expect(stdout).toBe(
      'imported "blog": 3 models, 3 blocks, 0 features, 1 project, 4 entries, 1 asset\n',
    );
    expect(stderr.split("\n")).toEqual([
      "drafts: 1 entry has draft: true, and publishing leaves it out (--drafts imports as published)",
      "experiences: the entries of page, post (--roots names others)",
      "next: svc check, then svc publish",
      "",
    ]);
    // X9.
    const lines = readFileSync(bed.path("report.md"), "utf8").split("\n");
    expect(lines).toContain("| hero | block hero |  |");
    expect(lines).toContain("| drafts.rye | draft entry rye, experience rye |  |");
    for (const command of ["check", "publish", "verify"]) bed.ok(command);
  });

  it("X16: an archive is imported with its files, and nothing of it is left", () => {
    const bed = new CliBed();
    mkdirSync(bed.path("tmp"));
    bed.env = { TMPDIR: bed.path("tmp") };
    writeFileSync(bed.path("production.tar.gz"), ARCHIVE);
    const imported = bed.json(0, ...FROM, "production.tar.gz");
    expect(imported).toMatchObject({ workspaceId: "production-export", counts: { assets: 1 } });
    writeFileSync(bed.path("broken.tgz"), ARCHIVE.subarray(0, 100));
    expect(bed.failure(1, ...FROM, "broken.tgz").join()).toContain("cannot be unpacked");
    expect(readdirSync(bed.path("tmp"))).toEqual([]);
  });

  it("options of other systems are refused", () => {
    const bed = new CliBed();
    cpSync(BLOG, bed.path("blog.ndjson"));
    const assets = bed.failure(2, ...FROM, "blog.ndjson", "--assets", ".");
    expect(assets.join()).toContain("--assets does not apply to exports of sanity");
    const locale = bed.failure(2, ...FROM, "blog.ndjson", "--locale", "de");
    expect(locale.join()).toContain('the export has no locale "de"');
    expect(bed.failure(2, "import", "blog.ndjson", "--schema", "x").join()).toContain("--schema");
  });
});
