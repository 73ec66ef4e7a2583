import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FieldDefinition } from "../../src/workspace/field.ts";
import type { Entry } from "../../src/workspace/records.ts";
import { bytesBelow } from "../support/file-tree.ts";
import { checked, published } from "../support/publish/publishing.ts";
import { randomRuns } from "../support/random-runs.ts";
import { type Parts, TestBed } from "../support/test-bed.ts";
import {
  heldAsset,
  PAGE_MODEL,
  page,
  projectOf,
  smallWorkspace,
} from "../support/workspaces/small-workspace.ts";
import { EditedBed, type Wanted, type Whose, wantedOf } from "./edited-bed.ts";
import { EDITS, FIRST, type Pick, type World, withoutErrors } from "./edits.ts";

/** Commands after an edit, in any order: each may fill the cache for the next. */
const COMMANDS: Readonly<
  Record<string, (bed: EditedBed, whose: Whose, wanted: Wanted, step: Step, pick: Pick) => void>
> = {
  publish: (bed, whose, wanted, { by, keep }) => bed.publish(whose, wanted, by, keep),
  "publish again": (bed, whose, wanted, { by }) => bed.publish(whose, wanted, by + 1, 20),
  "publish --dry-run": (bed, whose, wanted, { by }) => bed.dryRun(whose, wanted, by),
  "check, cached": (bed, whose, wanted, { by }) => bed.check(whose, wanted, by, true),
  check: (bed, whose, wanted, { by }) => bed.check(whose, wanted, by, false),
  "diff, cached": (bed, whose, wanted, { by }) => bed.diff(whose, wanted, by, true),
  diff: (bed, whose, wanted, { by }) => bed.diff(whose, wanted, by, false),
  "preview on demand": (bed, whose, wanted, { by }, pick) =>
    bed.previewOnDemand(whose, wanted, by, pick),
  "preview in bulk": (bed, whose, wanted, { by }) => bed.previewInBulk(whose, wanted, by),
  "the other preview": (bed, whose, wanted, { by }) => bed.previewInBulk(whose, wanted, by + 1),
  "a new preview": (bed, whose, wanted, { by }) => bed.newPreview(whose, wanted, by),
};

/** Events before an edit, which change no draft. */
const EVENTS: Readonly<
  Record<string, (bed: EditedBed, world: World, step: Step, pick: Pick) => void>
> = {
  nothing: () => {},
  "the same again": (bed, world, { by }) => bed.importAgain(world, by),
  "a failed import": (bed, world, { by }) => bed.failedImport(world, by),
  "a rollback": (bed, _world, { by, whose }, pick) => bed.rollback(whose, by, pick),
  "another program": (bed) => bed.changeProgram(),
  "a damaged cache": (bed, _world, _step, pick) => bed.damage(pick),
};

interface Step {
  readonly event: string;
  readonly edits: readonly string[];
  readonly whose: Whose;
  /** Which of two processes runs the commands. */
  readonly by: number;
  readonly commands: readonly string[];
  readonly keep: number;
  /** Numbers for `Pick`. */
  readonly choices: readonly number[];
}

const names = (of: object) => fc.constantFrom(...Object.keys(of));

const step: fc.Arbitrary<Step> = fc.record({
  event: fc.oneof({ weight: 3, arbitrary: fc.constant("nothing") }, names(EVENTS)),
  edits: fc.array(
    fc.oneof(
      { weight: 12, arbitrary: names(EDITS) },
      { weight: 1, arbitrary: fc.constant("an entry has an error") },
      { weight: 2, arbitrary: fc.constant("a target comes or goes") },
    ),
    { maxLength: 3 },
  ),
  whose: fc.constantFrom<Whose>("w", "w", "w", "neighbour"),
  by: fc.nat(1),
  commands: fc.shuffledSubarray(Object.keys(COMMANDS), { minLength: 2, maxLength: 6 }),
  keep: fc.constantFrom(1, 2, 3, 20),
  choices: fc.array(fc.nat(1000), { minLength: 7, maxLength: 7 }),
});

/** Picks by these numbers in order. */
function pickBy(choices: readonly number[]): Pick {
  let at = 0;
  return <T>(from: readonly T[]) => {
    const choice = choices[at % choices.length] as number;
    at += 1;
    return from[choice % from.length] as T;
  };
}

function run(steps: readonly Step[], counts: EditedBed["counts"]): void {
  const bed = new EditedBed();
  try {
    let world = FIRST;
    bed.import(world, 0);
    for (const each of steps) {
      const pick = pickBy(each.choices);
      EVENTS[each.event]?.(bed, world, each, pick);
      const edited = each.edits.reduce((now, name) => EDITS[name]?.(now, pick) ?? now, world);
      bed.import(edited, each.by);
      const wanted = wantedOf(edited, each.whose);
      for (const name of each.commands) COMMANDS[name]?.(bed, each.whose, wanted, each, pick);
      // R4: errors are fixed in the next step.
      world = wanted.version === undefined ? withoutErrors(edited) : edited;
    }
    bed.expectVersions();
  } finally {
    for (const name of ["served", "entries", "publishes", "refusals"] as const) {
      counts[name] += bed.counts[name];
    }
    bed.close();
  }
}

/** SVC_EDIT_RUNS tries more. */
const RUNS = Number(process.env.SVC_EDIT_RUNS ?? randomRuns(5));

describe("R10: incremental rendering", () => {
  const seeds = { "fixed choices": 14, "other choices each time": undefined };
  it.each(Object.keys(seeds) as (keyof typeof seeds)[])(
    "R1, P1, H5: gives the version, files, problems, diff and preview of a new store: %s",
    (which) => {
      const seed = seeds[which];
      const counts = { served: 0, entries: 0, publishes: 0, refusals: 0 };
      const steps = fc.array(step, { minLength: 1, maxLength: 10, size: "max" });
      fc.assert(
        fc.property(steps, (drawn) => run(drawn, counts)),
        { numRuns: RUNS, ...(seed && { seed }) },
      );
      if (process.env.SVC_EDIT_RUNS) console.log(counts);
      if (seed === undefined) return;
      expect(counts.served, "entries served").toBeLessThan(0.6 * counts.entries);
      expect(counts.refusals, "refusals").toBeLessThan(0.3 * counts.publishes);
    },
    RUNS * 30_000,
  );
});

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

/** Fields of the project. */
const SETTINGS = [
  { key: "there", type: "reference" },
  { key: "missing", type: "reference" },
  { key: "logo", type: "asset" },
  { key: "text", type: "html-asset" },
];
const SHOWN = {
  ...{ there: to("alone"), missing: to("own-target") },
  ...{ logo: { assetId: "own-logo" }, text: { assetId: "own-html" } },
};
const own = (held: ReturnType<typeof heldAsset>) => {
  return { ...held, asset: { ...held.asset, id: `own-${held.asset.id}` } };
};

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
    page("alone", "Alone"),
  ];
  const files = new Map([LOGO, OTHER_LOGO, HTML, OTHER_HTML].map(({ file }) => file));
  return smallWorkspace({
    fields: SETTINGS,
    projects: [{ ...projectOf("site", ...all.map(({ id }) => id), "shown-later"), fields: SHOWN }],
    models: [MODEL, NOTE],
    blocks: [HERO],
    entries: [...all.filter((one) => !entries.some(({ id }) => id === one.id)), ...entries],
    ...assets(LOGO, HTML, own(LOGO), own(HTML)),
    files,
    ...changes,
  });
}

const without = (...ids: readonly string[]): Parts => ({
  entries: site().entries?.filter(({ id }) => !ids.includes(id)) ?? [],
});
const theirs = (...ids: readonly string[]): Parts => ({
  ...{ id: "theirs", models: [PAGE_MODEL], entries: ids.map((id) => page(id, "Theirs")) },
});
const assets = (...held: readonly ReturnType<typeof heldAsset>[]) => ({
  assets: held.map(({ asset }) => asset),
});
const ALL = 9;

/** Imports in order, and how many entries the publish after them renders. */
const DEPENDENCIES: Readonly<Record<string, readonly [served: number, ...Parts[]]>> = {
  "nothing changed": [0, site()],
  "the workspace's name": [0, site({ name: "Other" })],
  "a project's name": [0, site({ projects: [{ ...projectOf("site", "home"), name: "Other" }] })],
  "a project's field": [
    0,
    site({ projects: [{ ...projectOf("site", "home"), fields: { there: to("home") } }] }),
  ],
  "which fields projects have": [0, site({ fields: SETTINGS.slice(1) })],
  "a project is added and one removed": [
    0,
    site({ projects: [projectOf("other", "home", "later")] }),
  ],
  "a project's target is added": [1, site({}, page("own-target", "Later"))],
  "a project's target is added to another workspace": [0, theirs("own-target")],
  "a project's target is removed": [0, site(without("alone"))],
  "a project's target gets another model": [
    1,
    site({}, { ...page("alone", "Alone"), modelId: "m-note" }),
  ],
  "a project's asset is replaced": [0, site(assets(LOGO, HTML, own(OTHER_LOGO), own(HTML)))],
  "a project's asset's bytes are replaced": [
    0,
    site(assets(LOGO, HTML, own(LOGO), own(OTHER_HTML))),
  ],
  "a project's assets are removed": [0, site(assets(LOGO, HTML))],
  "a step's entry is added": [1, site({}, page("shown-later", "Later"))],
  "a flag": [0, site({ features: [{ id: "f", key: "f", name: "F", type: "boolean" }] })],
  "its own text": [1, site({}, page("alone", "Edited"))],
  "an entry without references to it is added": [1, site({}, page("more", "More"))],
  "an entry without references to it is removed": [0, site(without("alone"))],
  "its target is removed; one reference is in a block": [2, site(without("target"))],
  "its target is added": [2, site({}, page("later", "Later"))],
  "its target is removed and added again": [1, site(without("target")), site()],
  "its target is removed and added again with another title": [
    1,
    site(without("target")),
    site({}, page("target", "Another")),
  ],
  "its target gets another text": [1, site({}, page("target", "Edited"))],
  "its target gets another model": [3, site({}, { ...page("target", "T"), modelId: "m-note" })],
  "its target gets a model that is missing": [
    3,
    site({}, { ...page("target", "T"), modelId: "m-gone" }),
  ],
  "its target becomes a draft": [3, site({}, { ...page("target", "Target"), draft: true })],
  "its target becomes a draft, and none again": [
    1,
    site({}, { ...page("target", "Target"), draft: true }),
    site({}, { ...page("target", "Target"), draft: false }),
  ],
  "its target becomes a draft, and is removed": [
    2,
    site({}, { ...page("target", "Target"), draft: true }),
    site(without("target")),
  ],
  "its target is added as a draft": [2, site({}, { ...page("later", "Later"), draft: true })],
  "a project's target becomes a draft": [1, site({}, { ...page("alone", "Alone"), draft: true })],
  "the last row number is reused by a draft": [
    3,
    site(without("target", "alone")),
    site(without("target"), { ...page("alone", "Alone"), draft: true }),
  ],
  "the key of a model": [ALL, site({ models: [MODEL, { ...NOTE, key: "memo" }] })],
  "a model that only one entry has gets a field": [
    1,
    site({ models: [MODEL, { ...NOTE, fields: [...NOTE.fields, TEXT] }] }),
  ],
  "a model is removed": [ALL, site({ models: [MODEL] })],
  "its target is added to another workspace": [1, theirs("later")],
  "its target is added to another workspace and removed": [0, theirs("later"), theirs()],
  "another workspace has the same entries": [0, theirs("home", "target", "alone")],
  "its target moves to another workspace": [2, site(without("target")), theirs("target")],
  "a block's field": [ALL, site({ blocks: [{ ...HERO, fields: HERO.fields.slice(1) }] })],
  "a block is removed": [ALL, site({ blocks: [] })],
  "its asset is replaced": [2, site(assets(OTHER_LOGO, HTML, own(LOGO), own(HTML)))],
  "its asset is removed": [2, site(assets(HTML, own(LOGO), own(HTML)))],
  "its asset is removed and added again": [2, site(assets(HTML, own(LOGO), own(HTML))), site()],
  "its asset's bytes are replaced": [1, site(assets(LOGO, OTHER_HTML, own(LOGO), own(HTML)))],
  "its asset gets the version": [
    2,
    site({
      assets: assets(LOGO, HTML, own(LOGO), own(HTML)).assets.map((one) =>
        one.id === "logo" ? { ...one, versions: [{ ...one, id: "v1" }] } : one,
      ),
    }),
  ],
  "an asset that it does not show": [
    0,
    site(assets(LOGO, HTML, { ...LOGO, asset: { ...LOGO.asset, id: "other" } })),
  ],
  "whether texts of assets are served": [ALL, site({ assetTexts: true })],
  "the base URL of assets": [ALL, site({ assetBaseUrl: "https://cdn.example" })],
  "the last row number is reused by another entry": [
    1,
    site({}, page("last", "Last")),
    site(),
    site({}, page("first", "First")),
  ],
  "the last row number is reused by an entry of another workspace": [
    0,
    site(without("alone")),
    theirs("alone"),
  ],
  "two entries swap contents": [
    4,
    site({}, page("alone", "Target"), { ...page("target", "Alone"), modelId: "m-note" }),
    site({}, page("alone", "Target"), { ...page("target", "Alone"), modelId: "m-note" }),
  ],
};

describe("an entry is rendered again exactly when one of its dependencies changes", () => {
  it.each(Object.entries(DEPENDENCIES))("%s", (_what, [served, ...imports]) => {
    const bed = new TestBed(theirs(), site());
    const { served: all, ...first } = published(bed);
    expect(all).toBe(ALL);
    const files = bytesBelow(bed.out);
    for (const parts of imports) bed.import(parts);
    const then = published(bed);

    const last = (id: string) => imports.findLast((one) => (one.id ?? "w") === id);
    const fresh = new TestBed(last("theirs") ?? theirs(), last("w") ?? site());
    const { served: _all, ...wanted } = published(fresh);
    expect(then).toEqual({ ...wanted, served });
    expect(bytesBelow(bed.out)).toEqual(bytesBelow(fresh.out));

    // And back.
    for (const parts of [theirs(), site()]) bed.import(parts);
    expect(published(bed)).toMatchObject(first);
    expect(bytesBelow(bed.out)).toEqual(files);
  });

  it.each([false, true])(
    "the last row number is reused: nothing of the former entry is left; a publish between: %s",
    (isPublishedBetween) => {
      const last = page("last", "Last");
      const showing = { projects: [projectOf("site", "home", "last", "next")] };
      const bed = new TestBed(site(showing, page("home", "Home", { next: to("last") }), last));
      published(bed);
      const without = page("home", "Home", { next: to("last") });
      bed.import(site(showing, without));
      if (isPublishedBetween) expect(published(bed).served).toBe(1);
      const then = site(showing, without, page("next", "Next"));
      bed.import(then);
      expect(published(bed).served).toBe(isPublishedBetween ? 1 : 2);
      const fresh = new TestBed(then);
      expect(published(bed).problems).toEqual(published(fresh).problems);
      expect(bytesBelow(bed.out)).toEqual(bytesBelow(fresh.out));
    },
  );

  it("an empty workspace gets its first entries", () => {
    const bed = new TestBed(site({ entries: [] }));
    published(bed);
    bed.import(site());
    expect(published(bed).served).toBe(ALL);
    const fresh = new TestBed(site());
    published(fresh);
    expect(bytesBelow(bed.out)).toEqual(bytesBelow(fresh.out));
  });

  it("another program renders all entries again, and so does one without a fingerprint", () => {
    const bed = new TestBed(site());
    expect(published(bed).served).toBe(ALL);
    expect(published(bed).served).toBe(0);
    expect(published(bed, "q").served).toBe(ALL);
    expect(published(bed, null).served).toBe(ALL);
    expect(published(bed, "q").served).toBe(0);
  });

  it("R4: an error in the changed entry is reported until it is fixed", () => {
    const bed = new TestBed(site());
    published(bed);
    bed.import(site({}, page("alone", "Alone", { title: 7 })));
    for (let times = 0; times < 2; times += 1) {
      const { code, problems } = published(bed);
      expect(code).toBe("draft-has-problems");
      expect(problems?.[0]).toMatchObject({ code: "value-type" });
    }
    bed.import(site({}, page("alone", "Fixed")));
    expect(published(bed)).toMatchObject({ served: 1 });
  });

  it("publish uses the rendering of a check, and a check that of a publish", () => {
    const bed = new TestBed(site());
    expect(checked(bed).served).toBe(ALL);
    expect(published(bed).served).toBe(0);
    bed.import(site({}, page("alone", "Edited")));
    expect(published(bed).served).toBe(1);
    expect(checked(bed).served).toBe(0);
  });

  it("a rendering that was rolled back, by a dry run or a refusal, is not used", () => {
    const bed = new TestBed(site());
    published(bed);
    const title = () =>
      bed.file("api/v1/projects/site/experiences/alone/content.json").content[0].data.title;
    for (const [dry, edited] of ["One", "Two", "Three", "Four"].entries()) {
      const error = page("picture", "Picture", dry > 1 ? { next: 7 } : {});
      bed.import(site({}, page("alone", `Dry ${edited}`), error));
      if (dry > 1) expect(published(bed).code).toBe("draft-has-problems");
      else bed.publish({ dryRun: true });
      bed.import(site({}, page("alone", edited)));
      published(bed);
      expect(title()).toBe(edited);
    }
  });

  it("an entry with another asset publishes the file of that asset only", () => {
    const [logo, photo] = [heldAsset("logo", "a.png", "a logo"), heldAsset("photo", "b.png", "b")];
    const withPicture = (assetId: string) =>
      smallWorkspace({
        entries: [page("home", "Home", { picture: { assetId } })],
        assets: [logo.asset, photo.asset],
        files: new Map([logo.file, photo.file]),
      });
    const bed = new TestBed(withPicture("logo"));
    bed.publish();
    bed.import(withPicture("photo"));
    bed.publish();
    const paths = Object.keys(bytesBelow(bed.out));
    expect(paths).toContain(photo.path);
    expect(paths).not.toContain(logo.path);
  });

  it("P3: a reference that is too deep is still reported after another edit of its entry", () => {
    const chain = (title: string) =>
      smallWorkspace({
        entries: Array.from({ length: 8 }, (_, index) =>
          page(index === 0 ? "home" : `e${index}`, index === 5 ? title : "Title", {
            ...(index < 7 && { next: to(`e${index + 1}`) }),
          }),
        ),
      });
    const bed = new TestBed(chain("Before"));
    bed.publish();
    bed.import(chain("After"));
    expect(bed.publish().problems).toMatchObject([
      { code: "reference-too-deep", at: { id: "e5" } },
    ]);
  });

  it("an import of the same records does not change the draft's revision", () => {
    const bed = new TestBed(site());
    const { revision } = bed.store.workspace("w");
    bed.import({ ...site(), entries: site().entries?.toReversed() ?? [] });
    expect(bed.store.workspace("w").revision).toBe(revision);
    bed.import(site({}, page("alone", "Other")));
    expect(bed.store.workspace("w").revision).toBe(revision + 1);
  });
});
