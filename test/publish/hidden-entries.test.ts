import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { documentAt } from "../../src/documents/documents.ts";
import { Rendering } from "../../src/documents/rendering.ts";
import { DraftRenderings } from "../../src/server/draft-renderings.ts";
import type { FieldDefinition } from "../../src/workspace/field.ts";
import { isJsonObject, type JsonValue } from "../../src/workspace/json.ts";
import {
  type Collection,
  type Entry,
  type Experience,
  isByValue,
  type Project,
  type Publishing,
  type Step,
} from "../../src/workspace/records.ts";
import { documentTexts } from "../support/documents/rendered.ts";
import { bytesBelow } from "../support/file-tree.ts";
import { randomRuns } from "../support/random-runs.ts";
import { type Parts, TestBed } from "../support/test-bed.ts";
import { CANARY, everythingIn } from "../support/workspaces/canary.ts";
import { NEIGHBOUR, randomWorkspace } from "../support/workspaces/random-workspace.ts";
import {
  heldAsset,
  PAGE_MODEL,
  page,
  projectOf,
  smallWorkspace,
} from "../support/workspaces/small-workspace.ts";

const NOW = "2026-06-01T00:00:00Z";
/** What an entry may say; the second half lets it be published. */
const HIDING: readonly Publishing[] = [
  { draft: true },
  { draft: true, publishAt: "2026-01-01T00:00:00Z" },
  { publishAt: "2026-06-01T00:00:00.001Z" },
  { unpublishAt: NOW },
  { publishAt: "2026-01-01T00:00:00Z", unpublishAt: "2026-06-01T01:00:00+01:00" },
];
const SHOWING: readonly Publishing[] = [
  {},
  { draft: false },
  { publishAt: NOW },
  { unpublishAt: "2026-06-01T00:00:00.001Z" },
  { publishAt: "2026-01-01T00:00:00Z", unpublishAt: "2027-01-01T00:00:00Z" },
];

/** Where the text of a value is an id. */
const IDS = ["assetId", "versionId", "contentEntryId", "contentBlockId"];

/** With another text wherever there is one, which no field with rules accepts. */
function marked(value: JsonValue, key = ""): JsonValue {
  if (typeof value === "string") return IDS.includes(key) ? value : `${CANARY} ${value}`;
  if (Array.isArray(value)) return value.map((item: JsonValue) => marked(item));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, marked(member, name)]),
  );
}

/** A8: a project without the experiences that have some of the entries that are gone, and no other entry. */
function projectWithout(project: Project, gone: ReadonlySet<string>, left: ReadonlySet<string>) {
  const { steps, experiences } = project;
  const entryOf = (id: string) => steps.find((step) => step.id === id)?.layoutContentId ?? "";
  const isOf = (ids: ReadonlySet<string>) => (id: string) => ids.has(entryOf(id));
  const isKept = ({ stepIds }: Experience) => stepIds.some(isOf(left)) || !stepIds.some(isOf(gone));
  const has = (some: readonly Experience[], id: string) =>
    some.some(({ stepIds }) => stepIds.includes(id));
  const [kept, others] = [experiences.filter(isKept), experiences.filter((one) => !isKept(one))];
  return {
    ...project,
    steps: steps.filter(({ id }) => has(kept, id) || !(isOf(gone)(id) || has(others, id))),
    experiences: kept,
  };
}

/** Whether a collection puts a step around others that one of these entries has, or an experience that may be gone. */
function hasCollectedAround(project: Project, gone: ReadonlySet<string>) {
  const { steps, experiences, collections = [] } = project;
  const around = collections.flatMap((one) => (isByValue(one) ? [] : (one.steps ?? [])));
  const shown = experiences.flatMap(({ stepIds }) => stepIds);
  return steps.some(
    ({ id, layoutContentId }) =>
      around.includes(id) && (gone.has(layoutContentId ?? "") || shown.includes(id)),
  );
}

const to = (contentEntryId: string) => ({ contentEntryId });
const draft = (entry: Entry): Entry => ({ ...entry, draft: true });

/** The entry `home`, which points at `next`. */
const site = (...next: readonly Entry[]): Parts =>
  smallWorkspace({ entries: [page("home", "Home", { next: to("next") }), ...next] });

/** Workspaces, with what each of their entries says. */
const hiddenIn = fc.tuple(
  randomWorkspace({ faulty: false }),
  fc.array(fc.constantFrom(...HIDING, ...SHOWING), { minLength: 12, maxLength: 12 }),
);

const SECRET = `${CANARY}-plan`;
/** Q1: all entries that there are. */
const ALL: FieldDefinition = {
  key: "all",
  type: "reference",
  repeatable: true,
  query: {},
} as FieldDefinition;

/** An entry of which every text is secret, its id too. */
const secret = (id: string): Entry =>
  page(`${SECRET}-${id}`, SECRET, { picture: { assetId: SECRET }, next: to(`${SECRET}-${id}`) });

const secretStep = (id: string, entry?: string): Step => ({
  id: `${SECRET}-step-${id}`,
  key: `${SECRET}-${id}`,
  name: SECRET,
  layoutName: SECRET,
  ...(entry !== undefined && { layoutContentId: `${SECRET}-${entry}` }),
});

/** A8: experiences that show hidden entries, and no other. */
const ONLY_HIDDEN: Readonly<
  Record<string, Partial<Project> & Pick<Experience, "stepIds"> & { entries?: readonly Entry[] }>
> = {
  "one draft": { steps: [secretStep("1", "a")], stepIds: [`${SECRET}-step-1`] },
  "a header without an entry and a draft": {
    steps: [secretStep("header"), secretStep("1", "a")],
    stepIds: [`${SECRET}-step-header`, `${SECRET}-step-1`],
  },
  "a step that does not exist and a draft": {
    steps: [secretStep("1", "a")],
    stepIds: ["gone", `${SECRET}-step-1`],
  },
  "a deleted entry and a draft": {
    steps: [secretStep("gone", "gone"), secretStep("1", "a")],
    stepIds: [`${SECRET}-step-1`, `${SECRET}-step-gone`],
  },
  "a draft, one that is not due and one that is over": {
    steps: [secretStep("1", "a"), secretStep("2", "b"), secretStep("3", "c")],
    stepIds: [1, 2, 3].map((id) => `${SECRET}-step-${id}`),
    entries: [
      draft(secret("a")),
      { ...secret("b"), publishAt: "2026-06-01T00:00:01Z" },
      { ...secret("c"), unpublishAt: NOW },
    ],
  },
  "a draft in the locale of the project": {
    locale: "de",
    steps: [secretStep("header"), secretStep("1", "a")],
    stepIds: [`${SECRET}-step-header`, `${SECRET}-step-1`],
    entries: [{ ...secret("a"), draft: { de: true } }],
  },
  "a header and the step that a collection has for a draft": {
    collections: [
      { model: "page", layoutName: "page", id: "own-{id}", stepId: "step-own-{id}" } as Collection,
    ],
    steps: [secretStep("header")],
    stepIds: [`${SECRET}-step-header`, `step-own-${SECRET}-a`],
  },
};

function documentsOf(bed: TestBed, view: { at: number; showsHidden: boolean }) {
  return bed.store.read(() => {
    const rendering = new Rendering(bed.store.draft(bed.store.workspace("w")), { view });
    return documentTexts(rendering, "preview");
  });
}

describe("A1: entries that are not published", () => {
  it("A1, A4, A8: out/ is that of the workspace without them, to the byte, and has no text of them", () => {
    const [bed, without] = [new TestBed(NEIGHBOUR), new TestBed(NEIGHBOUR)];
    const property = fc.property(hiddenIn, ([parts, says]) => {
      const entries = parts.entries.map((entry, at): Entry => {
        const publishing = says[at] as Publishing;
        const data = HIDING.includes(publishing) ? marked(entry.data) : entry.data;
        return { ...entry, ...publishing, data: data as Entry["data"] };
      });
      const shown = parts.entries.filter((_entry, at) => SHOWING.includes(says[at] as Publishing));
      bed.import({ ...parts, entries });
      const left = new Set(shown.map(({ id }) => id));
      const gone = new Set(entries.flatMap(({ id }) => (left.has(id) ? [] : [id])));
      // Q12: a collection may not name a step that the other workspace lacks.
      fc.pre(!parts.projects.some((project) => hasCollectedAround(project, gone)));
      const projects = parts.projects.map((project) => projectWithout(project, gone, left));
      without.import({ ...parts, projects, entries: shown });
      const how = { workspace: "w", at: NOW, maxRemovals: { percent: 100 } };
      const { versionId, leftOut } = bed.publish(how);
      expect(versionId).toBe(without.publish(how).versionId);
      expect(bytesBelow(bed.out)).toEqual(bytesBelow(without.out));
      expect(everythingIn(bed.out)).not.toContain(CANARY);
      const count = Object.values(leftOut).reduce((sum, some) => sum + some, 0);
      expect(count).toBe(entries.length - shown.length);
    });
    fc.assert(property, { numRuns: randomRuns(100) });
  });

  it("A2: preview serves them as any others, to the byte", () => {
    const [bed, plain] = [new TestBed(NEIGHBOUR), new TestBed(NEIGHBOUR)];
    const property = fc.property(hiddenIn, ([parts, says]) => {
      const entries = parts.entries.map((entry, at) => ({ ...entry, ...says[at] }));
      bed.import({ ...parts, entries });
      plain.import(parts);
      const at = Date.parse(NOW);
      expect(documentsOf(bed, { at, showsHidden: true })).toEqual(
        documentsOf(plain, { at, showsHidden: false }),
      );
    });
    fc.assert(property, { numRuns: randomRuns(60) });
  });

  it("A1, A2: a preview shows them, and what would be published does not", () => {
    const bed = new TestBed(site(draft(page("next", "Next")), page("other", "Other")));
    const renderings = new DraftRenderings(bed.store);
    const previewed = () => bed.store.read(() => renderings.of(bed.store.workspace("w")));
    const published = () => bed.store.read(() => renderings.published(bed.store.workspace("w")));
    const address = { kind: "content", projectId: "site", experienceId: "home" } as const;
    const shown = (rendering: Rendering) =>
      bed.store.read(() => documentAt(rendering, address, "preview")?.bytes(null).toString());
    expect(shown(previewed())).toContain('"Next"');
    expect(shown(published())).not.toContain('"Next"');
    bed.import(site(page("next", "Next"), page("other", "Other")));
    expect(published()).toBe(previewed());
    expect(shown(published())).toContain('"Next"');
  });

  it("A1, P3: a pointer at one is served as at a deleted entry, and the reason is a warning", () => {
    const bed = new TestBed(site(draft(page("next", CANARY))));
    const { problems, leftOut } = bed.publish();
    expect(bed.file("api/v1/projects/site/experiences/home/content.json")).toMatchObject({
      content: [{ id: "home", data: { title: "Home", next: { contentEntryId: "next" } } }],
      references: [],
    });
    expect(everythingIn(bed.out)).not.toContain(CANARY);
    expect(leftOut).toEqual({ draft: 1, publishAt: 0, unpublishAt: 0, inLocales: 0 });
    const at = { kind: "entry", id: "home", path: "/next" };
    const args = { target: "next", because: "draft" };
    expect(problems).toEqual([{ level: "warning", code: "reference-draft", at, args }]);
    expect(() => bed.publish({ strict: true })).toThrow("the draft has 1 problem");
  });

  it.each(Object.entries(ONLY_HIDDEN))(
    "A8, A9: an experience of %s is on the preview, and nothing of it is published",
    (_shape, { steps = [], entries = [draft(secret("a"))], stepIds, ...more }) => {
      const site = projectOf("site", "home");
      const tour = { id: SECRET, key: SECRET, name: SECRET, stepIds };
      const project: Project = {
        ...site,
        ...more,
        steps: [...site.steps, ...steps],
        experiences: [...site.experiences, tour],
      };
      const held = heldAsset(SECRET, `${SECRET}.png`, SECRET);
      const bed = new TestBed(
        smallWorkspace({
          models: [{ ...PAGE_MODEL, fields: [...PAGE_MODEL.fields, ALL] }],
          projects: [project],
          entries: [page("home", "Home"), ...entries],
          assets: [held.asset],
          files: new Map([held.file]),
        }),
      );
      bed.publish({ at: NOW });
      expect(everythingIn(bed.out)).not.toContain(SECRET);
      for (const kind of ["project", "schema", "content"] as const) {
        const address = { kind, projectId: "site", experienceId: SECRET };
        expect(bed.render("preview", address)?.bytes(null).toString(), kind).toContain(SECRET);
      }
    },
  );

  it("A10: definitions that only drafts have are published, and do not change with what is hidden", () => {
    const launch = { id: "launch", key: "launch", name: "Launch", fields: [ALL] };
    const schemaOf = (hides: boolean) => {
      const entry = { id: "x", modelId: "launch", data: {} };
      const bed = new TestBed(
        smallWorkspace({
          models: [PAGE_MODEL, launch],
          projects: [projectOf("site", "home")],
          entries: [page("home", "Home"), hides ? draft(entry) : entry],
        }),
      );
      bed.publish();
      const { $defs } = bed.file("api/v1/projects/site/schema.json");
      return $defs;
    };
    expect(Object.keys(schemaOf(true).contentModels)).toEqual(["launch", "page"]);
    expect(schemaOf(true)).toEqual(schemaOf(false));
  });

  it("A1, A9, C2, E6, S7: a step of another experience that shows one is served without content", () => {
    const site = projectOf("site", "home", "soon");
    const [home] = site.experiences as [Experience];
    const both = { ...home, stepIds: ["step-home", "step-soon"] };
    const bed = new TestBed(
      smallWorkspace({
        projects: [{ ...site, experiences: [both] }],
        entries: [page("home", "Home"), draft(page("soon", CANARY))],
      }),
    );
    const { problems } = bed.publish();
    const { steps } = bed.file("api/v1/projects/site/index.json");
    expect(steps.map((step: Entry & { layoutContentId: string }) => step.layoutContentId)).toEqual([
      "home",
      null,
    ]);
    const schema = bed.file("api/v1/projects/site/schema.json");
    expect(schema["x-svc-step-content-models"]).toEqual({ "step-home": "page" });
    expect(problems).toMatchObject([
      {
        code: "step-entry-draft",
        at: { kind: "project", id: "site", path: "/steps/1/layoutContentId" },
        args: { step: "step-soon", target: "soon", because: "draft" },
      },
    ]);
    const preview = bed.render("preview", {
      kind: "content",
      projectId: "site",
      experienceId: "home",
    });
    expect(preview?.bytes(null).toString()).toContain(CANARY);
    expect(preview?.problems).toEqual([]);
  });

  it("A1, R12: the limit of removals counts the documents of experiences that only drafts had", () => {
    const ids = ["a", "b", "c", "d"];
    const parts = (entries: readonly Entry[]) =>
      smallWorkspace({ projects: [projectOf("site", ...ids)], entries });
    const bed = new TestBed(parts(ids.map((id) => page(id, id))));
    bed.publish();
    bed.import(parts(ids.map((id) => draft(page(id, id)))));
    expect(() => bed.publish({ maxRemovals: { count: 3 } })).toThrow("4 of 6 documents");
    expect(bed.publish({ maxRemovals: { count: 4 } })).toMatchObject({ leftOut: { draft: 4 } });
  });
});

describe("A3: problems of entries that are not published", () => {
  it("A3, R4: are warnings, so that an unfinished entry prevents nothing", () => {
    const unfinished = { id: "next", modelId: "m-page", data: { title: 7, picture: "x" } };
    const bed = new TestBed(site(unfinished));
    expect(() => bed.publish()).toThrow("the draft has 2 errors");
    bed.import(site(draft(unfinished)));
    expect(bed.publish().problems.map(({ level, code, at }) => [level, code, at.id])).toEqual([
      ["warning", "reference-draft", "home"],
      ["warning", "value-type", "next"],
      ["warning", "value-type", "next"],
    ]);
  });

  it("A3: that drafts point at drafts is none, and that they point at nothing is one", () => {
    const draftOf = (id: string, next: string) => draft(page(id, id, { next: to(next) }));
    const entries = [draftOf("a", "b"), draftOf("b", "a"), draftOf("c", "c"), draftOf("d", "gone")];
    const bed = new TestBed(smallWorkspace({ entries: [page("home", "Home"), ...entries] }));
    expect(bed.publish().problems).toMatchObject([
      { level: "warning", code: "reference-deleted", at: { id: "d" } },
    ]);
  });

  it("A1a, A1a, A3, V10: a value that an unfinished entry has too is a warning of that entry, whatever its id", () => {
    const [model] = smallWorkspace().models ?? [];
    const fields = [{ key: "title", type: "text", unique: true }];
    const models = [{ ...(model as NonNullable<typeof model>), fields }];
    const entries = [page("home", "Home"), draft(page("a", "Home")), draft(page("z", "Home"))];
    const bed = new TestBed(smallWorkspace({ models, entries }));
    expect(bed.publish().problems).toMatchObject([
      { level: "warning", code: "value-duplicate", at: { id: "a" }, args: { other: "home" } },
      { level: "warning", code: "value-duplicate", at: { id: "z" }, args: { other: "home" } },
    ]);
    expect(bed.check()).toEqual(bed.publish().problems);
  });
});

describe("A4, A5: what entries say about time", () => {
  const FROM = "2026-03-01T00:00:00Z";
  const UNTIL = "2026-05-01T00:00:00Z";
  const parts = site({ ...page("next", "Next"), publishAt: FROM, unpublishAt: UNTIL });

  it("A4: an entry is published from publishAt on, and before unpublishAt", () => {
    const bed = new TestBed(parts);
    for (const [at, because] of [
      ["2026-02-28T23:59:59.999Z", "publishAt"],
      [FROM, undefined],
      ["2026-04-30T23:59:59.999Z", undefined],
      [UNTIL, "unpublishAt"],
    ] as const) {
      const { problems } = bed.publish({ at });
      expect(problems.map(({ args }) => args)).toEqual(
        because === undefined ? [] : [{ target: "next", because }],
      );
      const { references } = bed.file("api/v1/projects/site/experiences/home/content.json");
      expect(references).toHaveLength(because === undefined ? 1 : 0);
    }
  });

  it("A5a, R2: what fell due is published although the draft did not change, and nothing else is", () => {
    const bed = new TestBed(parts);
    const before = bed.publish({ at: "2026-01-01T00:00:00Z" });
    expect(bed.publish({ at: "2026-02-01T00:00:00Z" })).toMatchObject({
      published: false,
      versionId: before.versionId,
    });
    const due = bed.publish({ at: "2026-03-01T00:00:00Z" });
    expect(due).toMatchObject({ published: true, leftOut: { publishAt: 0 } });
    expect(due.versionId).not.toBe(before.versionId);
    expect(bed.publish({ at: "2026-04-01T00:00:00Z" }).published).toBe(false);
    // A job that runs late, or a clock that goes back.
    expect(bed.publish({ at: "2026-02-01T00:00:00Z" })).toMatchObject({
      published: true,
      versionId: before.versionId,
    });
    const over = { versionId: before.versionId, leftOut: { publishAt: 0, unpublishAt: 1 } };
    expect(bed.publish({ at: "2026-06-01T00:00:00Z" })).toMatchObject(over);
  });
});
