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
  problems.filter(({ code }) => code.startsWith("document-over-"));
const content = (experienceId: string) =>
  ({ kind: "content", projectId: "site", experienceId }) as const;

describe("P6: documents over 1 MB and over 10 MB", () => {
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
    const atLimit = published(1_000_000 - more);
    expect(atLimit.bytes).toBe(1_000_000);
    expect(atLimit.problems).toEqual([]);
    const above = published(1_000_002 - more);
    expect(above.problems.map(codeOf)).toEqual(["document-over-1mb"]);
    expect(above.problems[0]?.args).toMatchObject({ document: "content", bytes: above.bytes });
    expect(above.checked).toEqual(above.problems);
    const ofLarge = (size: number) => new TestBed(at(size - more)).check().map(codeOf);
    expect(ofLarge(10_000_000)).toEqual(["document-over-1mb"]);
    expect(ofLarge(10_000_002)).toEqual(["document-over-10mb"]);
  });

  it("P6a: it names the entry through which most of the document is reached", () => {
    const leaves = Array.from({ length: 30 }, (_, at) => entry(`leaf${at}`, 50_000));
    const ids = leaves.map(({ id }) => id);
    const through = (roots: readonly string[], ...entries: readonly Entry[]) => {
      const [problem, ...others] = large(
        new TestBed(workspace([...entries, ...leaves], ...roots)).check(),
      );
      expect(others).toEqual([]);
      expect(problem?.at).toEqual({ kind: "project", id: "site", path: "/experiences/0" });
      const args = problem?.args as { through?: { entry: string; bytes: number } };
      return args.through;
    };
    const menu = entry("menu", 0, ...ids);
    const home = entry("home", 0, "nav", "leaf0");
    expect(through(["home"], home, entry("nav", 0, "menu"), menu)).toMatchObject({
      entry: "menu",
    });
    // No target leads to more than half of it.
    const [left, right] = [ids.slice(0, 15), ids.slice(15)];
    const both = [entry("a", 0, ...left), entry("b", 0, ...right)];
    expect(through(["home"], entry("home", 0, "a", "b"), ...both)).toMatchObject({
      entry: "home",
    });
    expect(through(["home"], entry("home", 0, "big"), entry("big", 2_000_000))).toMatchObject({
      entry: "big",
    });
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
