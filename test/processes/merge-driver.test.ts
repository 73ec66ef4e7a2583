import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { CliBed, STARTER } from "../support/cli-bed.ts";
import { faultsOf } from "../support/workspaces/workspace-folder.ts";

const HOME = "content/entries/home-page.json";
const PAGE = "content/models/page.json";

/** A Git repository with the starter in content/, in which the driver is installed. */
class GitBed extends CliBed {
  constructor(folder = "content") {
    super();
    cpSync(STARTER, this.path(folder), { recursive: true });
    this.git("init", "--quiet", "--initial-branch=main");
    this.git("config", "user.name", "Author");
    this.git("config", "user.email", "author@example.com");
    this.install(folder);
    this.write(".gitignore", "*.db*\n");
    this.commit();
  }

  /** In a process of its own: Git runs the program that did it. */
  install(folder: string): void {
    const { status, stderr } = this.runAlone("merge-driver", "install", folder);
    expect(status, stderr).toBe(0);
  }

  /** Runs git, and returns its exit status and output. */
  runGit(...args: readonly string[]) {
    const { PATH = "" } = process.env;
    const env = { PATH, HOME: this.folder, GIT_CONFIG_NOSYSTEM: "1", GIT_EDITOR: "true" };
    const ran = spawnSync("git", args, { cwd: this.folder, env, encoding: "utf8" });
    return { status: ran.status, output: ran.stdout + ran.stderr };
  }

  git(...args: readonly string[]): string {
    const { status, output } = this.runGit(...args);
    expect(status, `git ${args.join(" ")}: ${output}`).toBe(0);
    return output;
  }

  commit(): void {
    this.git("add", "--all");
    this.git("commit", "--quiet", "--message=change");
  }

  read(path: string): string {
    return readFileSync(this.path(path), "utf8");
  }

  edit(path: string, from: string, to: string): void {
    expect(this.read(path)).toContain(from);
    writeFileSync(this.path(path), this.read(path).replace(from, to));
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(this.path(path)), { recursive: true });
    writeFileSync(this.path(path), text);
  }

  /** Commits what `ours` does on main and `theirs` on the branch `topic`; main is checked out. */
  branches(ours: () => void, theirs: () => void): void {
    this.git("checkout", "--quiet", "-b", "topic");
    theirs();
    this.commit();
    this.git("checkout", "--quiet", "main");
    ours();
    this.commit();
  }
}

const lines = (...texts: readonly string[]) => texts.join("\n");

describe("G6: Git merges a workspace folder by field", () => {
  /** Changes on neighbouring lines of an entry and a model, and blocks at one place. */
  function editBoth(bed: GitBed): void {
    bed.branches(
      () => {
        bed.edit(HOME, "Welcome to your workspace", "Ours");
        bed.edit(
          HOME,
          '"body": [',
          '"body": [\n      { "contentBlockId": "paragraph", "data": { "text": "new" } },',
        );
        bed.edit(PAGE, '"maxLength": 80', '"maxLength": 90');
      },
      () => {
        bed.edit(HOME, "This text is in", "Theirs is in");
        bed.edit(HOME, '"tone": "info",', '"tone": "warning",');
        bed.edit(PAGE, '"required": true,', "");
        bed.edit(PAGE, '"fields": [', '"fields": [{ "key": "kicker", "type": "text" },');
      },
    );
  }

  function expectBoth(bed: GitBed): void {
    expect(bed.git("status", "--porcelain")).toBe("");
    const { data } = JSON.parse(bed.read(HOME));
    expect(data.headline).toBe("Ours");
    expect(data.intro).toMatch(/^Theirs/);
    expect(data.body.map((one: { data: object }) => one.data)).toEqual([
      { text: "new" },
      expect.objectContaining({ text: expect.stringContaining("An entry follows") }),
      expect.objectContaining({ tone: "warning" }),
    ]);
    const { fields } = JSON.parse(bed.read(PAGE));
    expect(fields[0]).toEqual({ key: "kicker", type: "text" });
    expect(fields[1]).toMatchObject({ key: "headline", maxLength: 90 });
    expect(fields[1]).not.toHaveProperty("required");
    expect(faultsOf(bed.path("content"))).toEqual([]);
  }

  it("G6: a merge has the changes of both sides, in the layout of ours", () => {
    const bed = new GitBed();
    editBoth(bed);
    bed.git("merge", "--quiet", "topic");
    expectBoth(bed);
    expect(bed.read(HOME)).toContain(
      '      { "contentBlockId": "paragraph", "data": { "text": "new" } },\n',
    );
    const shown = bed.git("diff", "--numstat", "HEAD~1", "--", HOME);
    expect(shown).toMatch(/^2\t2\t/);
  });

  it("G6: so have a rebase and a cherry-pick", () => {
    const bed = new GitBed();
    editBoth(bed);
    bed.git("checkout", "--quiet", "topic");
    bed.git("rebase", "--quiet", "main");
    expectBoth(bed);
    bed.git("reset", "--quiet", "--hard", "HEAD~1");
    bed.git("cherry-pick", "ORIG_HEAD");
    expectBoth(bed);
  });

  it("G6: a conflict is where both changed one value, and nowhere else", () => {
    const bed = new GitBed();
    bed.branches(
      () => bed.edit(HOME, "Welcome to your workspace", "Ours"),
      () => {
        bed.edit(HOME, "Welcome to your workspace", "Theirs");
        bed.edit(HOME, "This text is in", "Their text is in");
      },
    );
    const { status, output } = bed.runGit("merge", "topic");
    expect(status).toBe(1);
    expect(output).toContain(`${HOME}: both sides changed /data/headline`);
    expect(bed.git("status", "--porcelain")).toContain(`UU ${HOME}`);
    const conflict = lines(
      "<<<<<<< ours",
      '    "headline": "Ours",',
      "=======",
      '    "headline": "Theirs",',
      ">>>>>>> theirs",
      "",
    );
    const text = bed.read(HOME);
    expect(text).toContain(`"data": {\n${conflict}    "intro": "Their text is in`);
    expect(text.match(/<<<<<<</g)).toHaveLength(1);
    bed.write(HOME, text.replace(conflict, '    "headline": "Both",\n'));
    bed.commit();
    expect(JSON.parse(bed.read(HOME)).data.headline).toBe("Both");
  });

  it("G6: what is not JSON is merged by lines, with Git's own markers", () => {
    const bed = new GitBed();
    bed.write("content/entries/broken.json", "{\n1\n2\n3\n4\n5\n");
    bed.commit();
    bed.branches(
      () => bed.edit("content/entries/broken.json", "1", "ours"),
      () => bed.edit("content/entries/broken.json", "5", "theirs"),
    );
    bed.git("merge", "--quiet", "topic");
    expect(bed.read("content/entries/broken.json")).toBe("{\nours\n2\n3\n4\ntheirs\n");
    bed.git("checkout", "--quiet", "topic");
    bed.edit("content/entries/broken.json", "1", "other");
    bed.commit();
    const { status, output } = bed.runGit("merge", "main");
    expect(status).toBe(1);
    expect(output).toContain("content/entries/broken.json: 1 conflict, by lines");
    expect(bed.read("content/entries/broken.json")).toBe(
      "{\n<<<<<<< ours\nother\n=======\nours\n>>>>>>> theirs\n2\n3\n4\ntheirs\n",
    );
  });

  it("G6: two exports into one repository are merged, and the next export follows", () => {
    const bed = new GitBed("other");
    bed.ok("import", "other");
    bed.ok("export", "content");
    bed.install("content");
    bed.commit();
    const exported = (change: () => void) => () => {
      change();
      bed.ok("import", "other");
      bed.ok("export", "content");
      bed.git("checkout", "--quiet", "--", "other");
    };
    bed.branches(
      exported(() => bed.edit("other/entries/home-page.json", "Welcome", "Hello")),
      exported(() => bed.edit("other/entries/about-page.json", '"About', '"More about')),
    );
    bed.git("merge", "--quiet", "topic");
    bed.ok("import", "content");
    expect(bed.json(0, "export", "content").files).toMatchObject({ written: 0, removed: 0 });
  });
});

describe("svc merge-driver install", () => {
  it("G6: adds its lines once, behind others, and works from any folder of the repository", () => {
    const bed = new GitBed();
    const once = bed.read("content/.gitattributes");
    expect(once).toContain("/entries/** merge=svc\n");
    const again = bed.runAlone("merge-driver", "install", "content", "--json");
    expect(JSON.parse(again.stdout)).toMatchObject({ added: 0 });
    expect(bed.read("content/.gitattributes")).toBe(once);
    bed.write("content/.gitattributes", "*.png binary");
    bed.install("content");
    expect(bed.read("content/.gitattributes")).toBe(`*.png binary\n${once}`);
  });

  it("G6, W3: workspace.jsonc makes a workspace folder, and *.jsonc files have the driver too", () => {
    const bed = new GitBed();
    const [json, jsonc] = ["content/workspace.json", "content/workspace.jsonc"];
    renameSync(bed.path(json), bed.path(jsonc));
    bed.install("content");
    expect(bed.git("check-attr", "merge", jsonc)).toContain("merge: svc");
    bed.write("content/features.jsonc", "[]");
    expect(bed.git("check-attr", "merge", "content/features.jsonc")).toContain("merge: svc");
  });

  it("G6: refuses a folder that is no workspace, or in no repository, with nothing changed", () => {
    const bed = new CliBed();
    cpSync(STARTER, bed.path("content"), { recursive: true });
    rmSync(bed.path("content", "workspace.json"));
    expect(bed.failure(2, "merge-driver", "install", "content")[0]).toContain('"content"');
    cpSync(STARTER, bed.path("content"), { recursive: true });
    bed.env = { GIT_CEILING_DIRECTORIES: dirname(bed.folder) };
    expect(bed.failure(4, "merge-driver", "install", "content")[0]).toContain("git config failed");
    expect(() => readFileSync(bed.path("content/.gitattributes"))).toThrow("ENOENT");
  });
});
