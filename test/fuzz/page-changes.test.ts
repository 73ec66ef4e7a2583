import { writeFileSync } from "node:fs";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Diff } from "../../src/diff/diff.ts";
import { PreviewBed } from "../support/server/preview-bed.ts";
import { PAGE_MODEL, page, projectOf } from "../support/workspaces/small-workspace.ts";
import { workspaceFolder } from "../support/workspaces/workspace-folder.ts";
import { runs, timeFor } from "./fuzzing.ts";

const RUNS = runs(0.02);
const IDS = ["home", "a", "b", "c", "d"];

/** Entries that show each other; all but the first one may be drafts, or missing. */
const ENTRIES = fc.tuple(
  ...IDS.map((id) =>
    fc
      .record({
        title: fc.constantFrom("One", "Two"),
        next: fc.constantFrom(undefined, ...IDS),
        draft: fc.constantFrom(false, false, true),
        isThere: fc.constantFrom(true, true, false),
      })
      .map(({ title, next, draft, isThere }) => {
        const entry = page(id, title, next ? { next: { contentEntryId: next } } : {});
        if (id === "home") return [entry];
        return isThere ? [{ ...entry, draft }] : [];
      }),
  ),
);

it("H32: an entry is marked with the fields of which svc diff says that they differ", {
  ...timeFor(RUNS * 5),
}, async () => {
  const bed = new PreviewBed();
  const out = bed.path("out");
  const parts = { "models.json": [PAGE_MODEL], "projects.json": [projectOf("site", "home", "a")] };
  const first = IDS.map((id) => page(id, "One", { next: { contentEntryId: "b" } }));
  workspaceFolder({ ...parts, "entries.json": first }, bed.content);
  bed.json(0, "publish", "content", "--out", out);
  await bed.start("--out", out);
  const url = new URL("/_svc/data/standing?workspace=w", bed.link);
  const headers = { Authorization: `Bearer ${bed.key}` };
  const marked = async () => {
    const { entries } = (await (await fetch(url, { headers })).json()).changed;
    const changed = Object.entries<{ change: string; fields: string[] }>(entries);
    return Object.fromEntries(
      changed.flatMap(([id, one]) => (one.change === "changed" ? [[id, one.fields.sort()]] : [])),
    );
  };
  await fc.assert(
    fc.asyncProperty(ENTRIES, async (entries) => {
      writeFileSync(bed.file("entries.json"), JSON.stringify(entries.flat()));
      const { entries: all }: Diff = bed.json(0, "diff", out, bed.content);
      const diff = all.filter(({ change }) => change === "changed");
      const fields = (id: string) =>
        diff.flatMap((one) => (one.id === id ? one.fields.map(({ path }) => path) : []));
      const keys = (id: string) => fields(id).flatMap((path) => path.split("/")[1] ?? []);
      const differ = diff.map(({ id }) => [id, [...new Set(keys(id))].sort()]);
      await expect.poll(marked).toEqual(Object.fromEntries(differ));
    }),
    { numRuns: RUNS },
  );
});
