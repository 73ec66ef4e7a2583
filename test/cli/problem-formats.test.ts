import { Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { faultLines, formattedProblems, markdownText } from "../../src/cli/output/formats.ts";
import { printLines } from "../../src/cli/output/print.ts";
import { type Problem, problem } from "../../src/workspace/problem.ts";
import { CliBed, STOREFRONT } from "../support/cli-bed.ts";
import { page, smallWorkspace } from "../support/workspaces/small-workspace.ts";
import { workspaceFolder } from "../support/workspaces/workspace-folder.ts";

const ODD = "50%, a|b <b>`x`</b> @team #1\r\n::error::";
const PROBLEMS: readonly Problem[] = [
  problem({ kind: "entry", id: "home", path: "/title" }, "value-missing", { field: ODD }),
  problem({ kind: "model", id: "m", path: "" }, "pattern-unbounded", {
    field: "a",
    pattern: "(a+)+",
    reason: "exponential",
  }),
];
const OPTIONS = {
  checkCommand: "svc check",
  findPlaces:
    () =>
    ({ at }: Pick<Problem, "at">) =>
      at.kind === "entry" ? { file: "a, b:c/50%.json", line: 3, column: 5 } : undefined,
};
const FAULTS = [
  { code: "json-invalid", file: "entries/a.json", line: 2, column: 1, message: `broken ${ODD}` },
  {
    code: "record-invalid",
    file: "entries/b.json",
    message: "is not such a record",
    record: { kind: "asset", id: "a|b" },
  },
  { code: "file-missing", file: "", message: "the folder is empty" },
];
const FAULTY = { kind: "folder", list: FAULTS, folder: "content" } as const;

/** Lines as they reach a stream. */
function printed(lines: readonly string[]): string[] {
  let text = "";
  const stream = new Writable({
    write(piece, _, done) {
      text += piece;
      done();
    },
  });
  printLines(stream, lines);
  return text.trimEnd().split("\n");
}

describe("P13: --format github", () => {
  it("P13: a problem is one annotation, escaped, with its place", () => {
    const [first, second, ...others] = printed(
      formattedProblems("github", PROBLEMS, OPTIONS, process.stdout),
    );
    expect(first).toBe(
      "::error file=a%2C b%3Ac/50%25.json,line=3,col=5,title=value-missing::entry home /title: " +
        'the required field "50%25, a|b <b>`x`</b> @team #1\\r\\n\\u003a:error\\u003a:" has no value',
    );
    expect(second).toMatch(/^::warning title=pattern-unbounded::model m: the pattern /);
    expect(others).toEqual([]);
    expect(printed(faultLines("github", FAULTY)).map((line) => line.slice(0, 78))).toEqual([
      "::error file=content/entries/a.json,line=2,col=1,title=json-invalid::broken 50",
      '::error file=content/entries/b.json,title=record-invalid::asset "a|b": is not ',
      "::error title=file-missing::the folder is empty",
    ]);
  });

  it("P13: check and publish print annotations on stdout, a refused publish too", () => {
    const bed = new CliBed(STOREFRONT);
    const checked = bed.ok("check", "--format", "github").stdout.trimEnd().split("\n");
    const annotations = checked.filter((line) => line.startsWith("::warning title="));
    expect(annotations).toHaveLength(15);
    expect(checked.at(-1)).toBe("0 errors, 15 warnings");
    const refused = bed.run("publish", "--strict", "--format", "github");
    expect(refused.status).toBe(1);
    expect(refused.stdout.trimEnd().split("\n")).toEqual(annotations);
    expect(refused.stderr).toMatch(/^error: the draft has 15 problems.*\nhint: /);
    const published = bed.ok("publish", "--format", "github");
    expect(published.stdout).toContain(`${annotations.join("\n")}\n\npublished "storefront"`);
    expect(published.stderr).toBe("");
    expect(bed.json(2, "check", "--format", "github").error.message).toContain("'--json'");
    expect(bed.failure(2, "check", "--format", "html")[0]).toContain("text, github, markdown");
  });

  it("P13: beyond the first places of a code, the command that lists the others is printed", () => {
    const entries = Array.from({ length: 12 }, (_, at) =>
      page(`e${at}`, "A", { next: { contentEntryId: "gone" } }),
    );
    const bed = new CliBed(
      workspaceFolder({ "models.json": smallWorkspace().models ?? [], "entries.json": entries }),
    );
    const lines = bed.ok("check", "--format", "github").stdout.trimEnd().split("\n");
    expect(lines).toHaveLength(12);
    expect(lines.at(-2)).toBe("reference-deleted: 2 more: svc check --code reference-deleted");
    const markdown = bed.ok("check", "--format", "markdown").stdout;
    expect(markdown).toContain(
      "| warning | `reference-deleted` |  | … 2 more: `svc check --code reference-deleted` |",
    );
    const all = ["check", "--format", "github", "--all"];
    expect(
      bed
        .ok(...all)
        .stdout.trimEnd()
        .split("\n"),
    ).toHaveLength(13);
  });
});

describe("P13: --format markdown", () => {
  it("P13: problems are a table, in which content is no markup", () => {
    const [counts, empty, head, rule, first, ...others] = formattedProblems(
      "markdown",
      PROBLEMS,
      OPTIONS,
      process.stdout,
    );
    expect([counts, empty, head, rule]).toEqual([
      "**1 error, 1 warning**",
      "",
      "|  | problem | place | message |",
      "| --- | --- | --- | --- |",
    ]);
    expect(first).toBe(
      "| error | `value-missing` | `a, b:c/50%.json:3:5`<br>`entry home /title` | " +
        'the required field "50%, a\\|b &lt;b>\\`x\\`&lt;/b> @<!-- -->team #<!-- -->1' +
        '\\\\r\\\\n::error::" has no value |',
    );
    expect(others).toHaveLength(1);
    expect(formattedProblems("markdown", [], OPTIONS, process.stdout)).toEqual(["**no problems**"]);
    expect(markdownText("a_b*c*[d](e)~f~ &amp;")).toBe("a\\_b\\*c\\*\\[d\\](e)\\~f\\~ &amp;amp;");
    expect(faultLines("markdown", FAULTY)[5]).toBe(
      '| `content/entries/b.json`<br>`asset "a\\|b"` | is not such a record |',
    );
  });

  it("P13: check, publish --dry-run and diff print tables of what is found and what changes", () => {
    const bed = new CliBed(STOREFRONT);
    const checked = bed.ok("check", "--format", "markdown").stdout.trimEnd().split("\n");
    expect(checked).toHaveLength(4 + 15);
    expect(checked[0]).toBe("**0 errors, 15 warnings**");
    const planned = bed.ok("publish", "--dry-run", "--format", "markdown").stdout;
    expect(planned).toContain(checked.join("\n"));
    expect(planned).toContain("\n| document | change |\n");

    const { models = [], projects = [] } = smallWorkspace();
    const shop = new CliBed();
    const change = (fields: object, title: string) =>
      shop.ok(
        "import",
        workspaceFolder({
          "models.json": [{ ...models[0], ...fields }],
          "projects.json": projects,
          "entries.json": [page("home", title)],
        }),
      );
    change({}, "A|B");
    shop.ok("publish");
    change({ fields: (models[0]?.fields ?? []).slice(0, 2) }, "C");
    const { status, stdout } = shop.run("diff", "--breaking", "--format", "markdown");
    expect(status).toBe(1);
    const [head, ...lines] = stdout.trimEnd().split("\n");
    expect(head).toMatch(/^\*\*"w" [0-9a-f]{12} → draft\*\*: .*schema: 1 breaking, 0 safe$/);
    expect(lines).toContain("| schema | place | change |");
    expect(lines).toContainEqual(
      expect.stringMatching(/^\| \*\*breaking\*\* \| `model page, field next` \| .+ \|$/),
    );
    expect(lines).toContain('| C<br>`home` | Page | title: "A\\|B" → "C" | site/home |');
    expect(lines).toContainEqual(
      expect.stringMatching(/^\| `api\/v1\/.*content\.json` \| changed \|$/),
    );
    expect(shop.ok("diff", "draft", "draft", "--format", "markdown").stdout).toBe(
      '**"w" draft → draft**: nothing differs\n',
    );
  });
});
