import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { documents } from "../../src/documents/documents.ts";
import { ContentDocument } from "../../src/documents/experience-content.ts";
import { DraftStates } from "../../src/page/draft-state.ts";
import { type UsedKind, usesOf } from "../../src/page/where-used.ts";
import { DraftRenderings } from "../../src/server/draft-renderings.ts";
import { randomRuns } from "../support/random-runs.ts";
import { type Parts, TestBed } from "../support/test-bed.ts";
import { localizedWorkspace } from "../support/workspaces/localized-workspace.ts";
import { NEIGHBOUR, randomWorkspace } from "../support/workspaces/random-workspace.ts";
import {
  heldAsset,
  PAGE_MODEL,
  page,
  projectOf,
  smallWorkspace,
} from "../support/workspaces/small-workspace.ts";

/** The draft of a bed, with where its entries and assets are used; what is the same is taken over. */
function reader(bed: TestBed) {
  const states = new DraftStates(bed.store, new DraftRenderings(bed.store));
  return <T>(work: (state: NonNullable<ReturnType<typeof states.of>>) => T) =>
    bed.store.read(() => {
      const state = states.of("w");
      if (state === undefined) throw new TypeError("no workspace w");
      return work(state);
    });
}

const hidden: fc.Arbitrary<Parts> = fc
  .tuple(
    randomWorkspace({ faulty: false }),
    fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
  )
  .map(([parts, drafts]) => ({
    ...parts,
    entries: parts.entries.map((entry, at) => ({ ...entry, ...(drafts[at] && { draft: true }) })),
  }));

describe("H34: where an entry or asset is used", () => {
  it("is in just these content documents, in all languages, whatever was changed before", () => {
    const bed = new TestBed(NEIGHBOUR);
    const read = reader(bed);
    const workspaces = fc.oneof(
      randomWorkspace({ faulty: false }),
      randomWorkspace({ faulty: true }),
      localizedWorkspace,
      hidden,
    );
    const property = fc.property(workspaces as fc.Arbitrary<Parts>, (parts) => {
      bed.import(parts);
      let found = 0;
      read((state) => {
        const index = usesOf(state);
        const pages: Record<UsedKind, Map<string, string[]>> = {
          entries: new Map(),
          assets: new Map(),
        };
        const note = (kind: UsedKind, id: string, where: string) =>
          pages[kind].set(id, [...(pages[kind].get(id) ?? []), where]);
        for (const document of documents(state.rendering, "preview")) {
          if (!(document instanceof ContentDocument)) continue;
          const { projectId, experienceId } = document.address;
          const where = `${projectId} ${experienceId}`;
          const shown = document.entries();
          for (const { head } of shown) note("entries", head.id, where);
          const assets = new Set(shown.flatMap((one) => one.assets));
          for (const id of assets) note("assets", id, where);
        }
        const ids = {
          entries: [...state.draft.entries.keys()],
          assets: [...state.draft.assets.keys(), ...pages.assets.keys()],
        };
        for (const kind of ["entries", "assets"] as const) {
          for (const id of ids[kind]) {
            const listed = index.whereUsed(kind, id).pages.listed;
            const expected = pages[kind].get(id) ?? [];
            expect(listed.map((one) => `${one.project.id} ${one.id}`)).toEqual(expected);
            expect(index.uses(kind, id).pages).toBe(expected.length);
            found += expected.length;
          }
        }
      });
      fc.pre(found > 0);
    });
    fc.assert(property, { numRuns: randomRuns(150) });
  });

  it("ends at five references, beyond which an entry and its picture are on no page", () => {
    const photo = heldAsset("photo", "photo.png", "x");
    const far = heldAsset("far", "far.png", "y");
    const chain = Array.from({ length: 7 }, (_, at) =>
      page(`e${at}`, `Entry ${at}`, {
        next: { contentEntryId: `e${at + 1}` },
        ...(at === 5 && { picture: { assetId: "photo" } }),
        ...(at === 6 && { picture: { assetId: "far" } }),
      }),
    );
    const bed = new TestBed(
      smallWorkspace({
        entries: chain,
        projects: [projectOf("site", "e0", "e1")],
        assets: [photo.asset, far.asset],
        files: new Map([photo.file, far.file]),
      }),
    );
    reader(bed)((state) => {
      const index = usesOf(state);
      const names = (kind: UsedKind, id: string) =>
        index.whereUsed(kind, id).pages.listed.map(({ name }) => name);
      expect(names("entries", "e1")).toEqual(["Experience e0", "Experience e1"]);
      expect(names("entries", "e5")).toEqual(["Experience e0", "Experience e1"]);
      expect(names("assets", "photo")).toEqual(["Experience e0", "Experience e1"]);
      expect(names("entries", "e6")).toEqual(["Experience e1"]);
      expect(names("assets", "far")).toEqual(["Experience e1"]);
      expect(names("entries", "e7")).toEqual([]);
    });
  });

  it("names the entries and projects that use it, each once", () => {
    const next = { contentEntryId: "shared" };
    const idle = { id: "idle", key: "idle", name: "Idle", layoutName: "page" };
    const site = projectOf("site", "home");
    const logo = heldAsset("logo", "logo.png", "x");
    const bed = new TestBed(
      smallWorkspace({
        fields: [{ key: "logo", type: "asset" }],
        entries: [
          page("home", "Home", { next }),
          page("a", "A", { next }),
          page("shared", "Shared"),
          page("b", "B"),
        ],
        projects: [
          {
            ...site,
            fields: { logo: { assetId: "logo" } },
            steps: [...site.steps, { ...idle, layoutContentId: "a" }],
          },
        ],
        assets: [logo.asset],
        files: new Map([logo.file]),
      }),
    );
    reader(bed)((state) => {
      const index = usesOf(state);
      const shared = index.whereUsed("entries", "shared");
      expect(shared.pages.listed.map(({ name }) => name)).toEqual(["Experience home"]);
      expect(shared.entries.listed.map(({ title }) => title).sort()).toEqual(["A", "Home"]);
      expect(index.whereUsed("assets", "logo")).toMatchObject({
        pages: { total: 0 },
        entries: { total: 0 },
        projects: [{ id: "site" }],
      });
      expect(index.whereUsed("entries", "a")).toMatchObject({
        pages: { total: 0 },
        projects: [{ id: "site" }],
      });
      const unused = [...state.draft.entries.keys()].filter((id) => index.isUnused("entries", id));
      expect(unused).toEqual(["b"]);
      expect(index.isUnused("assets", "logo")).toBe(false);
    });
  });

  it("H34: a field that its model has no more names nothing", () => {
    const entries = [page("home", "Home", { next: { contentEntryId: "a" } }), page("a", "A")];
    const bed = new TestBed(smallWorkspace({ entries }));
    const read = reader(bed);
    const users = () => read((state) => usesOf(state).whereUsed("entries", "a").entries.total);
    expect(users()).toBe(1);
    const fields = PAGE_MODEL.fields.filter(({ key }) => key !== "next");
    bed.import(smallWorkspace({ entries, models: [{ ...PAGE_MODEL, fields }] }));
    expect(users()).toBe(0);
  });
});
