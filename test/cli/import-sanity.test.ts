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

  it("X10a: an export of another day is of the same workspace of a folder; another one is refused", () => {
    const bed = new CliBed();
    for (const name of ["site-2026-11-01", "site-2026-11-08", "shop-2026-11-08"]) {
      cpSync(BLOG, bed.path(`${name}.ndjson`));
    }
    const into = (name: string) => [...FROM, `${name}.ndjson`, "--write", "site"];
    bed.ok(...into("site-2026-11-01"));
    expect(bed.json(0, ...into("site-2026-11-08"))).toMatchObject({
      workspaceId: "site-2026-11-01",
      files: { written: 0, removed: 0 },
    });
    for (const more of [[], ["--dry-run"]]) {
      expect(bed.failure(4, ...into("shop-2026-11-08"), ...more).join()).toContain(
        "--workspace site-2026-11-01 imports it into that workspace",
      );
    }
    const named = [...into("shop-2026-11-08"), "--workspace", "site-2026-11-01"];
    expect(bed.json(0, ...named).files).toMatchObject({ written: 0, removed: 0 });
  });

  it("X10a: in a store it is another workspace, and a note names the one of before", () => {
    const bed = new CliBed();
    for (const name of ["site-1", "site-2", "shop-2"]) cpSync(BLOG, bed.path(`${name}.ndjson`));
    const note = 'the store has "site-1" too: --workspace site-1 imports into that workspace';
    expect(bed.ok(...FROM, "site-1.ndjson").stderr).not.toContain("too:");
    const { stdout, stderr } = bed.ok(...FROM, "site-2.ndjson");
    expect(stdout).toContain('imported "site-2"');
    expect(stderr.split("\n")).toContain(note);
    for (const more of [["site-1.ndjson"], ["shop-2.ndjson"]]) {
      expect(bed.ok(...FROM, ...more).stderr).not.toContain("too:");
    }
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
