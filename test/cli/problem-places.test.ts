import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { CliBed } from "../support/cli-bed.ts";
import { page, smallWorkspace } from "../support/workspaces/small-workspace.ts";
import { type Files, workspaceFolder } from "../support/workspaces/workspace-folder.ts";

const gone = (id: string) => page(id, "A", { next: { contentEntryId: "gone" } });

/** A bed with a workspace folder `my content`. */
function bedWith(files: Files): CliBed {
  const bed = new CliBed();
  const { models = [], projects = [] } = smallWorkspace();
  const all = { "models.json": models, "projects.json": projects, ...files };
  workspaceFolder(all, bed.path("my content"));
  return bed;
}

const entries = (...list: readonly object[]) =>
  `[\n${list.map((entry) => JSON.stringify(entry)).join(",\n")}\n]`;

describe("P13a: problems of a workspace folder have their places in its files", () => {
  const MISSING = { id: "home", modelId: "m-page", data: {} };

  it("P13a: in the text, in --json and in annotations, relative to the working directory", () => {
    const bed = bedWith({ "entries.json": entries(gone("a"), gone("home")) });
    const { stdout } = bed.ok("check", "my content");
    expect(stdout.split("\n")[1]).toMatch(
      /^ {2}my content\/entries\.json:2:\d+ {2}entry a \/next +there is no entry "gone"/,
    );
    const [problem] = bed.json(0, "check", bed.path("my content")).problems;
    expect(problem).toMatchObject({ file: "my content/entries.json", line: 2 });
    expect(problem.column).toBeGreaterThan(1);
    expect(bed.ok("check", "my content", "--format", "github").stdout).toContain(
      `::warning file=my content/entries.json,line=2,col=${problem.column},title=reference-deleted::`,
    );
    expect(bed.ok("publish", "my content").stderr).toContain("my content/entries.json:2:");
    const published = bed.json(0, "publish", "my content").problems;
    expect(published).toEqual(bed.json(0, "check", "my content").problems);
    expect(published).toHaveLength(2);
    bed.ok("import", "my content");
    expect(bed.json(0, "check").problems[0]).not.toHaveProperty("file");
  });

  it("P13a: in the problems of a diff, of the folder that has them, and their counts", () => {
    const bed = bedWith({ "entries.json": entries(gone("a"), gone("home")) });
    const files = {
      "models.json": smallWorkspace().models,
      "projects.json": smallWorkspace().projects,
    };
    workspaceFolder({ ...files, "entries.json": entries(gone("home")) } as Files, bed.path("old"));
    const { problems, counts } = bed.json(0, "diff", "old", "my content");
    const places = problems.map(({ file, line }: { file: string; line: number }) => [file, line]);
    expect(places.toSorted()).toEqual([
      ["my content/entries.json", 2],
      ["my content/entries.json", 3],
    ]);
    expect(counts).toEqual({ errors: 0, warnings: 2, byCode: { "reference-deleted": 2 } });
    const forth = bed.json(0, "diff", "my content", "old").problems;
    expect(forth.map(({ file }: { file: string }) => file)).toEqual([
      "my content/entries.json",
      "old/entries.json",
    ]);
  });

  it("P13a: in annotations relative to the root of the repository, if GitHub names it", () => {
    const bed = bedWith({ "entries.json": entries(gone("a"), gone("home")) });
    const { folder } = bed;
    const checked = (root: string) => {
      bed.env = { GITHUB_WORKSPACE: root };
      expect(bed.ok("check", "my content").stdout).toContain("\n  my content/entries.json:2:");
      return bed.ok("check", "my content", "--format", "github").stdout;
    };
    const root = dirname(folder);
    expect(checked(root)).toContain(`::warning file=${basename(folder)}/my content/entries.json,`);
    const file = bed.path("my content/entries.json");
    expect(checked(join(folder, "other"))).toContain(`::warning file=${file},`);
    expect(checked("")).toContain("::warning file=my content/entries.json,");
  });

  it("P5, P13: the command that lists the rest names the folder", () => {
    const list = Array.from({ length: 11 }, (_, at) => gone(`e${at}`));
    const bed = bedWith({ "entries.json": entries(page("home", "Home"), ...list) });
    const rest = "  … 1 more: svc check 'my content' --code reference-deleted";
    expect(bed.ok("check", "my content").stdout).toContain(rest);
    expect(bed.ok("publish", "my content").stderr).toContain(rest);
    const refused = bed.failure(1, "publish", "my content", "--strict");
    expect(refused.at(-3)).toBe(rest);
  });

  it("P13: a refused publish and the faults of the folder too", () => {
    const bed = bedWith({ "entries.json": entries(gone("a"), MISSING) });
    const [, place, warnings] = bed.failure(1, "publish", "my content");
    expect(place).toMatch(/^ {2}my content\/entries\.json:3:\d+ {2}entry home \/title {2}/);
    expect(warnings).toBe("and 1 other warning: svc check 'my content' lists them");
    const { error } = bed.json(1, "publish", "my content");
    expect(error).toMatchObject({ code: "draft-has-problems", hint: expect.any(String) });
    expect(error.problems).toEqual(bed.json(1, "check", "my content").problems);
    expect(error.problems[0]).toMatchObject({ file: "my content/entries.json", line: 3 });
    const github = ["--format", "github"];
    expect(bed.run("publish", "my content", ...github).stdout).toMatch(
      /^::error file=my content\/entries\.json,line=3,col=\d+,title=value-missing::[^\n]*\n$/,
    );
    workspaceFolder({ "entries.json": "[\n{]" }, bed.path("my content"));
    for (const command of ["check", "publish"]) {
      const { status, stdout, stderr } = bed.run(command, "my content", ...github);
      expect(status).toBe(1);
      expect(stdout).toMatch(
        /^::error file=my content\/entries\.json,line=2,col=2,title=json-invalid::broken JSON/,
      );
      expect(stderr).toMatch(/^error: the workspace folder "my content" has 1 fault/);
    }
    const table = bed.run("check", "my content", "--format", "markdown").stdout;
    expect(table).toContain("| `my content/entries.json:2:2` | broken JSON");
  });
});
