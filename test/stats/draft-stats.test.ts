import { statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Rendering } from "../../src/documents/rendering.ts";
import { type DraftStats, draftStats } from "../../src/stats/draft-stats.ts";
import { CliBed } from "../support/cli-bed.ts";
import { pathsBelow } from "../support/file-tree.ts";
import { type Parts, TestBed } from "../support/test-bed.ts";
import {
  heldAsset,
  PAGE_MODEL,
  page,
  projectOf,
  smallWorkspace,
} from "../support/workspaces/small-workspace.ts";
import { workspaceFolder } from "../support/workspaces/workspace-folder.ts";

function statsOf(parts: Parts): { bed: TestBed; stats: DraftStats } {
  const bed = new TestBed(parts);
  const stats = bed.store.read(() =>
    draftStats(new Rendering(bed.store.draft(bed.store.workspace(undefined)))),
  );
  return { bed, stats };
}

const to = (contentEntryId: string) => ({ contentEntryId });
const block = (contentBlockId: string, data = {}) => ({ contentBlockId, data });
const blockOf = (id: string, ...types: readonly string[]) => ({
  id,
  key: id,
  name: id,
  fields: types.map((type, at) => ({ key: `f${at}`, type })),
});
const flag = (id: string, type: "text" | "boolean", ...variants: readonly string[]) => ({
  id,
  key: id,
  name: id,
  type,
  ...(type === "text" && { variants: variants.map((key) => ({ id: key, key, name: key })) }),
});
const picture = heldAsset("picture", "a.png", "picture");
const logo = heldAsset("logo", "logo.png", "logo");
const spare = heldAsset("spare", "spare.png", "spare");

const MODEL = {
  id: "m",
  key: "m",
  name: "M",
  fields: [
    { key: "links", type: "reference", repeatable: true },
    { key: "blocks", type: "content-block", repeatable: true },
    { key: "picture", type: "asset" },
  ],
};

const PARTS: Parts = {
  fields: [{ key: "logo", type: "asset" }],
  models: [MODEL, { id: "none", key: "none", name: "None", fields: [] }],
  blocks: [blockOf("outer", "content-block"), blockOf("inner"), blockOf("unused")],
  features: [flag("f-text", "text", "a"), flag("f-empty", "text"), flag("f-bool", "boolean")],
  projects: [{ ...projectOf("site", "home", "gone"), fields: { logo: { assetId: "logo" } } }],
  entries: [
    { id: "home", modelId: "m", data: { links: [to("b"), to("b"), to("c")] } },
    { id: "b", modelId: "m", data: { blocks: [block("outer", { f0: block("inner") })] } },
    { id: "c", modelId: "m", data: { links: [to("b")], picture: { assetId: "picture" } } },
    { id: "alone", modelId: "m", data: { links: [to("c"), to("b"), to("nobody")] } },
    { id: "Away", modelId: "deleted", data: {} },
  ],
  assets: [picture.asset, logo.asset, spare.asset],
  files: new Map([picture.file, logo.file, spare.file]),
};

describe("P8: statistics of a draft", () => {
  it("P8: documents have their published sizes", () => {
    const { bed, stats } = statsOf(PARTS);
    bed.publish();
    const { largest, ...documents } = stats.documents;
    const sizes = pathsBelow(bed.out)
      .filter((path) => path.startsWith("api/"))
      .map((path) => ({ path, bytes: statSync(join(bed.out, path)).size }));
    expect(sizes).toHaveLength(3);
    const shown = largest.map(({ path, bytes }) => ({ path, bytes }));
    expect(shown).toEqual(sizes.toSorted((a, b) => b.bytes - a.bytes));
    const content = largest.find(({ path }) => path.endsWith("home/content.json"));
    expect(content?.entries).toBe(3);
    expect(content?.through).toMatchObject({ field: "m.links", entry: "home", entries: 2 });
    expect(documents.content).toEqual({ count: 1, bytes: content?.bytes });
    const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
    expect(documents).toMatchObject({ count: 3, bytes: total });
  });

  it("P8: hubs are the entries that most entries point at, each of those once", () => {
    expect(statsOf(PARTS).stats.hubs).toEqual([
      { id: "b", contentModelKey: "m", pointers: 3 },
      { id: "c", contentModelKey: "m", pointers: 2 },
    ]);
  });

  it("P8: unused are records that no document would lack", () => {
    const { counts, unused } = statsOf(PARTS).stats;
    expect(unused).toEqual({
      entries: ["Away", "alone"],
      models: ["none"],
      blocks: ["unused"],
      assets: ["spare"],
      features: ["f-empty"],
    });
    expect(counts).toEqual({
      models: 2,
      blocks: 3,
      features: 3,
      projects: 1,
      experiences: 2,
      entries: 5,
      assets: 3,
    });
    const all = { blocks: [], features: [], models: [MODEL], assets: [picture.asset] };
    const entries = PARTS.entries?.slice(0, 3) ?? [];
    const projects = [projectOf("site", "home")];
    const used = statsOf({ ...PARTS, ...all, entries, projects, fields: [] }).stats.unused;
    expect(Object.values(used).flat()).toEqual([]);
  });

  it("P8: ten documents and ten hubs are listed", () => {
    const ids = Array.from({ length: 12 }, (_, at) => `e${at}`);
    const entries = ids.map((id, at) => page(id, id, { next: to(ids[(at + 1) % 12] as string) }));
    const parts = { models: [PAGE_MODEL], entries, projects: [projectOf("site", ...ids)] };
    const { documents, hubs } = statsOf(parts).stats;
    expect(documents.count).toBe(14);
    expect(documents.largest).toHaveLength(10);
    expect(hubs).toHaveLength(10);
  });
});

it("P8, V11a: what rich text points at or embeds is used", () => {
  const fields = [{ key: "tree", type: "rich-text" }];
  const inside = { tree: [block("inner"), { data: { target: { assetId: "picture" } } }] };
  const { hubs, unused } = statsOf({
    models: [{ ...MODEL, fields }],
    blocks: [blockOf("outer", "rich-text"), blockOf("inner"), blockOf("unused")],
    projects: [projectOf("site", "home")],
    entries: [
      { id: "home", modelId: "m", data: { tree: [block("outer", { f0: [to("b")] }), to("b")] } },
      { id: "b", modelId: "m", data: inside },
      { id: "alone", modelId: "m", data: {} },
    ],
    assets: [picture.asset, spare.asset],
    files: new Map([picture.file, spare.file]),
  }).stats;
  expect(hubs).toEqual([{ id: "b", contentModelKey: "m", pointers: 1 }]);
  expect(unused).toMatchObject({ entries: ["alone"], blocks: ["unused"], assets: ["spare"] });
});

describe("cli.md: svc stats", () => {
  it("prints the statistics as text and as JSON, and changes no outcome of a publish", () => {
    const { models = [], projects = [] } = smallWorkspace();
    const extra = Array.from({ length: 12 }, (_, at) =>
      page(`extra${at}`, "Extra", { next: to("home") }),
    );
    const folder = workspaceFolder({
      "models.json": models,
      "projects.json": projects,
      "entries.json": [page("home", "Home"), ...extra],
    });
    const bed = new CliBed(folder);
    const lines = bed.ok("stats").stdout.split("\n");
    expect(lines).toContain(
      '"w": 1 model, 0 blocks, 0 features, 1 project, 13 entries, 0 assets, 1 experience',
    );
    expect(lines).toContainEqual(expect.stringMatching(/^3 documents, \d\.\d kB$/));
    expect(lines).toContain("Largest documents");
    expect(lines).toContain("         12  home (page)");
    expect(lines.find((line) => line.includes("no experience shows"))).toMatch(
      /^ {2}12 entries that no experience shows: extra0, extra1, extra10.* and 2 more \(--json/,
    );
    const json = bed.json(0, "stats");
    expect(json.unused.entries).toHaveLength(12);
    expect(json.hubs).toEqual([{ id: "home", contentModelKey: "page", pointers: 12 }]);
    const { versionId } = bed.json(0, "publish");
    expect(bed.json(0, "stats")).toEqual(json);
    expect(bed.json(0, "publish")).toMatchObject({ versionId, published: false });
  });
});
