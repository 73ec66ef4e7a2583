import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { filePath } from "../../src/documents/address.ts";
import { checkDraft } from "../../src/documents/check-draft.ts";
import type { Surface } from "../../src/documents/document.ts";
import { documentAt, documents } from "../../src/documents/documents.ts";
import { Rendering } from "../../src/documents/rendering.ts";
import type { FolderDraft } from "../../src/folder/folder-draft.ts";
import { draftStats } from "../../src/stats/draft-stats.ts";
import { StoredDraft } from "../../src/store/stored-draft.ts";
import type { Draft } from "../../src/workspace/draft.ts";
import type { FieldDefinition } from "../../src/workspace/field.ts";
import type { Entry } from "../../src/workspace/records.ts";
import { draftOf } from "../support/documents/rendered.ts";
import { randomRuns } from "../support/random-runs.ts";
import { type Parts, TestBed } from "../support/test-bed.ts";
import { drawnEdits, edited, FIRST, pickBy, type World } from "../support/workspaces/edits.ts";
import {
  heldAsset,
  PAGE_MODEL,
  page,
  projectOf,
  smallWorkspace,
} from "../support/workspaces/small-workspace.ts";

function documentsOf(rendering: Rendering, surface: Surface) {
  return Array.from(documents(rendering, surface), (document) => {
    const { address, size, files, problems } = document;
    return {
      path: filePath(address),
      text: document.bytes(null).toString(),
      size,
      files,
      problems,
    };
  });
}

/** All that is made of a rendering. */
function allOf(rendering: Rendering) {
  return {
    published: documentsOf(rendering, "published"),
    previewed: documentsOf(rendering, "preview"),
    problems: checkDraft(rendering),
    stats: draftStats(rendering),
  };
}

/** Makers of the draft of `w`, beside what an earlier draft of the same source has. */
const SOURCES: Readonly<
  Record<string, () => (world: World, work: (draft: (earlier?: Draft) => Draft) => void) => void>
> = {
  "a store": () => {
    const bed = new TestBed();
    return ({ w, neighbour }, work) => {
      for (const site of [neighbour, w]) bed.import(site);
      bed.store.read(() =>
        work((earlier) =>
          bed.store.draft(
            bed.store.workspace("w"),
            earlier instanceof StoredDraft ? earlier : undefined,
          ),
        ),
      );
    };
  },
  "a folder": () => (world, work) =>
    work((earlier) => draftOf(world.w, earlier as FolderDraft | undefined)),
};

interface Known {
  readonly rendering: Rendering;
  /** All documents, if they were asked for. */
  readonly documents: ReturnType<typeof documentsOf> | undefined;
}

const step = fc.record({
  drawn: drawnEdits,
  showsHidden: fc.boolean(),
  /** Which of the earlier renderings is taken over; 0: the last. */
  back: fc.constantFrom(0, 0, 0, 1, 3),
  /** How many documents are asked for; undefined: all. */
  asked: fc.constantFrom(undefined, 0, 1, 3),
});

const RUNS = randomRuns(30);

describe("R10: a rendering that takes over an earlier one", () => {
  it.each(Object.keys(SOURCES))(
    "R10: has the documents and problems of a new one after any edits of %s",
    (kind) => {
      const run = (steps: readonly (typeof step extends fc.Arbitrary<infer T> ? T : never)[]) => {
        const drafts = SOURCES[kind]?.() as ReturnType<(typeof SOURCES)[string]>;
        const known: Known[] = [];
        let world = FIRST;
        for (const { drawn, showsHidden, back, asked } of steps) {
          const pick = pickBy(drawn.choices);
          world = edited(world, drawn, pick);
          drafts(world, (draft) => {
            const view = { at: world.at, showsHidden };
            const earlier = known.at(-1 - (back % Math.max(1, known.length)));
            const now = draft(earlier?.rendering.draft);
            const fresh = allOf(new Rendering(draft(), { view }));
            const rendering = new Rendering(now, { view, earlier: earlier?.rendering });
            for (let times = 0; times < (asked ?? 0) && fresh.previewed.length > 0; times += 1) {
              const { path, text } = pick(fresh.previewed);
              expect(textAt(rendering, path)).toBe(text);
            }
            // Of one that was asked for little, another one takes over what there is.
            const whole =
              asked === undefined ? rendering : new Rendering(now, { view, earlier: rendering });
            expect(allOf(whole)).toEqual(fresh);
            const isAll = asked === undefined;
            known.push({ rendering, documents: isAll ? fresh.previewed : undefined });
            // A store has only the current draft.
            if (kind === "a store" || earlier?.documents === undefined) return;
            expect(documentsOf(earlier.rendering, "preview")).toEqual(earlier.documents);
          });
        }
      };
      const steps = fc.array(step, { minLength: 2, maxLength: 10, size: "max" });
      fc.assert(fc.property(steps, run), { numRuns: RUNS });
    },
  );
});

function textAt(rendering: Rendering, path: string): string | undefined {
  const all = rendering.projects.flatMap(({ id: projectId, experiences }) => [
    ...(["project", "schema"] as const).map((kind) => ({ kind, projectId })),
    ...experiences.map(({ id }) => ({ kind: "content", projectId, experienceId: id }) as const),
  ]);
  const address = all.find((one) => filePath(one) === path);
  return address && documentAt(rendering, address, "preview")?.bytes(null).toString();
}

const to = (contentEntryId: string) => ({ contentEntryId });
const NOTE = { id: "m-note", key: "note", name: "Note", fields: PAGE_MODEL.fields };
const PARTS: FieldDefinition = { key: "parts", type: "content-block", repeatable: true };
const TEXT: FieldDefinition = { key: "text", type: "html-asset" };
const MODEL = { ...PAGE_MODEL, fields: [...PAGE_MODEL.fields, PARTS, TEXT] };
const HERO = { id: "b-hero", key: "hero", name: "Hero", fields: PAGE_MODEL.fields };
const LOGO = heldAsset("logo", "a.png", "a logo");
const OTHER_LOGO = heldAsset("logo", "a.png", "another");
const HTML = heldAsset("html", "a.html", "<p>a</p>", "text/html");
const OTHER_HTML = heldAsset("html", "a.html", "<p>b</p>", "text/html");

const draft = (id: string): Entry => ({ ...page(id, "Draft"), draft: true });

/** An entry for each kind of dependency, and one without any. */
function site(changes: Parts = {}, ...entries: readonly Entry[]): Parts {
  const all = [
    page("home", "Home", { next: to("target") }),
    page("block", "Block", {
      parts: [{ contentBlockId: "b-hero", data: { title: "In it", next: to("target") } }],
    }),
    page("target", "Target"),
    page("missing", "Missing", { next: to("later") }),
    page("picture", "Picture", { picture: { assetId: "logo" } }),
    page("version", "Version", { picture: { assetId: "logo", versionId: "v1" } }),
    page("text", "Text", { text: { assetId: "html" } }),
    { ...page("noted", "Note"), modelId: "m-note" },
    page("shy", "Shy", { next: to("unfinished") }),
    draft("unfinished"),
    page("alone", "Alone"),
  ];
  return smallWorkspace({
    projects: [projectOf("site", ...all.map(({ id }) => id))],
    models: [MODEL, NOTE],
    blocks: [HERO],
    entries: [...all.filter((one) => !entries.some(({ id }) => id === one.id)), ...entries],
    ...assets(LOGO, HTML),
    files: new Map([LOGO, OTHER_LOGO, HTML, OTHER_HTML].map(({ file }) => file)),
    ...changes,
  });
}

const without = (...ids: readonly string[]): Parts => ({
  entries: site().entries?.filter(({ id }) => !ids.includes(id)) ?? [],
});
const assets = (...held: readonly ReturnType<typeof heldAsset>[]) => ({
  assets: held.map(({ asset }) => asset),
});
const theirs = (...ids: readonly string[]): Parts => ({
  id: "theirs",
  models: [PAGE_MODEL],
  entries: ids.map((id) => page(id, "Theirs")),
});
const ALL = 11;

/** Imports in order, and how many entries are rendered after them. */
const DEPENDENCIES: Readonly<Record<string, readonly [rendered: number, ...Parts[]]>> = {
  "nothing changed": [0, site()],
  "the workspace's name": [0, site({ name: "Other" })],
  "what a project shows": [0, site({ projects: [projectOf("site", "home")] })],
  "the language of a project": [
    ALL,
    site({ projects: [{ ...projectOf("site", "home"), locale: "en" }] }),
  ],
  "a flag": [0, site({ features: [{ id: "f", key: "f", name: "F", type: "boolean" }] })],
  "its own text": [1, site({}, page("alone", "Edited"))],
  "an entry without references to it is added": [1, site({}, page("more", "More"))],
  "an entry without references to it is removed": [0, site(without("alone"))],
  "its target is removed; one reference is in a block": [2, site(without("target"))],
  "its target is added": [2, site({}, page("later", "Later"))],
  "its target gets another text": [1, site({}, page("target", "Edited"))],
  "its target gets another model": [3, site({}, { ...page("target", "T"), modelId: "m-note" })],
  "its target becomes a draft": [3, site({}, draft("target"))],
  "its target is hidden for another reason": [
    2,
    site({}, { ...page("unfinished", "Draft"), publishAt: "2026-01-01T00:00:00Z" }),
  ],
  "its target is added as a draft": [2, site({}, draft("later"))],
  "its target moves to another workspace": [2, site(without("target")), theirs("target")],
  "its target is added to another workspace": [1, theirs("later")],
  "another entry is added to another workspace": [0, theirs("other")],
  "the last row number is reused by another entry": [
    1,
    site(without("alone")),
    site({ entries: [...(without("alone").entries ?? []), page("first", "First")] }),
  ],
  "the key of a model": [ALL, site({ models: [MODEL, { ...NOTE, key: "memo" }] })],
  "a model that only one entry has gets a field": [
    1,
    site({ models: [MODEL, { ...NOTE, fields: [...NOTE.fields, TEXT] }] }),
  ],
  "a model is removed": [ALL, site({ models: [MODEL] })],
  "a block's field": [ALL, site({ blocks: [{ ...HERO, fields: HERO.fields.slice(1) }] })],
  "a block is removed": [ALL, site({ blocks: [] })],
  "its asset is replaced": [2, site(assets(OTHER_LOGO, HTML))],
  "its asset is removed": [2, site(assets(HTML))],
  "its asset's bytes are replaced": [1, site(assets(LOGO, OTHER_HTML))],
  "an asset that it does not show": [
    0,
    site(assets(LOGO, HTML, { ...LOGO, asset: { ...LOGO.asset, id: "other" } })),
  ],
  "whether texts of assets are served": [ALL, site({ assetTexts: true })],
  "the base URL of assets": [ALL, site({ assetBaseUrl: "https://cdn.example" })],
};

describe("R10: an entry is rendered again exactly when one of its dependencies changes", () => {
  it.each(Object.entries(DEPENDENCIES))("R10: %s", (_what, [rendered, ...imports]) => {
    const bed = new TestBed(theirs(), site());
    const open = (earlier?: Rendering) => {
      const known = earlier?.draft as StoredDraft | undefined;
      return new Rendering(bed.store.draft(bed.store.workspace("w"), known), { earlier });
    };
    const first = bed.store.read(() => {
      const rendering = open();
      const before = allOf(rendering);
      expect(rendering.count).toBe(ALL);
      return { rendering, before };
    });
    for (const parts of imports) bed.import(parts);
    const then = bed.store.read(() => {
      const rendering = open(first.rendering);
      const { count: kept } = rendering;
      expect(allOf(rendering)).toEqual(allOf(open()));
      expect(rendering.count - kept).toBe(rendered);
      return rendering;
    });
    // And back.
    for (const parts of [theirs(), site()]) bed.import(parts);
    expect(bed.store.read(() => allOf(open(then)))).toEqual(first.before);
  });
});
