import { writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CliBed } from "../support/cli-bed.ts";
import { page, projectOf, smallWorkspace } from "../support/workspaces/small-workspace.ts";
import { workspaceFolder } from "../support/workspaces/workspace-folder.ts";

const SOON = { publishAt: "2126-01-01T00:00:00Z" };
const OVER = { unpublishAt: "2026-01-01T00:00:00Z" };

const to = (contentEntryId: string) => ({ contentEntryId });

/** A folder `content` with these pages beside `home`, of which the first is unfinished. */
function bedWith(...says: readonly object[]): CliBed {
  const bed = new CliBed();
  const pages = says.map((more, at) => {
    const { id, data, ...rest } = page(`p${at}`, `Page ${at}`);
    return { id, ...rest, data: at === 0 ? { title: 7 } : data, ...more };
  });
  const ids = ["home", ...pages.map(({ id }) => id)];
  const { models } = smallWorkspace();
  workspaceFolder(
    {
      ...{ "models.json": models ?? [], "projects.json": [projectOf("site", ...ids)] },
      "entries.json": [page("home", "Home"), ...pages],
    },
    bed.path("content"),
  );
  return bed;
}

describe("X1, X4: the command line and entries that are not published", { timeout: 60_000 }, () => {
  it("X1, X4: svc publish says how many are left out, and --json has their numbers", () => {
    const bed = bedWith({ draft: true }, { draft: true }, SOON, OVER, {});
    const { stdout } = bed.ok("publish", "content");
    expect(stdout).toContain(
      "left out: 2 draft entries, 1 entry not due yet, 1 entry that is over\n",
    );
    const leftOut = { draft: 2, publishAt: 1, unpublishAt: 1 };
    expect(bed.json(0, "publish", "content")).toMatchObject({ published: false, leftOut });
    expect(bed.json(0, "publish", "content", "--dry-run")).toMatchObject({ leftOut });
    expect(bed.json(0, "stats", "content")).toMatchObject({ leftOut, counts: { entries: 6 } });
    expect(bed.ok("stats", "content").stdout).toContain("left out: 2 draft entries, 1 entry not");
    expect(bedWith({}).run("stats", "content").stdout).not.toContain("left out");
  });

  it("X3: svc check has the errors of a draft entry as warnings, and exits with 0", () => {
    const bed = bedWith({ draft: true }, SOON);
    const { problems } = bed.json(0, "check", "content");
    expect(
      problems.map(({ level, code }: { level: string; code: string }) => [level, code]),
    ).toEqual([
      ["warning", "value-type"],
      ["warning", "step-entry-draft"],
      ["warning", "step-entry-draft"],
    ]);
    bed.ok("check", "content", "--entry", "p0");
    expect(bed.run("check", "content", "--strict").status).toBe(1);
    expect(bedWith({}).run("check", "content").status).toBe(1);
  });

  it("X1, D1: svc diff has what an entry that becomes a draft changes", () => {
    const bed = bedWith({ draft: true }, { data: { title: "Page 1", next: to("p2") } }, {});
    bed.ok("publish", "content");
    const { models } = smallWorkspace();
    const entries = [
      page("p1", "Page 1", { next: to("p2") }),
      { ...page("p2", "Page 2"), draft: true },
    ];
    writeFileSync(bed.path("content/models.json"), JSON.stringify(models));
    writeFileSync(bed.path("content/entries.json"), JSON.stringify(entries));
    const { entries: changed, documents } = bed.json(0, "diff", "content");
    expect(changed).toMatchObject([
      { id: "p1", fields: [{ path: "/next/contentModelKey", change: "removed" }] },
    ]);
    expect(documents).toContainEqual(
      expect.objectContaining({
        path: "api/v1/projects/site/experiences/p2/content.json",
        change: "removed",
      }),
    );
  });

  it("X2: svc types of a folder has the layouts of draft entries, and of a publish it has not", () => {
    const bed = bedWith({ draft: true, data: { title: "Page 0" } });
    const typed = bed.ok("types", "content").stdout;
    bed.ok("publish", "content");
    const published = bed.ok("types", "out/api/v1/projects/site/schema.json").stdout;
    expect(typed).toContain('"step-p0": "page"');
    expect(published).not.toContain('"step-p0": "page"');
    expect(published).toContain('"step-home": "page"');
  });
});
