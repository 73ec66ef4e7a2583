import { describe, expect, it } from "vitest";
import { wrapped } from "../../src/cli/output/formats.ts";
import { CliBed } from "../support/cli-bed.ts";
import { page, smallWorkspace } from "../support/workspaces/small-workspace.ts";
import { workspaceFolder } from "../support/workspaces/workspace-folder.ts";

const GONE = { contentEntryId: "gone" };
const numbered = (count: number, name: string) =>
  Array.from({ length: count }, (_, at) => `${name}${String(at).padStart(5, "0")}`);

/** A store with an entry for each warning (a deleted reference) and each error (no title). */
function bedWith(
  counts: { warnings?: number; errors?: number },
  more: Parameters<typeof smallWorkspace>[0] = {},
): CliBed {
  const { models = [], projects = [] } = smallWorkspace();
  const entries = [
    page("home", "Home"),
    ...numbered(counts.warnings ?? 0, "w").map((id) => page(id, "Title", { next: GONE })),
    ...numbered(counts.errors ?? 0, "e").map((id) => ({ id, modelId: "m-page", data: {} })),
    ...(more.entries ?? []),
  ];
  const folder = workspaceFolder({
    "models.json": models,
    "projects.json": projects,
    "entries.ndjson": entries.map((entry) => JSON.stringify(entry)).join("\n"),
  });
  const bed = new CliBed();
  bed.ok("import", folder);
  return bed;
}

const lines = (text: string) => text.trimEnd().split("\n");

describe("P5: lists of problems", () => {
  it("P5: errors come first, then warnings, by code with a count and the first places", () => {
    const bed = bedWith({ warnings: 12, errors: 60 });
    const { status, stdout } = bed.run("check");
    expect(status).toBe(1);
    const printed = lines(stdout);
    const places = printed.map((line) => line.replace(/^( {2}entry \S+) .*/, "$1"));
    expect(places).toEqual([
      "error   value-missing (60)",
      ...numbered(50, "e").map((id) => `  entry ${id}`),
      "  … 10 more: svc check --code value-missing",
      "warning reference-deleted (12)",
      ...numbered(10, "w").map((id) => `  entry ${id}`),
      "  … 2 more: svc check --code reference-deleted",
      "60 errors, 12 warnings",
    ]);
    expect(printed[1]).toMatch(
      /^ {2}entry e00000 \/title {2}the required field "title" has no value$/,
    );
  });

  it("P5: --all, --code and --entry list every place, and --json has all with counts", () => {
    const bed = bedWith({ warnings: 12, errors: 60 });
    const all = bed.run("check", "--all").stdout;
    expect(lines(all)).toHaveLength(60 + 12 + 3);
    const { problems, counts } = bed.json(1, "check");
    expect(problems).toHaveLength(72);
    const byCode = { "value-missing": 60, "reference-deleted": 12 };
    expect(counts).toEqual({ errors: 60, warnings: 12, byCode });

    const warnings = bed.ok("check", "--code", "reference-deleted").stdout;
    expect(lines(warnings)).toHaveLength(14);
    expect(lines(warnings).at(-1)).toBe("0 errors, 12 warnings (and 60 other problems)");
    expect(bed.run("check", "--strict", "--code", "reference-deleted").status).toBe(1);
    const both = ["--code", "reference-deleted", "--code", "value-missing"];
    expect(bed.run("check", ...both).stdout).toBe(all);
    const one = bed.json(0, "check", "--entry", "w00011");
    expect(one.problems.map(({ at }: { at: { id: string } }) => at.id)).toEqual(["w00011"]);
    expect(one.counts).toEqual({ errors: 0, warnings: 1, byCode: { "reference-deleted": 1 } });
    expect(bed.ok("check", "--entry", "home").stdout).toBe("no problems (and 72 other problems)\n");
  });

  it("P5: unknown codes and entries are refused", () => {
    const bed = bedWith({});
    expect(bed.failure(2, "check", "--code", "reference-delted")[0]).toMatch(
      /there is no such code; did you mean reference-deleted\?$/,
    );
    expect(bed.failure(2, "check", "--code", "x")[0]).toMatch(/must be one of value-missing, /);
    expect(bed.failure(2, "check", "--entry", "hom")[0]).toBe(
      'error: the draft has no entry "hom"',
    );
  });

  it("P5: the rest is listed by a command for the same store and workspace", () => {
    const bed = bedWith({ warnings: 11 });
    expect(lines(bed.ok("publish").stderr)).toEqual(lines(bed.ok("check").stdout).slice(0, -1));
    bed.env = { SVC_STORE: bed.path("workspace.db") };
    const given = `--store ${bed.path("workspace.db")} --workspace w`;
    const rest = `  … 1 more: svc check ${given} --code reference-deleted`;
    expect(lines(bed.ok("check", "--workspace", "w").stdout)).toContain(rest);
    expect(lines(bed.ok("publish", "--workspace", "w").stderr)).toContain(rest);
  });

  it("P5a: a refused publish lists the errors, the warnings of the same records, and one line about others", () => {
    const bed = bedWith({ warnings: 12, errors: 2 });
    const listed = (...args: string[]) => bed.failure(1, "publish", ...args).slice(0, -2);
    const refused = [
      "error   value-missing (2)",
      '  entry e00000 /title  the required field "title" has no value',
      '  entry e00001 /title  the required field "title" has no value',
      "and 12 other warnings: svc check lists them",
    ];
    expect(listed()).toEqual(refused);
    expect(listed("--strict")).toEqual(refused);
    expect(bed.json(1, "publish").error.problems).toHaveLength(14);
    const misspelt = { id: "e", modelId: "m-page", data: { titel: "A" } };
    const both = bedWith({ warnings: 12 }, { entries: [misspelt] });
    expect(both.failure(1, "publish").slice(0, -2)).toEqual([
      "error   value-missing (1)",
      '  entry e /title  the required field "title" has no value',
      "warning field-unknown (1)",
      '  entry e /titel  there is no field "titel" (did you mean "title"?), so its value is not served',
      "and 12 other warnings: svc check lists them",
    ]);
    const warned = bedWith({ warnings: 12 });
    const [group, first, ...rest] = warned.failure(1, "publish", "--strict").slice(0, -2);
    expect(group).toBe("warning reference-deleted (12)");
    expect(first).toContain("w00000");
    expect(rest.at(-1)).toBe("  … 2 more: svc check --code reference-deleted");
  });

  it("P5: an import lists the first 100 faults of a folder, and --json all of them", () => {
    const bed = new CliBed();
    const faulty = numbered(120, "e").map((id) => ({ id, data: {} }));
    const folder = workspaceFolder({ "entries.json": faulty });
    const printed = bed.failure(1, "import", folder);
    expect(printed).toHaveLength(103);
    expect(printed.at(-3)).toBe("… and 20 more (--json lists all)");
    expect(bed.json(1, "import", folder).error.problems).toHaveLength(120);
  });

  it("P5: on a narrow terminal messages are wrapped below their places", () => {
    const id = "a-very-long-id-of-an-entry-which-is-not-there-any-more-and-has-no-other-name";
    const bed = bedWith({}, { entries: [page("a", "A", { next: { contentEntryId: id } })] });
    bed.env = { NO_COLOR: "1" };
    const printed = lines(bed.runOnTerminal("check").replaceAll("\r", ""));
    expect(printed.slice(0, 2)).toEqual(["warning reference-deleted (1)", "  entry a /next"]);
    expect(printed.slice(2, -1).every((line) => line.startsWith("    "))).toBe(true);
    expect(printed.slice(2, -1).join(" ").replace(/\s+/g, " ")).toContain(`no entry "${id}" (del`);
  });

  it("wrapped() breaks a text at spaces, and never within a word", () => {
    expect(wrapped("one two three four", 2, 12)).toEqual(["  one two three four"]);
    expect(wrapped("one two three four five six", 2, 22)).toEqual([
      "  one two three four",
      "  five six",
    ]);
    expect(wrapped("x".repeat(50), 4, 30)).toEqual([`    ${"x".repeat(50)}`]);
    expect(wrapped("", 4, 80)).toEqual(["    "]);
  });
});
