import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import type { Entry } from "../../src/workspace/records.ts";
import { bytesBelow } from "../support/file-tree.ts";
import { storeRows } from "../support/store/store-rows.ts";
import { page, projectOf, smallWorkspace } from "../support/workspaces/small-workspace.ts";
import { draftBed } from "./published-bed.ts";

const LONG = `${"long ".repeat(40)}end`;
const ONE = smallWorkspace();
const TWO = smallWorkspace({ entries: [page("home", "Welcome")] });
const [MODEL] = ONE.models ?? [];
/** Without the field `next`, and with a long title. */
const THREE = smallWorkspace({
  models: [{ id: "m-page", key: "page", name: "Page", fields: MODEL?.fields.slice(0, 2) ?? [] }],
  entries: [page("home", LONG)],
});
/** A version id as printed in text. */
const short = (versionId = "") => versionId.slice(0, 12);
const ESC = "\u001b";

describe("svc diff", () => {
  it("compares the published version with the draft: a summary line first, then the changes", () => {
    const { bed, versions } = draftBed(ONE, THREE);
    const { stdout, stderr } = bed.ok("diff");
    expect(stderr).toBe("");
    const lines = stdout.trimEnd().split("\n");
    expect(lines[0]).toBe(
      `"w" ${short(versions[0])} → draft: 1 entry changed, 2 documents changed; schema: 1 breaking, 0 safe`,
    );
    expect(lines.filter((line) => /^[A-Z]/.test(line))).toEqual(["Schema", "Entries", "Documents"]);
    expect(lines).toContainEqual(expect.stringMatching(/^ +breaking +model page, field next +\S/));
    expect(lines).toContainEqual(
      expect.stringMatching(/^ +~ long long .* \(Page, home\) +in site\/home$/),
    );
    expect(lines).toContainEqual(expect.stringMatching(/^ +~ title +"Home" → "long long .*…$/));
    const content = "api/v1/projects/site/experiences/home/content.json";
    expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^ +~ ${content} +\\S.*home`)));
    for (const line of lines.slice(1)) expect(line.length, line).toBeLessThan(200);
    expect(stdout, "no colour when stdout is no terminal").not.toContain(ESC);
    const shown = bed.runOnTerminal("diff");
    expect(shown).toContain(`${ESC}[31mbreaking`);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what colours are written with
    expect(shown.replaceAll(/\u001b\[\d+m/g, "").replaceAll("\r\n", "\n")).toBe(stdout);
    bed.env = { NO_COLOR: "1" };
    expect(bed.runOnTerminal("diff").replaceAll("\r\n", "\n")).toBe(stdout);
  });

  it("--json prints all changes with complete values, and exactly the documented members", () => {
    const { bed, versions } = draftBed(ONE, THREE);
    const result = bed.json(0, "diff");
    expect(Object.keys(result).sort()).toEqual([
      "config",
      "counts",
      "documents",
      "entries",
      "from",
      "problems",
      "projects",
      "renamed",
      "schema",
      "summary",
      "to",
      "workspaceId",
    ]);
    expect(result).toMatchObject({ workspaceId: "w", from: versions[0], to: null });
    expect(result.summary).toEqual({
      documents: { added: 0, removed: 0, changed: 2, unchanged: 1 },
      entriesAdded: 0,
      entriesRemoved: 0,
      entriesChanged: 1,
      breaking: 1,
      safe: 0,
    });
    expect(result.schema).toEqual([
      {
        verdict: "breaking",
        code: "field-removed",
        at: { kind: "model", key: "page", field: "next" },
        message: expect.stringMatching(/\w+/),
        projects: ["site"],
      },
    ]);
    expect(result.config).toEqual([]);
    expect(result.entries[0].fields).toEqual([
      { path: "/title", place: ["title"], change: "changed", before: "Home", after: LONG },
    ]);
  });

  it('compares any two versions, given as a prefix, "published" or "draft"', () => {
    const { bed, versions } = draftBed(ONE, TWO, THREE);
    const [one = "", two = ""] = versions;
    const [first, second] = [one.slice(0, 12), two.slice(0, 12)];
    const compared = (...names: string[]) => {
      const { from, to, summary, entries } = bed.json(0, "diff", ...names);
      const { before, after } = entries[0].fields[0];
      return [from, to, before, after, summary.breaking];
    };
    expect(compared(first)).toEqual([one, null, "Home", LONG, 1]);
    expect(compared(first, second)).toEqual([one, two, "Home", "Welcome", 0]);
    expect(compared(first, "published")).toEqual([one, two, "Home", "Welcome", 0]);
    expect(compared("draft", "published")).toEqual([null, two, LONG, "Welcome", 0]);
    const [, hint] = bed.failure(2, "diff", "0123456789");
    expect(hint).toContain("svc versions");
  });

  it.each(["diff", "diff ID ID", "publish --dry-run"])(
    "D4d: a version that is damaged in the store is refused, though nothing was changed: svc %s",
    (command) => {
      const { bed, versions } = draftBed(ONE, ONE);
      const [id = ""] = versions;
      const database = new Database(bed.path("workspace.db"));
      database.exec("UPDATE documents SET bytes = x'00' WHERE number = 1; DELETE FROM outcomes");
      database.close();
      const [error, hint] = bed.failure(4, ...command.replaceAll("ID", id).split(" "));
      expect(error).toMatch(
        new RegExp(`"api/v1/.*\\.json" of the version ${id} is not as published`),
      );
      expect(hint).toContain("restore it from a backup");
    },
  );

  it("everything of a workspace that was never published is added, and nothing breaks", () => {
    const { bed } = draftBed(ONE);
    expect(bed.ok("diff", "--breaking").stdout).toMatch(
      /^"w" nothing published → draft: 1 entry added, 3 documents added; schema: 0 breaking, 1 safe\n/,
    );
    const { from, to, documents } = bed.json(0, "diff");
    expect([from, to]).toEqual([null, null]);
    expect(documents.map(({ change }: { change: string }) => change)).toEqual(
      Array(3).fill("added"),
    );
  });

  it("D7: an entry that came is first, with its values, in text and in Markdown; what its pages are is a sentence", () => {
    const collected = (...entries: Entry[]) =>
      smallWorkspace({
        projects: [
          {
            ...projectOf("site", "home"),
            collections: [
              {
                model: "page",
                id: "p-{id}",
                name: "{title}",
                layoutName: "Page",
                except: ["home"],
              },
            ],
          },
        ],
        entries: [page("home", "Home"), ...entries],
      });
    const link = { next: { contentEntryId: "new" } };
    const { bed } = draftBed(collected(), collected(page("new", "A | day", link)));
    const text = bed.ok("diff").stdout.split("\n");
    expect(text.slice(2, 6)).toEqual([
      "Entries",
      "  + A | day (Page, new)  in site/p-new",
      '    + title  "A | day"',
      '    + next   "A | day"',
    ]);
    expect(text).toContain("  ~ site: New page: A | day");
    const markdown = bed.ok("diff", "--format", "markdown").stdout;
    expect(markdown).toContain(
      '| A \\| day<br>`new` | Page | **added**<br>title: "A \\| day"<br>next: "A \\| day" | site/p-new |',
    );
    expect(markdown).toContain("| `site` | New page: A \\| day |");
    expect(markdown.indexOf("`new`")).toBeLessThan(markdown.indexOf("New page"));
  });

  it("prints one line if nothing differs", () => {
    const { bed, versions } = draftBed(ONE, ONE);
    const stdout = `"w" ${short(versions[0])} → draft: nothing differs\n`;
    expect(bed.run("diff", "--breaking")).toEqual({ status: 0, stdout, stderr: "" });
  });

  it("--breaking exits with 1 if code breaks, with the same output", () => {
    const { bed } = draftBed(ONE, THREE);
    expect(bed.run("diff", "--breaking")).toEqual({ ...bed.ok("diff"), status: 1 });
    expect(bed.json(1, "diff", "--breaking").summary.breaking).toBe(1);
    expect(bed.ok("diff", "draft", "published", "--breaking").stdout).toContain("0 breaking");
  });

  it("D5: names the migration that would have kept the values of a renamed field", () => {
    const fields = (MODEL?.fields ?? []).map((one) =>
      one.key === "next" ? { ...one, key: "following" } : one,
    );
    const models = [{ id: "m-page", key: "page", name: "Page", fields }];
    const { bed } = draftBed(ONE, smallWorkspace({ models }));
    const migration = "svc migrate <folder> rename-field page next following";
    expect(bed.run("diff", "--breaking")).toMatchObject({ status: 1 });
    expect(bed.ok("diff").stdout).toMatch(
      new RegExp(
        `^ +breaking +model page, field next .*\\n +to keep its values: ${migration}$`,
        "m",
      ),
    );
    expect(bed.json(0, "diff").schema[0].migrations).toEqual([migration]);
  });
});

describe("svc diff of a draft with values that have no field", () => {
  it("P9: reports them, since they are in no document", () => {
    const titled = { titel: "A" };
    const { bed, versions } = draftBed(
      ONE,
      smallWorkspace({ entries: [page("home", "A", titled)] }),
    );
    expect(bed.ok("diff").stderr).toBe(
      'warning: the draft has 1 stored value without a field, the first at entry home /titel: there is no field "titel" (did you mean "title"?), so its value is not served; svc check lists them\n',
    );
    expect(bed.json(0, "diff").problems).toMatchObject([{ code: "field-unknown" }]);
    const [version = ""] = versions;
    expect(bed.ok("diff", version, version).stderr).toBe("");
    expect(bed.json(0, "diff", version, version).problems).toEqual([]);
  });
});

describe("svc publish --dry-run", () => {
  it("prints what svc diff prints, and changes nothing", () => {
    const { bed } = draftBed(ONE, THREE);
    const before = bytesBelow(bed.path("out"));
    const rows = storeRows(bed.path("workspace.db"));
    const [summary = "", ...lines] = bed.ok("diff").stdout.split("\n");
    const diff = bed.json(0, "diff");
    const { stdout } = bed.ok("publish", "--dry-run");
    expect(stdout).toContain(summary.replace(/^.*draft: /, ""));
    expect(stdout.endsWith(lines.join("\n"))).toBe(true);
    const planned = bed.json(0, "publish", "--dry-run");
    expect(planned.diff).toEqual({ ...diff, to: planned.versionId });
    expect(bytesBelow(bed.path("out"))).toEqual(before);
    expect(storeRows(bed.path("workspace.db"))).toEqual(rows);
  });
});
