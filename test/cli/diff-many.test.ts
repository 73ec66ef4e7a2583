import { describe, expect, it } from "vitest";
import type { Parts } from "../support/test-bed.ts";
import { page, projectOf, smallWorkspace } from "../support/workspaces/small-workspace.ts";
import { draftBed } from "./published-bed.ts";

const COUNT = 60;
const names = (prefix: string) => Array.from({ length: COUNT }, (_, n) => `${prefix}${100 + n}`);

/** Sixty pages, each the layout of a step of one experience, and sixty fields of their model. */
function many(side: string): Parts {
  const fields = [
    { key: "title", type: "text" },
    ...names(side).map((key) => ({ key, type: "text" })),
  ];
  const { steps, ...project } = projectOf("site", ...names("page"));
  const stepIds = steps.map(({ id }) => id);
  return smallWorkspace({
    models: [{ id: "m-page", key: "page", name: "Page", fields }],
    entries: names("page").map((id) => page(id, `Title ${side}`)),
    projects: [
      { ...project, steps, experiences: [{ id: "all", key: "all", name: "All", stepIds }] },
    ],
  });
}

describe("svc diff of many changes", () => {
  it("lists at most fifty per group and counts the rest; all of the schema changes; --json lists all", () => {
    const { bed } = draftBed(many("a"), many("b"));
    const lines = bed.ok("diff").stdout.split("\n");
    const count = (pattern: RegExp) => lines.filter((line) => pattern.test(line)).length;
    expect(count(/^ +breaking .*field a1\d\d /)).toBe(COUNT);
    expect(count(/^ +safe .*field b1\d\d /)).toBe(COUNT);
    expect(count(/^ +~ Title b \(Page, page1\d\d\)/)).toBe(50);
    expect(count(/ and 10 more \(--json/)).toBe(1);
    const { entries, schema } = bed.json(0, "diff");
    expect([entries.length, schema.length]).toEqual([COUNT, 2 * COUNT]);
  });
});

it("svc diff shortens long texts around their first difference, never within a character", () => {
  const smileys = "😀".repeat(500);
  const texts = (side: string) =>
    Object.fromEntries(
      Array.from({ length: 8 }, (_, n) => {
        const [before, after] = [smileys.slice(0, 200 * (n % 3)), "x".repeat(n)];
        return [`m${n}`, `${before}${after}${side}${smileys}`];
      }),
    );
  const [one = {}, two = {}] = ["a", "b"].map((side) =>
    smallWorkspace({
      models: [{ id: "m-page", key: "page", name: "", fields: [{ key: "more", type: "json" }] }],
      entries: [page("home", "", { more: texts(side) })],
    }),
  );
  const { stdout } = draftBed(one, two).bed.ok("diff");
  const lines = stdout.split("\n").filter((line) => line.includes("more › m"));
  expect(lines).toHaveLength(8);
  for (const line of lines) {
    expect(line.length).toBeLessThan(160);
    expect(line).toMatch(/"(…[^"]*)?x*a.*→ "(…[^"]*)?x*b/);
    expect(line).not.toMatch(/\ufffd|\\ud[89a-f]/);
  }
});
