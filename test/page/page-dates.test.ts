import { describe, expect, it } from "vitest";
import { ownerOf } from "../support/server/owner-of.ts";
import { TestBed } from "../support/test-bed.ts";
import { projectOf } from "../support/workspaces/small-workspace.ts";

const MODEL = { id: "m", key: "page", name: "Page", fields: [{ key: "title", type: "text" }] };
const NOW = Date.parse("2026-06-01T00:00:00Z");
const [START, END] = ["2026-06-04T09:00:00+02:00", "2026-07-01T00:00:00Z"];
const entry = (id: string, more = {}) => ({
  id,
  modelId: "m",
  data: { title: `T ${id}` },
  ...more,
});
const WORKSPACE = {
  models: [MODEL],
  projects: [projectOf("site", "home")],
  entries: [
    entry("home"),
    entry("next", { publishAt: START, unpublishAt: END }),
    entry("gone", { unpublishAt: "2026-05-01T00:00:00Z" }),
    entry("draft", { draft: true, publishAt: START }),
  ],
};

/** As the page asks for it, at a reading of the clock. */
async function asked(name: string, more: Record<string, string> = {}) {
  const owner = ownerOf(new TestBed(WORKSPACE as never).store, { now: () => NOW });
  const query = new URLSearchParams({ workspace: "w", most: "9", ...more });
  return JSON.parse(String(await owner.answer(name, String(query))));
}

const hidden = async (more = {}) => {
  const { rows } = await asked("entries", more);
  return Object.fromEntries(
    rows.map((one: { id: string; hidden: unknown }) => [one.id, one.hidden]),
  );
};

describe("H56: dates on the page", () => {
  it("H56: what falls due is listed, the earliest first, nothing of a draft; each entry has its dates", async () => {
    const { total, changes } = await asked("coming-up");
    const due = changes.map(({ change, at, entry: { title } }: never) => [change, at, title]);
    expect({ total, due }).toEqual({
      total: 2,
      due: [
        ["publish", START, "T next"],
        ["unpublish", END, "T next"],
      ],
    });
    const { rows } = await asked("entries", { q: "next" });
    expect(rows).toMatchObject([{ hidden: "publishAt", publishAt: START, unpublishAt: END }]);
  });

  it("H56a: as of a time the page says what is published then; of what is no time, and without one, now", async () => {
    const now = { home: null, next: "publishAt", gone: "unpublishAt", draft: "draft" };
    expect(await hidden()).toEqual(now);
    expect(await hidden({ "as-of": "tomorrow" })).toEqual(now);
    expect(await hidden({ "as-of": "2026-06-04T07:00:00Z" })).toEqual({ ...now, next: null });
    expect(await hidden({ "as-of": "2026-07-01T02:00:00+02:00" })).toEqual({
      ...now,
      next: "unpublishAt",
    });
    expect(await hidden({ "as-of": "2026-01-01T00:00:00Z" })).toMatchObject({ gone: null });
  });

  it("H56a: changes are those of a publish at that time", async () => {
    const { leftOut } = await asked("changes", { "as-of": "2026-06-05T00:00:00Z" });
    expect(JSON.stringify(leftOut)).not.toContain("T next");
    expect(JSON.stringify((await asked("changes")).leftOut)).toContain("T next");
  });
});
