import { describe, expect, it } from "vitest";
import { CliBed } from "../support/cli-bed.ts";
import { page, projectOf, smallWorkspace } from "../support/workspaces/small-workspace.ts";
import { workspaceFolder } from "../support/workspaces/workspace-folder.ts";

const SOON = { publishAt: "2126-01-01T00:00:00Z" };
const SOME_TIME = "2026-03-01T00:00:00Z";
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
      "models.json": models ?? [],
      "projects.json": [projectOf("site", ...ids)],
      "entries.json": [page("home", "Home"), ...pages],
    },
    bed.path("content"),
  );
  return bed;
}

describe("A1, A4: the command line and entries that are not published", () => {
  it("A1, A4: svc publish says how many are left out, and --json has their numbers", () => {
    const bed = bedWith({ draft: true }, { draft: true }, SOON, OVER, {});
    const { stdout } = bed.ok("publish", "content");
    expect(stdout).toContain(
      "left out: 2 draft entries, 1 entry not due yet, 1 entry that is over\n",
    );
    const leftOut = { draft: 2, publishAt: 1, unpublishAt: 1, inLocales: 0 };
    expect(bed.json(0, "publish", "content")).toMatchObject({ published: false, leftOut });
    expect(bed.json(0, "publish", "content", "--dry-run")).toMatchObject({ leftOut });
    expect(bed.json(0, "stats", "content")).toMatchObject({ leftOut, counts: { entries: 6 } });
    expect(bed.ok("stats", "content").stdout).toContain("left out: 2 draft entries, 1 entry not");
    expect(bedWith({}).run("stats", "content").stdout).not.toContain("left out");
  });

  it("A3: svc check has the errors of a draft entry as warnings, and exits with 0", () => {
    const bed = bedWith({ draft: true }, SOON);
    const { problems } = bed.json(0, "check", "content");
    expect(
      problems.map(({ level, code }: { level: string; code: string }) => [level, code]),
    ).toEqual([["warning", "value-type"]]);
    bed.ok("check", "content", "--entry", "p0");
    expect(bed.run("check", "content", "--strict").status).toBe(1);
    expect(bedWith({}).run("check", "content").status).toBe(1);
  });

  it("A2: svc types of a folder has the layouts of draft entries, and of a publish it has not", () => {
    const bed = bedWith({ draft: true, data: { title: "Page 0" } });
    const typed = bed.ok("types", "content").stdout;
    bed.ok("publish", "content");
    const published = bed.ok("types", "out/api/v1/projects/site/schema.json").stdout;
    expect(typed).toContain('"step-p0": "page"');
    expect(published).not.toContain('"step-p0": "page"');
    expect(published).toContain('"step-home": "page"');
  });

  it("A4, A5: --at is the time of a publish, a check, a diff and statistics", () => {
    const first = { data: { title: "Page 0", next: to("p1") } };
    const bed = bedWith(first, { publishAt: "2026-03-01T00:00:00Z" });
    const [early, late] = ["2026-02-28T23:59:59Z", "2026-03-01T01:00:00+01:00"];
    bed.ok("import", "content");
    const before = bed.json(0, "publish", "--at", early);
    expect(before).toMatchObject({ clock: "2026-02-28T23:59:59.000Z", leftOut: { publishAt: 1 } });
    expect(bed.json(0, "publish", "content", "--out", "other", "--at", early)).toMatchObject({
      versionId: before.versionId,
    });
    expect(bed.json(0, "check", "--at", early).problems).toHaveLength(1);
    expect(bed.json(0, "check", "--at", late).problems).toEqual([]);
    expect(bed.json(0, "stats", "--at", late)).toMatchObject({ leftOut: { publishAt: 0 } });
    expect(bed.json(0, "diff", "--at", early).documents).toEqual([]);
    expect(bed.json(0, "diff", "--at", late).documents).not.toEqual([]);
    const { versionId } = bed.json(0, "publish", "--at", late);
    const { versions } = bed.json(0, "versions");
    expect(
      versions.map((one: { versionId: string; clock: string }) => [one.versionId, one.clock]),
    ).toEqual([
      [versionId, "2026-03-01T00:00:00.000Z"],
      [before.versionId, "2026-02-28T23:59:59.000Z"],
    ]);
    const [error] = bed.failure(2, "publish", "--at", "2026-03-01");
    expect(error).toContain("must be a time with zone by RFC 3339");
  });

  it("A6: svc stats --due has what falls due after the version that is published", () => {
    const bed = bedWith(
      { data: { title: "Page 0" }, publishAt: "2026-03-01T00:00:00Z" },
      { publishAt: "2026-02-01T00:00:00Z", unpublishAt: "2026-04-01T00:00:00Z" },
      { draft: true, publishAt: "2026-02-15T00:00:00Z" },
    );
    const [now, at] = ["2026-03-15T00:00:00Z", "2026-03-15T00:00:00.000Z"];
    const over = {
      id: "p1",
      change: "unpublish",
      at: "2026-04-01T00:00:00Z",
      isDue: false,
    };
    expect(bed.json(0, "stats", "content", "--due", "--at", now)).toEqual({
      workspaceId: "w",
      at,
      since: null,
      due: [over],
    });
    bed.ok("import", "content");
    bed.ok("publish", "--at", "2026-02-01T00:00:00Z");
    const since = "2026-02-01T00:00:00.000Z";
    const due = [{ id: "p0", change: "publish", at: "2026-03-01T00:00:00Z", isDue: true }, over];
    expect(bed.json(0, "stats", "--due", "--at", now)).toEqual({
      workspaceId: "w",
      at,
      since,
      due,
    });
    expect(bed.ok("stats", "--due", "--at", now).stdout).toBe(
      [
        "2026-03-01T00:00:00Z  publish    p0  due: publish the draft",
        "2026-04-01T00:00:00Z  unpublish  p1",
        '"w": 2 changes by time\n',
      ].join("\n"),
    );
    bed.ok("publish", "--at", now);
    expect(bed.json(0, "stats", "--due", "--at", now)).toMatchObject({ since: at, due: [over] });
  });

  it("A5, A6: what falls due without a change is due once, and nothing else changes the store", () => {
    const first = { data: { title: "Page 0", next: to("p1") } };
    const bed = bedWith(first, { publishAt: "2026-03-01T00:00:00Z" });
    const { models } = smallWorkspace();
    workspaceFolder(
      {
        "models.json": models ?? [],
        "projects.json": [projectOf("site", "home")],
        "entries.json": [page("home", "Home"), { ...page("far", "Far"), publishAt: SOME_TIME }],
      },
      bed.path("content"),
    );
    bed.ok("import", "content");
    bed.ok("publish", "--at", "2026-02-01T00:00:00Z");
    const late = ["--at", "2026-04-01T00:00:00Z"];
    const due = (...args: string[]) => bed.json(0, "stats", "--due", ...args);
    expect(due(...late)).toMatchObject({ due: [{ id: "far", isDue: true }] });
    expect(bed.json(0, "publish", ...late)).toMatchObject({ published: false });
    expect(due(...late)).toMatchObject({ since: "2026-04-01T00:00:00.000Z", due: [] });
    bed.ok("publish", "--at", "2026-05-01T00:00:00Z");
    expect(due(...late)).toMatchObject({ since: "2026-04-01T00:00:00.000Z", due: [] });
  });
});
