import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { versionIdOf } from "../../src/documents/version-id.ts";
import type { Feature, Variant } from "../../src/workspace/records.ts";
import { pathsBelow, statesBelow } from "../support/file-tree.ts";
import { randomRuns } from "../support/random-runs.ts";
import { storeRows } from "../support/store/store-rows.ts";
import { type Parts, TestBed } from "../support/test-bed.ts";
import {
  heldAsset,
  PAGE_MODEL,
  page,
  projectOf,
  smallWorkspace,
} from "../support/workspaces/small-workspace.ts";

const map = heldAsset("map", "map.png", "a map");
const plan = heldAsset("plan", "plan.png", "a plan");

const VARIANTS: readonly Variant[] = [
  { id: "v-new", key: "new", name: "New" },
  { id: "v-off", key: "off", name: "Off", value: false },
  { id: "v-big", key: "big", name: "Big" },
];
const BUTTON: Feature = { id: "f-b", key: "b", name: "B", type: "text", variants: VARIANTS };
const DARK: Feature = { id: "f-dark", key: "dark", name: "Dark", type: "boolean" };
const HOME = page("home", "Home", { next: { contentEntryId: "more" } });
const MORE = page("more", "More", { next: { contentEntryId: "help" } });
const HELP = page("help", "Help", { picture: { assetId: "map" } });

/** Two projects, and of every kind two records or more. */
const SHOP = {
  models: [PAGE_MODEL, { id: "m-note", key: "note", name: "Note", fields: [] }],
  blocks: ["hero", "quote"].map((key) => ({ id: `b-${key}`, key, name: key, fields: [] })),
  features: [BUTTON, DARK],
  projects: [projectOf("site", "home", "help"), projectOf("kiosk", "help")],
  entries: [HOME, MORE, HELP],
  assets: [map.asset, plan.asset],
  files: new Map([map.file, plan.file]),
} satisfies Parts;

const NEIGHBOUR = smallWorkspace({ id: "neighbour", projects: [projectOf("other", "home")] });

describe("R1: the version id", () => {
  it("R1: does not depend on the order in which the documents are given", () => {
    const pairs = ["b", "a", "B", "a/b", "ä"].map((path) => [path, `hash of ${path}`] as const);
    const sorted = pairs.toSorted(([a], [b]) => (a < b ? -1 : 1));
    const text = `{${sorted.map(([path, hash]) => `"${path}":"${hash}"`).join(",")}}`;
    const expected = createHash("sha256").update(text).digest("hex").slice(0, 32);
    for (const given of [pairs, sorted, pairs.toReversed()]) {
      expect(versionIdOf(given)).toBe(expected);
      expect(versionIdOf(Object.fromEntries(given))).toBe(expected);
    }
  });

  const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

  it("R1: can be computed from the published files of the workspace", () => {
    const bed = new TestBed(SHOP, NEIGHBOUR);
    bed.publish({ workspace: "neighbour" });
    const { versionId } = bed.publish({ workspace: "w" });

    const documents = pathsBelow(bed.out).filter((path) => /projects\/(site|kiosk)\//.test(path));
    const hashes = documents.map((path) => {
      const [before, after, ...more] = readFileSync(join(bed.out, path), "utf8").split(
        `"${versionId}"`,
      );
      expect(more, `the version id is once in ${path}`).toEqual([]);
      return [path, sha256(`${before}null${after}`)];
    });
    expect(hashes).toHaveLength(7);
    expect(versionId).toBe(sha256(JSON.stringify(Object.fromEntries(hashes))).slice(0, 32));
  });

  it("service.md, versioning 3: is in every document of the workspace", () => {
    const bed = new TestBed(SHOP);
    const { versionId } = bed.publish();
    for (const path of pathsBelow(join(bed.out, "api"))) {
      const member = path.endsWith("/schema.json") ? "x-svc-version-id" : "versionId";
      expect(bed.file(`api/${path}`)[member], path).toBe(versionId);
    }
  });
});

describe("R2: publishing what no document shows", { timeout: 60_000 }, () => {
  const renamed = VARIANTS.map((one) => ({ ...one, id: `${one.id}-2`, name: "Renamed" }));
  const CHANGES: Record<string, Parts> = {
    "nothing at all": {},
    "a variant's name": { features: [{ ...BUTTON, variants: renamed }, DARK] },
    "a variant's row": { features: [{ ...BUTTON, variants: VARIANTS.toReversed() }, DARK] },
    "an entry that nothing shows": { entries: [HOME, MORE, HELP, page("unused", "Unused")] },
    "stored data that the model does not have": {
      entries: [{ ...HOME, data: { ...HOME.data, supplier: "S-1" } }, MORE, HELP],
    },
    "an asset that nothing shows": { assets: [map.asset] },
    "the name of the workspace": { name: "Another name" },
  };

  it.each(Object.entries(CHANGES))("R2: %s is a no-op with the same id", (what, change) => {
    const bed = new TestBed(SHOP);
    const first = bed.publish();
    const files = first.files.written;
    bed.import({ ...SHOP, ...change });
    const [rows, states] = [storeRows(bed.store.file), statesBelow(bed.out)];

    expect(bed.publish()).toEqual({
      workspaceId: "w",
      versionId: first.versionId,
      published: false,
      files: { written: 0, unchanged: files, removed: 0 },
      pruned: [],
      leftOut: { draft: 0, publishAt: 0, unpublishAt: 0 },
      clock: expect.stringMatching(/Z$/),
      problems: what.startsWith("stored data")
        ? [expect.objectContaining({ code: "field-unknown" })]
        : [],
    });
    expect(statesBelow(bed.out)).toEqual(states);
    expect(storeRows(bed.store.file)).toEqual(rows);
  });

  it("R2: the order of rows of any kind changes no document", () => {
    const bed = new TestBed(SHOP);
    const { versionId } = bed.publish();
    const shuffled = <T>(rows: readonly T[]) =>
      fc.shuffledSubarray([...rows], { minLength: rows.length });
    const anyOrder = fc.record({
      models: shuffled(SHOP.models),
      blocks: shuffled(SHOP.blocks),
      features: shuffled(SHOP.features),
      projects: shuffled(SHOP.projects),
      entries: shuffled(SHOP.entries),
      assets: shuffled(SHOP.assets),
    });
    fc.assert(
      fc.property(anyOrder, (rows) => {
        bed.import({ ...SHOP, ...rows });
        expect(bed.publish({ dryRun: true })).toMatchObject({ versionId, published: false });
      }),
      { numRuns: randomRuns(50), endOnFailure: true },
    );
  });

  it("R2: a change that reaches a document gives another id", () => {
    const bed = new TestBed(SHOP);
    const ids = [bed.publish().versionId];
    bed.import({ ...SHOP, entries: [page("home", "Home!"), MORE, HELP] });
    ids.push(bed.publish().versionId);
    bed.import({ ...SHOP, features: [DARK] });
    ids.push(bed.publish().versionId);
    expect(new Set(ids).size).toBe(3);
  });
});
