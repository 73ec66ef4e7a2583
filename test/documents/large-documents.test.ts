import { statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { filePath } from "../../src/documents/address.ts";
import type { Problem } from "../../src/workspace/problem.ts";
import { problemMessage } from "../../src/workspace/problem-messages.ts";
import type { Entry, Model } from "../../src/workspace/records.ts";
import { type Parts, TestBed } from "../support/test-bed.ts";
import { projectOf } from "../support/workspaces/small-workspace.ts";

const MODEL: Model = {
  id: "m",
  key: "m",
  name: "M",
  fields: [
    { key: "text", type: "text" },
    { key: "links", type: "reference", repeatable: true },
  ],
};

function entry(id: string, size: number, ...links: readonly string[]): Entry {
  const targets = links.map((contentEntryId) => ({ contentEntryId }));
  return {
    id,
    modelId: "m",
    data: { text: "é".repeat(size / 2) + "x".repeat(size % 2), links: targets },
  };
}

function workspace(entries: readonly Entry[], ...roots: readonly string[]): Parts {
  return { models: [MODEL], projects: [projectOf("site", ...roots)], entries };
}

const codeOf = ({ code }: Problem) => code;
const large = (problems: readonly Problem[]) =>
  problems.filter(({ code }) => code === "document-heavy");
const content = (experienceId: string) =>
  ({ kind: "content", projectId: "site", experienceId }) as const;

describe("P6: documents that are heavy", () => {
  it("P6: the size is that of the published file, to the byte", () => {
    const at = (size: number) =>
      workspace([entry("home", size, "b", "c"), entry("b", 0), entry("c", 1)], "home");
    const published = (size: number) => {
      const bed = new TestBed(at(size));
      const { problems } = bed.publish();
      const bytes = statSync(join(bed.out, filePath(content("home")))).size;
      return { bytes, problems, checked: bed.check() };
    };
    const { bytes: more } = published(0);
    const atLimit = published(150_000 - more);
    expect(atLimit.bytes).toBe(150_000);
    expect(atLimit.problems).toEqual([]);
    const above = published(150_002 - more);
    expect(above.problems.map(codeOf)).toEqual(["document-heavy"]);
    expect(above.problems[0]?.args).toMatchObject({ document: "content", bytes: above.bytes });
    expect(above.checked).toEqual(above.problems);
  });

  it("P6: of the content documents of a project the largest one, with how many others are heavy", () => {
    const sizes = { a: 200_000, b: 300_000, c: 1_000, d: 300_000 };
    const entries = Object.entries(sizes).map(([id, size]) => entry(id, size));
    const parts = workspace(entries, ...Object.keys(sizes));
    const other = { ...projectOf("other", "a", "c") };
    const found = large(
      new TestBed({ ...parts, projects: [...(parts.projects ?? []), other] }).check(),
    );
    expect(found).toMatchObject([
      { at: { id: "other", path: "/experiences/0" }, args: { experience: "a" } },
      { at: { id: "site", path: "/experiences/1" }, args: { experience: "b", others: 2 } },
    ]);
    expect(found[0]?.args).not.toHaveProperty("others");
  });

  it("P6a: it names the field that brings most bytes, and the entry if it is one; or the steps", () => {
    const leaves = Array.from({ length: 30 }, (_, at) => entry(`leaf${at}`, 50_000));
    const ids = leaves.map(({ id }) => id);
    const menu: Model = { ...MODEL, id: "menu", key: "menu", name: "Menu" };
    const through = (roots: readonly string[], ...entries: readonly Entry[]) => {
      const parts = workspace([...entries, ...leaves], ...roots);
      const [problem] = large(new TestBed({ ...parts, models: [MODEL, menu] }).check());
      return (problem as { args: { through?: object } }).args.through;
    };
    const [left, right] = [ids.slice(0, 15), ids.slice(15)];
    const home = entry("home", 200_000, "nav", "leaf0");
    const nav = { ...entry("nav", 0, ...left, "more"), modelId: "menu" };
    // What is near is counted there: leaf0 by "m.links".
    expect(through(["home"], home, nav)).toMatchObject({
      field: "menu.links",
      entry: "nav",
      entries: 14,
    });
    const more = { ...entry("more", 0, ...right), modelId: "menu" };
    const both = through(["home"], home, nav, more);
    expect(both).toMatchObject({ field: "menu.links", entries: 30 });
    expect(both).not.toHaveProperty("entry");
    const own = through(["home"], entry("home", 200_000, "leaf0"));
    expect(own).toMatchObject({ entries: 1 });
    expect(own).not.toHaveProperty("field");
  });

  it("P6: config and schema are documents too; the largest schema is reported once", () => {
    const options = Array.from({ length: 9000 }, (_, at) => `option-${"x".repeat(120)}-${at}`);
    const wide = { key: "kind", type: "select", options };
    const name = "n".repeat(1_100_000);
    const site = projectOf("site");
    const experience = { id: "e", key: "e", name, stepIds: [] };
    const parts = {
      models: [{ ...MODEL, fields: [wide] }],
      projects: [{ ...site, experiences: [experience] }, projectOf("other")],
    };
    const bed = new TestBed(parts);
    const { problems } = bed.publish();
    expect(large(problems)).toMatchObject([
      { at: { kind: "project", id: "site", path: "" }, args: { document: "config" } },
      { at: { kind: "workspace", id: "w", path: "" }, args: { document: "schema" } },
    ]);
    const sizes = large(problems).map(({ args }) => (args as { bytes: number }).bytes);
    const published = (["project", "schema"] as const).map(
      (kind) => statSync(join(bed.out, filePath({ kind, projectId: "site" }))).size,
    );
    expect(sizes).toEqual(published);
  });
});

describe("P7: experiences that the depth limit cuts", () => {
  /** A chain of five references that ends in an entry with this many targets. */
  const chain = (name: string, count: number) => {
    const targets = Array.from({ length: count }, (_, at) => `${name}-t${at}`);
    const ids = Array.from({ length: 6 }, (_, at) => (at === 0 ? name : `${name}-${at}`));
    return [
      ...ids.map((id, at) => entry(id, 0, ...(at === 5 ? targets : [ids[at + 1] as string]))),
      ...targets.map((id) => entry(id, 0)),
    ];
  };
  const cut = (...parts: Parameters<typeof workspace>) =>
    new TestBed(workspace(...parts)).check().filter(({ code }) => code === "experience-too-deep");

  it("P7: the experience that most is cut from, once a project, from ten entries on", () => {
    expect(cut(chain("a", 9), "a")).toEqual([]);
    const [problem, ...others] = cut(
      [...chain("a", 10), ...chain("b", 12), ...chain("c", 11)],
      "a",
      "b",
      "c",
    );
    expect(others).toEqual([]);
    expect(problem).toMatchObject({
      level: "warning",
      at: { kind: "project", id: "site", path: "/experiences/1" },
      args: { experience: "b", count: 12, entry: "b-5", pointers: 12 },
    });
    expect(problem && problemMessage(problem)).toContain("leaves out 12 entries");
  });

  it("P7: an entry counts once, by however many references it is named", () => {
    const links = Array.from({ length: 30 }, (_, at) => `a-t${at % 9}`);
    const entries = chain("a", 9).map((one) =>
      one.id === "a-5" ? entry("a-5", 0, ...links) : one,
    );
    expect(cut(entries, "a")).toEqual([]);
  });
});
