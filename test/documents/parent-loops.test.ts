import { describe, expect, it } from "vitest";
import { ParentLoops } from "../../src/documents/check-draft.ts";
import { problemMessage } from "../../src/workspace/problem-messages.ts";
import type { Model } from "../../src/workspace/records.ts";
import { summaries } from "../support/documents/served-data.ts";
import { TestBed } from "../support/test-bed.ts";
import { projectOf } from "../support/workspaces/small-workspace.ts";

const PARENT = { key: "parent", type: "reference", models: ["category"] };
const to = (contentEntryId: string) => ({ contentEntryId });

/** Categories with their parents. */
function check(parents: Readonly<Record<string, string>>, field: object = PARENT) {
  const fields = [field as typeof PARENT, { key: "name", type: "text" }];
  const models = [{ id: "m", key: "category", name: "Category", fields }];
  const entries = Object.entries(parents).map(([id, parent]) => {
    return { id, modelId: "m", data: { parent: to(parent) } };
  });
  return new TestBed({
    models,
    entries: [...entries, { id: "top", modelId: "m", data: {} }],
  }).check();
}

describe("P16: loops of parents", () => {
  it("P16: an entry that is its own ancestor, once a loop, at its first entry", () => {
    const found = check({ d: "c", c: "b", b: "a", a: "c", e: "d", s: "s", x: "top" });
    expect(summaries(found)).toEqual([
      "warning parent-loop entry a#/parent",
      "warning parent-loop entry s#/parent",
    ]);
    expect(found.map(problemMessage)).toEqual([
      'the entry is its own ancestor by "parent": a → c → b → a',
      'the entry is its own ancestor by "parent": s → s',
    ]);
    expect(check({ a: "b", b: "c", c: "top" })).toEqual([]);
  });

  it("P16: only of a reference to one entry of the same model alone", () => {
    const loop = { a: "b", b: "a" };
    const { models: _, ...any } = PARENT;
    expect(check(loop, any)).toEqual([]);
    const two = { ...PARENT, models: ["category", "page"] };
    expect(check(loop, two).map(({ code }) => code)).toEqual(["option-unknown"]);
    const list = { ...PARENT, repeatable: true };
    expect(check(loop, list).map(({ code }) => code)).not.toContain("parent-loop");
  });

  it("P16: of a localized field in each locale", () => {
    const fields = [{ ...PARENT, localized: true }];
    const models = [{ id: "m", key: "category", name: "Category", fields }];
    const projects = ["de", "en"].map((locale) => ({ ...projectOf(locale), locale }));
    const entries = ["a", "b"].map((id) => {
      const other = to(id === "a" ? "b" : "a");
      return { id, modelId: "m", data: { parent: { de: other, en: to("b") } } };
    });
    expect(summaries(new TestBed({ models, projects, entries }).check())).toEqual([
      "warning parent-loop entry a#/parent/de",
      "warning parent-loop entry b#/parent/en",
    ]);
  });

  it("P16: a chain of 30,000 and a loop of as many take time by their length", () => {
    const model = { id: "m", key: "category", name: "Category", fields: [PARENT] } as Model;
    const count = 30_000;
    const pad = (at: number) => String(at).padStart(6, "0");
    for (const isLoop of [false, true]) {
      const loops = new ParentLoops({ models: [model] });
      for (let at = 0; at < count; at += 1) {
        const target = at + 1 < count ? pad(at + 1) : isLoop ? pad(0) : "top";
        const head = { id: pad(at), modelId: "m", publishing: undefined };
        loops.add({ head, pointers: [{ path: "/parent", target }] } as never);
      }
      const started = process.threadCpuUsage();
      const found = loops.problems();
      expect(process.threadCpuUsage(started).user / 1000).toBeLessThan(1000);
      expect(found.map(({ args }) => args)).toEqual(
        isLoop ? [{ field: "parent", entries: [0, 1, 2, 3, 4].map(pad), others: count - 5 }] : [],
      );
    }
  });
});
