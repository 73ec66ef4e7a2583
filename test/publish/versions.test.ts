import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sha256, versionIdOf } from "../../src/documents/version-id.ts";
import type { SvcError } from "../../src/workspace/errors.ts";
import type { Entry, Feature, Variant } from "../../src/workspace/records.ts";
import { bytesBelow, pathsBelow, statesBelow } from "../support/file-tree.ts";
import { draftProblems } from "../support/publish/publishing.ts";
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

describe("R2: publishing what no document shows", () => {
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
      bytes: first.bytes,
      pruned: [],
      leftOut: { draft: 0, publishAt: 0, unpublishAt: 0, inLocales: 0 },
      clock: expect.stringMatching(/Z$/),
      problems: what.startsWith("stored data")
        ? [expect.objectContaining({ code: "field-unknown" })]
        : [],
    });
    expect(statesBelow(bed.out)).toEqual(states);
    expect(storeRows(bed.store.file)).toEqual(rows);
  });
});

const PHOTO = heldAsset("photo", "photo.png", "a photo");
const WITH_PHOTO = smallWorkspace({
  entries: [page("home", "Home", { picture: { assetId: "photo" } })],
  assets: [PHOTO.asset],
  files: new Map([PHOTO.file]),
});

describe("R3: a published version", () => {
  it("R3: keeps the shapes that an older release of the program gave it", () => {
    const bed = new TestBed(smallWorkspace());
    const { store, out } = bed;
    const { number } = store.workspace("w");
    const path = "api/v1/projects/site/index.json";
    const bytes = Buffer.from('{"old":"shape","versionId":null}\n');
    const documents = [{ path, sha256: sha256(bytes) }];
    const versionId = versionIdOf({ [path]: sha256(bytes) });
    const file = `{"old":"shape","versionId":"${versionId}"}\n`;
    store.write(() => {
      store.versions.saveDocument(sha256(bytes), bytes);
      const version = { versionId, documents, files: [] };
      store.versions.add(number, version, new Date("2020-01-01"), null);
      store.history.makeCurrent(number, versionId, "publish", new Date("2020-01-01"));
    });
    bed.write();
    expect(readFileSync(join(out, path), "utf8")).toBe(file);
  });

  it("R3: does not exist before the first publish, so nothing can be written", () => {
    const bed = new TestBed(WITH_PHOTO);
    expect(() => bed.write()).toThrow(expect.objectContaining({ code: "not-published" }));
    expect(bytesBelow(bed.out)).toEqual({});
  });
});

describe("R4: a draft with problems", () => {
  const numberAsTitle: Entry = { id: "about", modelId: "m-page", data: { title: 5 } };
  const noTitle: Entry = { id: "home", modelId: "m-page", data: {} };
  const warned = page("news", "News", { next: { contentEntryId: "gone" } });
  const WITH_ERRORS = smallWorkspace({ entries: [numberAsTitle, noTitle, warned] });
  const WITH_WARNING = smallWorkspace({ entries: [page("home", "Home"), warned] });

  function refusal(work: () => unknown): SvcError | undefined {
    try {
      work();
    } catch (error) {
      return error as SvcError;
    }
    return undefined;
  }

  it("R4: is refused for its errors, with every problem listed and nothing changed", () => {
    const bed = new TestBed(smallWorkspace());
    const { versionId } = bed.publish();
    bed.import(WITH_ERRORS);
    const [rows, states] = [storeRows(bed.store.file), statesBelow(bed.out)];

    const error = refusal(() => bed.publish());
    expect(error).toMatchObject({ name: "SvcError", code: "draft-has-problems" });
    expect(error && draftProblems(error)).toMatchObject([
      { level: "error", code: "value-type", at: { id: "about", path: "/title" } },
      { level: "error", code: "value-missing", at: { id: "home", path: "/title" } },
      { level: "warning", code: "reference-deleted", at: { id: "news", path: "/next" } },
    ]);
    expect(error && draftProblems(error)).toEqual(bed.check());
    expect(storeRows(bed.store.file)).toEqual(rows);
    expect(statesBelow(bed.out)).toEqual(states);
    expect(bed.write()).toMatchObject({ versionId, files: { written: 0, removed: 0 } });
  });

  it("R4: makes no version and no out/ when it was never published", () => {
    const bed = new TestBed(WITH_ERRORS);
    expect(refusal(() => bed.publish())?.code).toBe("draft-has-problems");
    expect(storeRows(bed.store.file)).toMatchObject({ versions: [], documents: [] });
    expect(existsSync(bed.out)).toBe(false);
    expect(refusal(() => bed.write())?.code).toBe("not-published");
  });

  it("R4: is published with its warnings, which are reported", () => {
    const bed = new TestBed(WITH_WARNING);
    expect(bed.publish()).toMatchObject({
      published: true,
      problems: [{ level: "warning", code: "reference-deleted" }],
    });
  });

  it("R4: is refused for warnings with --strict; a draft without problems is not", () => {
    const bed = new TestBed(WITH_WARNING);
    const error = refusal(() => bed.publish({ strict: true }));
    expect(error).toMatchObject({
      code: "draft-has-problems",
      problems: { kind: "draft", list: bed.check() },
    });
    expect(storeRows(bed.store.file)).toMatchObject({ versions: [], documents: [] });

    bed.import(smallWorkspace());
    expect(bed.publish({ strict: true })).toMatchObject({ published: true, problems: [] });
  });
});
