import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CliBed, STARTER, STOREFRONT } from "../support/cli-bed.ts";
import { bytesBelow, pathsBelow, statesBelow } from "../support/file-tree.ts";

const COUNTS = { models: 2, blocks: 2, features: 2, projects: 1, entries: 3, assets: 2 };
const NONE = { errors: 0, warnings: 0, byCode: {} };
const ID = /^[0-9a-f]{32}$/;

describe("cli.md: the main path, as text", () => {
  it("results go to stdout, notes to stderr, and --quiet drops the notes", () => {
    const bed = new CliBed();
    expect(bed.ok("init", "shop")).toEqual({
      status: 0,
      stdout: "created the workspace folder shop (14 files)\n",
      stderr: "next: svc dev shop, or svc publish shop\n",
    });
    const {
      ".gitignore": ignored,
      "workspace.json": settings,
      ...rest
    } = bytesBelow(bed.path("shop"));
    const { "workspace.json": _, ...starter } = bytesBelow(STARTER);
    expect(rest).toEqual(starter);
    expect(JSON.parse(String(settings))).toMatchObject({ id: "shop", name: "shop" });
    expect(String(ignored).split("\n")).toEqual(expect.arrayContaining(["*.db", "/out/"]));
    expect(bed.ok("import", "shop")).toEqual({
      status: 0,
      stdout: 'imported "shop": 2 models, 2 blocks, 2 features, 1 project, 3 entries, 2 assets\n',
      stderr: "next: svc check, then svc publish\n",
    });
    expect(bed.ok("check")).toEqual({ status: 0, stdout: "no problems\n", stderr: "" });
    const published = bed.ok("publish");
    expect(published.stdout).toMatch(/^published "shop" as version [0-9a-f]{32}\nout: 6 files/);
    expect(published.stderr).toBe("");
    expect(bed.ok("write").stdout).toMatch(/^wrote version [0-9a-f]{32} of "shop"\nout: 0 files/);
    expect(bed.ok("verify").stdout).toBe("out: 5 files, all as published\n");
    expect(bed.ok("publish", "--quiet").stdout).toMatch(/^"shop" is still version /);
    expect(bed.ok("export", "one").stderr).toContain("preview tokens are not exported");
    const exported = bed.ok("export", "two", "--quiet");
    expect(exported.stdout).toMatch(/^exported "shop" to two: 2 models/);
    expect(exported.stderr).toBe("");
  });

  it("X25: init names the workspace after the folder, as far as an id can be", () => {
    const bed = new CliBed();
    bed.ok("init", "a/My blog");
    const settings = JSON.parse(readFileSync(bed.path("a/My blog/workspace.json"), "utf8"));
    expect(settings).toMatchObject({ id: "My-blog", name: "My blog" });
  });

  it("init leaves what a new Git repository has, and changes nothing above the folder", () => {
    const bed = new CliBed();
    execFileSync("git", ["init", "--quiet", bed.folder]);
    writeFileSync(bed.path("README.md"), "mine");
    writeFileSync(bed.path(".gitignore"), "*.log");
    expect(bed.json(0, "init", ".")).toEqual({ folder: ".", files: 14 });
    expect(readFileSync(bed.path("README.md"), "utf8")).toBe("mine");
    const ignored = readFileSync(bed.path(".gitignore"), "utf8");
    expect(ignored).toMatch(/^\*\.log\n# The store[\s\S]*\n\/out\/\n$/);
    bed.ok("publish", ".");
    bed.ok("check", ".");
    expect(bed.ok("init", "content").stderr).toContain("have Git ignore them here too");
    expect(readFileSync(bed.path(".gitignore"), "utf8")).toBe(ignored);
    expect(readFileSync(bed.path("content/.gitignore"), "utf8")).toContain("/out/");
    expect(bed.failure(4, "init", ".")[0]).toContain("not empty");
  });
});

describe("cli.md: --json prints one object on stdout, and nothing else", () => {
  it("with exactly the members that scripts rely on", () => {
    const bed = new CliBed();
    expect(bed.json(0, "init", "shop")).toEqual({ folder: "shop", files: 14 });
    expect(bed.json(0, "import", "shop")).toEqual({ workspaceId: "shop", counts: COUNTS });
    expect(bed.json(0, "check")).toEqual({ problems: [], counts: NONE });
    const published = {
      workspaceId: "shop",
      versionId: expect.stringMatching(ID),
      published: true,
      files: { written: 6, unchanged: 0, removed: 0 },
      bytes: expect.any(Number),
      pruned: [],
      leftOut: { draft: 0, publishAt: 0, unpublishAt: 0, inLocales: 0 },
      clock: expect.any(String),
      problems: [],
      counts: NONE,
    };
    expect(bed.json(0, "publish")).toEqual(published);
    const unchanged = { written: 0, unchanged: 6, removed: 0 };
    expect(bed.json(0, "publish")).toEqual({ ...published, published: false, files: unchanged });
    expect(bed.json(0, "verify")).toEqual({ ok: true, files: 5, differs: [], counts: NONE });
    expect(bed.json(0, "write")).toEqual({
      workspaceId: "shop",
      versionId: expect.stringMatching(ID),
      files: unchanged,
    });
    expect(bed.json(0, "export", "copy")).toMatchObject({ workspaceId: "shop", counts: COUNTS });
    rmSync(bed.path("out", "404.json"));
    expect(bed.json(1, "verify")).toEqual({
      ok: false,
      files: 5,
      differs: [
        { code: "file-missing", path: "404.json", reason: "missing", detail: "is not there" },
      ],
      counts: { errors: 1, warnings: 0, byCode: { "file-missing": 1 } },
    });
  });

  it("check prints the problems of P1, and exits with 1 only for errors, or with --strict", () => {
    const bed = new CliBed(STOREFRONT);
    const { problems, counts } = bed.json(0, "check");
    expect(problems).toHaveLength(15);
    expect(counts).toMatchObject({ errors: 0, warnings: 15 });
    expect(problems).toContainEqual({
      level: "warning",
      code: "block-deleted",
      at: { kind: "entry", id: "page-gifts", path: "/banner" },
      message: expect.any(String),
    });
    expect(bed.json(1, "check", "--strict")).toEqual({ problems, counts });
    expect(bed.json(0, "publish", "--dry-run")).toMatchObject({ problems, counts });
    expect(bed.json(1, "publish", "--strict").error).toEqual({
      code: "draft-has-problems",
      message: expect.stringContaining("15 problems"),
      hint: expect.any(String),
      problems,
      counts,
    });
    expect(existsSync(bed.path("out"))).toBe(false);
  });
});

describe("cli.md: publish --dry-run", () => {
  it("prints what would change, and changes nothing", () => {
    const bed = new CliBed(STARTER);
    const { diff, dryRun, wouldPublish, removals, ...plan } = bed.json(0, "publish", "--dry-run");
    expect({ dryRun, wouldPublish, published: plan.published }).toEqual({
      dryRun: true,
      wouldPublish: true,
      published: false,
    });
    expect(removals).toEqual({ count: 0, of: 0, limit: 3 });
    expect(diff.summary.documents).toEqual({ added: 3, removed: 0, changed: 0, unchanged: 0 });
    expect(pathsBelow(bed.folder)).toEqual(["workspace.db"]);
    expect(bed.failure(4, "write")[0]).toContain("never published");
    expect(bed.json(0, "publish")).toEqual({ ...plan, clock: expect.any(String), published: true });
    const states = statesBelow(bed.path("out"));
    expect(bed.ok("publish", "--dry-run").stdout).toMatch(/^"starter" would still be version /);
    expect(bed.json(0, "publish", "--dry-run")).toMatchObject({
      dryRun: true,
      wouldPublish: false,
      published: false,
      files: { written: 0, unchanged: 6, removed: 0 },
    });
    expect(bed.ok("publish", "--dry-run", "--out", "new").stdout).toMatch(
      /new: 6 files to write, 0 unchanged, 0 to remove/,
    );
    expect(statesBelow(bed.path("out"))).toEqual(states);
    expect(existsSync(bed.path("new"))).toBe(false);
  });
});
