import fc from "fast-check";
import type { Asset } from "../../../src/workspace/asset.ts";
import type { Query } from "../../../src/workspace/conditions.ts";
import type { FieldDefinition } from "../../../src/workspace/field.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../src/workspace/json.ts";
import type {
  AnyCollection,
  Block,
  Entry,
  Feature,
  Model,
  Project,
} from "../../../src/workspace/records.ts";
import type { Parts } from "../test-bed.ts";
import { heldAsset } from "./small-workspace.ts";

/** A workspace with every list. */
interface Site extends Parts {
  readonly id: string;
  readonly models: readonly Model[];
  readonly blocks: readonly Block[];
  readonly features: readonly Feature[];
  readonly projects: readonly Project[];
  readonly entries: readonly Entry[];
  readonly assets: readonly Asset[];
}

/** The two workspaces of a store. They share ids of entries and texts. */
export interface World {
  readonly w: Site;
  readonly neighbour: Site;
  /** The time on the clock. */
  readonly at: number;
}

/** A change of the drafts. */
export type Edit = (world: World, pick: Pick) => World;

/** Chooses one of these. */
export type Pick = <T>(from: readonly T[]) => T;

const IDS = ["home", "a", "b", "c", "d", "e", "f", "g", "Z", "a.b", "-x", "_1"] as const;
/** Ids of references: those of entries, and some that no entry has. */
const TARGETS = [...IDS, "only-theirs", "there", "gone", "Grüße 𐀀"];
const TEXTS = ["One", "Two", "Grüße 𝐀", ""];

const HTML = ["<p>One</p>", "\ufeff<p>Grüße</p>\r\n", Buffer.from([0xff, 0xfe])].map((bytes) =>
  heldAsset("html", "page.html", bytes, "text/html"),
);
const LOGOS = [
  heldAsset("logo", "logo #1.png", "a logo"),
  heldAsset("logo", "logo #1.png", "b logo"),
  heldAsset("logo", "other.png", "a logo"),
];
const BY_URL: Asset = {
  id: "logo",
  fileName: "logo.png",
  mimeType: "image/png",
  sizeBytes: null,
  width: 3,
  height: null,
  url: "https://media.example/logo.png",
};
const ASSETS: readonly Asset[] = [
  ...[...LOGOS, ...HTML].map(({ asset }) => asset),
  BY_URL,
  { ...BY_URL, width: 4 },
  { ...BY_URL, title: "A logo" },
  { ...BY_URL, title: { en: "A logo", de: "Ein Logo" } },
  { ...(LOGOS[0] as (typeof LOGOS)[0]).asset, versions: [{ ...BY_URL, id: "v1" }] },
  {
    ...(HTML[0] as (typeof HTML)[0]).asset,
    versions: [{ ...(HTML[1] as (typeof HTML)[0]).asset, id: "v1" }],
  },
];
const FILES = new Map([...LOGOS, ...HTML].map(({ file }) => file));

const PAGE_FIELDS: readonly FieldDefinition[] = [
  { key: "title", type: "text", required: true },
  { key: "next", type: "reference" },
  { key: "related", type: "reference", repeatable: true },
  { key: "picture", type: "asset" },
  { key: "text", type: "html-asset" },
  { key: "parts", type: "content-block", repeatable: true },
  { key: "teaser", type: "reference", localized: true },
];
const TITLE: FieldDefinition = { key: "title", type: "text", required: true, title: true };
const SUMMARY: FieldDefinition = { key: "summary", type: "text" };
const SLUG: FieldDefinition = { key: "slug", type: "text", unique: true };
const SLUGS = ["one", "two", "three", "four", "five", "six", null];
const ONLY_PAGES = { key: "page", type: "reference", models: ["page", "note"] } as FieldDefinition;

/** Each model has one of two keys. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  "m-page": ["page", "leaf"],
  "m-note": ["note", "memo"],
  "m-more": ["more", "constructor"],
};

function model(id: string): Model {
  const fields = id === "m-note" ? [...PAGE_FIELDS, ONLY_PAGES] : [...PAGE_FIELDS, SLUG];
  return { id, key: KEYS[id]?.[0] ?? id, name: id, fields };
}

function block(id: string): Block {
  const fields = PAGE_FIELDS.map(({ required: _required, ...field }) => field);
  return { id, key: id.slice(2), name: id, fields };
}

const to = (contentEntryId: string) => ({ contentEntryId });

/** A value for every field that a model or a block may have. */
const FILLED: JsonObject = {
  title: "One",
  summary: "In short",
  related: [to("Z")],
  picture: { assetId: "logo" },
  text: { assetId: "html" },
};

/** The links between entries form long chains. */
function entry(id: string, data: JsonObject, modelId = "m-page"): Entry {
  return { id, modelId, data: { title: "One", summary: "In short", ...data } };
}

function project(id: string, targets: readonly string[]): Project {
  return {
    id,
    name: id,
    fields: { tagline: "One", start: to("there"), text: { assetId: "html" } },
    steps: targets.map((layoutContentId, at) => ({
      id: `s${at}`,
      key: `step-${at}`,
      name: "",
      layoutName: "Plain",
      layoutContentId,
    })),
    experiences: targets.map((_target, at) => ({
      id: `x${at}`,
      key: `tour-${at}`,
      name: "",
      stepIds: [`s${at}`, `s${(at + 1) % 3}`],
    })),
  };
}

const SETTINGS = [
  { key: "tagline", type: "text" },
  { key: "start", type: "reference" },
  { key: "text", type: "html-asset" },
];

/** Chains, a cycle, a hub, a reference to the other workspace, and entries shown twice. */
export const FIRST: World = {
  w: {
    id: "w",
    fields: SETTINGS,
    files: FILES,
    assetBaseUrl: "https://cdn.example",
    models: ["m-page", "m-note"].map(model),
    blocks: ["b-hero", "b-row"].map(block),
    features: [{ id: "f-beta", key: "beta", name: "Beta", type: "boolean" }],
    projects: [
      { ...project("site", ["home", "_1", "Z", "there"]), locale: "en" },
      { ...project("zweite", ["home", "e"]), locale: "de", fallbackLocales: ["en"] },
    ],
    entries: [
      entry("home", {
        next: to("a"),
        related: [to("Z"), to("gone")],
        picture: { assetId: "logo" },
        teaser: { en: to("c"), de: to("Z") },
      }),
      ...["a", "b", "c", "d", "e", "f", "g"].map((id, at, ids) =>
        entry(id, { next: to(ids[at + 1] ?? "a") }, at % 3 === 1 ? "m-note" : "m-page"),
      ),
      entry("Z", {
        parts: ["b-hero", "b-row", "b-more"].map((contentBlockId) => ({
          contentBlockId,
          data: { ...FILLED, next: to("g") },
        })),
        next: to("only-theirs"),
        text: { assetId: "html" },
      }),
      entry("_1", { ...FILLED, next: to("there") }, "m-more"),
    ],
    assets: [ASSETS[0], ASSETS[3]] as Asset[],
  },
  neighbour: {
    id: "neighbour",
    fields: SETTINGS,
    files: FILES,
    models: ["m-page"].map(model),
    blocks: [],
    features: [],
    projects: [{ ...project("theirs", ["home", "only-theirs", "Z"]), locale: "en" }],
    entries: [entry("home", { next: to("only-theirs") }), entry("only-theirs", { next: to("b") })],
    assets: [ASSETS[0]] as Asset[],
  },
  at: Date.parse("2026-06-01T00:00:00Z"),
};

/** Of ids that come from slugs and titles, which edits change. */
export const COLLECTIONS: readonly AnyCollection[] = [
  { model: "page", id: "page-{slug}", layoutName: "Page", steps: ["s0", "{step}"] },
  {
    ...{ model: "page", id: "{id}-page", key: "p-{id}", layoutName: "Page" },
    list: { id: "pages-{page}", size: 2, sort: "-slug" },
  },
  { model: "note", id: "{slug}", stepId: "note-{id}", name: "{title}", layoutName: "Note" },
  { model: "leaf", id: "X{id}", where: { title: "One" }, layoutName: "Leaf" },
  {
    ...{ model: "note", id: "note.{id}", key: "n-{id}", stepKey: "s-{title}", layoutName: "Note" },
    list: { id: "notes-{page}", key: "page-one", name: "Notes", size: 3 },
  },
  {
    ...{ model: "page", id: "due-{id}", where: { on: { before: "$now" } }, layoutName: "Page" },
    list: { id: "due-pages-{page}", size: 3, sort: ["-on", "title"] },
  },
  { model: "page", id: "to-{next}", name: "{id}", layoutName: "Next" },
  { by: "page.title", id: "of-{value}-{page}", size: 2, sort: "-slug" },
  {
    by: "note.next",
    id: "{value}-{page}",
    key: "to-{value}-{page}",
    name: "{page}: {value}",
    size: 1,
  },
  { by: "page.related", id: "about-{value}-{page}", key: "about-{value}-{page}", size: 2 },
];

const TIMES = ["2026-01-01T00:00:00Z", "2026-03-01T01:00:00+01:00", "2026-06-01T00:00:00.5Z"];

type Change<T> = (record: T, pick: Pick) => readonly T[];

/** Of the workspace `w` mostly. */
function ofSite(change: (site: Site, pick: Pick) => Partial<Site>): Edit {
  return (world, pick) => {
    const whose = pick(["w", "w", "w", "neighbour"] as const);
    return { ...world, [whose]: { ...world[whose], ...change(world[whose], pick) } };
  };
}

/** Replaces one record of a list. */
function change<T>(list: readonly T[], pick: Pick, change: Change<T>): T[] {
  const chosen = list.length === 0 ? undefined : pick(list);
  return list.flatMap((one) => (one === chosen ? change(one, pick) : one));
}

const ofEntry = (what: Change<Entry>) =>
  ofSite(({ entries }, pick) => ({ entries: change(entries, pick, what) }));
const ofData = (what: (pick: Pick) => JsonObject) =>
  ofEntry((one, pick) => [{ ...one, data: { ...one.data, ...what(pick) } }]);
const ofModel = (what: Change<Model>) =>
  ofSite(({ models }, pick) => ({ models: change(models, pick, what) }));
const ofBlock = (what: Change<Block>) =>
  ofSite(({ blocks }, pick) => ({ blocks: change(blocks, pick, what) }));
const ofProject = (what: (one: Project, pick: Pick) => Partial<Project>) =>
  ofSite(({ projects }, pick) => ({
    projects: change(projects, pick, (one) => [{ ...one, ...what(one, pick) }]),
  }));

/** Adds or removes the field. */
function toggled<M extends Model>(record: M, field: FieldDefinition): M {
  const others = record.fields.filter(({ key }) => key !== field.key);
  const isThere = others.length < record.fields.length;
  return { ...record, fields: isThere ? others : [...others, field] };
}

/** Replaces the record with this id, or adds it. */
function put<T extends { readonly id: string }>(list: readonly T[], record: T): T[] {
  return [...list.filter(({ id }) => id !== record.id), record];
}

/** One of the fields of the record is localized, or no more. */
function localized<M extends Model>(record: M, pick: Pick): M {
  const key = pick(["title", "next", "slug", "parts", "picture"]);
  return {
    ...record,
    fields: record.fields.map((field) => {
      const { localized: was = false, ...plain } = field;
      return field.key !== key ? field : { ...plain, ...(!was && { localized: true }) };
    }),
  };
}

const toggle = <T>(list: readonly T[], of: T): T[] =>
  list.includes(of) ? list.filter((one) => one !== of) : [...list, of];

const someEntry = (pick: Pick, site: Site): Entry =>
  entry(
    pick(IDS),
    {
      title: pick(TEXTS),
      ...pick([{}, { next: to(pick(TARGETS)) }]),
      ...pick([{}, { picture: { assetId: pick(["logo", "html", "none"]) } }]),
    },
    pick([...site.models.map(({ id }) => id), "m-page", "m-gone"]),
  );

const BETA_TEXT: Feature = {
  id: "f-text",
  key: "look",
  name: "Look",
  type: "text",
  variants: [{ id: "v", key: "wide", name: "Wide" }],
};

/** Every kind of change of a draft without queries and collections, by name. */
export const PLAIN_EDITS: Readonly<Record<string, Edit>> = {
  "an entry's title": ofData((pick) => ({ title: pick(TEXTS) })),
  "an entry's link": ofData((pick) => ({ next: to(pick(TARGETS)) })),
  "an entry's link is gone": ofData(() => ({ next: null })),
  "an entry's slug": ofData((pick) => ({ slug: pick(SLUGS) })),
  "an entry's links": ofData((pick) => ({ related: [to(pick(TARGETS)), to(pick(TARGETS))] })),
  "an entry's link to a model": ofData((pick) => ({ page: to(pick(TARGETS)) })),
  "an entry's asset": ofData((pick) => ({
    picture: { assetId: pick(["logo", "html", "none"]), ...pick([{}, {}, { versionId: "v1" }]) },
  })),
  "an entry's html": ofData((pick) => ({
    text: { assetId: pick(["html", "none"]), ...pick([{}, {}, { versionId: "v1" }]) },
  })),
  "an entry's blocks": ofData((pick) => ({
    parts: [
      {
        contentBlockId: pick(["b-hero", "b-row", "b-more"]),
        data: { ...FILLED, title: pick(TEXTS), next: to(pick(TARGETS)) },
      },
    ],
  })),
  "an entry is of another model": ofEntry((one, pick) => [
    { ...one, modelId: pick([...Object.keys(KEYS), "m-gone"]) },
  ]),
  "an entry is removed": ofEntry(() => []),
  "an entry is renamed": ofSite(({ entries }, pick) => ({
    entries: change(entries, pick, (one) => {
      const id = pick(TARGETS);
      return [
        entries.some((other) => other.id === id) || !/^[ -~]+$/.test(id) ? one : { ...one, id },
      ];
    }),
  })),
  "an entry is added or replaced": ofSite((site, pick) => ({
    entries: put(site.entries, someEntry(pick, site)),
  })),
  "an entry is reset": (world, pick) => {
    const back = pick(FIRST.w.entries);
    return { ...world, w: { ...world.w, entries: put(world.w.entries, back) } };
  },
  "two entries swap ids": ofSite(({ entries }, pick) => {
    const [one, other] = [pick(IDS), pick(IDS)];
    const named = (id: string) => (id === one ? other : id === other ? one : id);
    return { entries: entries.map((each) => ({ ...each, id: named(each.id) })) };
  }),
  "an entry has an error": ofData((pick) => pick([{ title: 7 }, { title: null }])),
  "an entry moves to the other workspace": ({ w, neighbour, at }, pick) => {
    if (w.entries.length === 0) return { w, neighbour, at };
    const moved = pick(w.entries);
    const entries = w.entries.filter((one) => one !== moved);
    const theirs = put(neighbour.entries, moved);
    return { w: { ...w, entries }, neighbour: { ...neighbour, entries: theirs }, at };
  },
  "an entry is a draft, or no more": ofEntry(({ draft = false, ...one }) => [
    { ...one, ...(!draft && { draft: true }) },
  ]),
  "an entry is a draft in some locales": ofEntry(({ draft: _draft, ...one }, pick) => {
    const locale = () => pick([{}, { de: true }, { en: true }, { fr: true, en: false }]);
    return [{ ...one, draft: { ...locale(), ...locale() } }];
  }),
  "an entry has a time": ofEntry(({ publishAt: _from, unpublishAt: _until, ...one }, pick) => [
    {
      ...one,
      ...pick([
        {},
        { publishAt: pick(TIMES) },
        { unpublishAt: pick(TIMES) },
        { publishAt: pick(TIMES.slice(0, 1)), unpublishAt: pick(TIMES.slice(1)) },
      ]),
    },
  ]),
  "the time": (world, pick) => ({ ...world, at: Date.parse(pick(TIMES)) + pick([-1, 0, 1]) }),
  "a target comes or goes": (world, pick) => {
    const whose = pick(["w", "neighbour"] as const);
    const id = pick(["only-theirs", "there", "Z", "b"]);
    const { entries } = world[whose];
    const others = entries.filter((one) => one.id !== id);
    const isThere = others.length < entries.length;
    const now = isThere ? others : [...entries, entry(id, {})];
    return { ...world, [whose]: { ...world[whose], entries: now } };
  },

  "a model's name": ofModel((one, pick) => [{ ...one, name: pick(TEXTS) }]),
  "a model's key": ofModel((one) => {
    const key = KEYS[one.id]?.find((other) => other !== one.key) ?? one.key;
    return [{ ...one, key }];
  }),
  "a model's field more or less": ofModel((one, pick) => [
    toggled(one, pick([SUMMARY, SLUG, SLUG, ...PAGE_FIELDS.slice(1), ONLY_PAGES])),
  ]),
  "a model is removed": ofModel(() => []),
  "a model is added": ofSite(({ models }, pick) => ({
    models: put(models, model(pick(Object.keys(KEYS)))),
  })),

  "a block's name or category": ofBlock((one, pick) => [
    { ...one, ...pick([{ name: pick(TEXTS) }, { category: "wide" }]) },
  ]),
  "a block's field more or less": ofBlock((one, pick) => [toggled(one, pick(PAGE_FIELDS))]),
  "a block is removed": ofBlock(() => []),
  "a block is added": ofSite(({ blocks }, pick) => ({
    blocks: put(blocks, block(pick(["b-hero", "b-row", "b-more"]))),
  })),

  "an asset is added or replaced": ofSite(({ assets }, pick) => ({
    assets: put(assets, pick(ASSETS)),
  })),
  "an asset is removed": ofSite(({ assets }, pick) => ({ assets: change(assets, pick, () => []) })),

  "where assets are": ofSite((_site, pick) => ({
    assetBaseUrl: pick(["", "https://cdn.example", "https://other.example/a/"]),
  })),
  "texts of assets are served or not": ofSite(({ assetTexts = false }) => ({
    assetTexts: !assetTexts,
  })),
  "a flag more or less": ofSite(({ features }) => ({ features: toggle(features, BETA_TEXT) })),
  "a project field more or less": ofSite(({ fields = [] }, pick) => ({
    fields: toggle(fields, pick(SETTINGS)),
  })),
  "the workspace's name": ofSite((_site, pick) => ({ name: pick(TEXTS) })),

  "a field is localized or not": ofModel((one, pick) => [localized(one, pick)]),
  "a block's field is localized or not": ofBlock((one, pick) => [localized(one, pick)]),
  "an entry's values in languages": ofData((pick) => ({
    title: pick([{ en: pick(TEXTS), de: pick(TEXTS) }, { en: pick(TEXTS) }, { fr: "Un" }]),
    ...pick([{}, { teaser: { en: to(pick(TARGETS)), de: to(pick(TARGETS)) } }]),
    ...pick([{}, { next: { en: to(pick(TARGETS)), de: to(pick(TARGETS)) } }]),
    ...pick([{}, { slug: { en: pick(SLUGS), de: pick(SLUGS) } }]),
  })),
  "a project's language": ofProject((_one, pick) =>
    pick([
      { locale: "en", fallbackLocales: [] },
      { locale: "de", fallbackLocales: pick([["en"], ["fr", "en"], []]) },
      { locale: pick(["fr", "de-AT"]), fallbackLocales: ["de", "en"] },
    ]),
  ),
  "a project's name": ofProject((_one, pick) => ({ name: pick(TEXTS) })),
  "a project's field": ofProject(({ fields }, pick) => ({
    fields: { ...fields, ...pick([{ tagline: pick(TEXTS) }, { start: to(pick(TARGETS)) }]) },
  })),
  "a step shows another entry": ofProject(({ steps }, pick) => ({
    steps: change(steps, pick, (step) => [{ ...step, layoutContentId: pick(TARGETS) }]),
  })),
  "a step shows nothing": ofProject(({ steps }, pick) => ({
    steps: change(steps, pick, ({ layoutContentId: _content, ...step }) => [step]),
  })),
  "a step is removed": ofProject(({ steps }, pick) => ({ steps: change(steps, pick, () => []) })),
  "an experience is removed": ofProject(({ experiences }, pick) => ({
    experiences: change(experiences, pick, () => []),
  })),
  // In place of the one that was added before: keys are unique.
  "an experience is added": ofProject(({ experiences }, pick) => ({
    experiences: put(
      experiences.filter(({ key }) => key !== "added"),
      {
        id: pick(["x0", "x5", "X", "-"]),
        key: "added",
        name: pick(TEXTS),
        stepIds: [pick(["s0", "s1", "gone"]), pick(["s0", "s2"])],
      },
    ),
  })),
  "experiences and steps in another order": ofProject(({ steps, experiences }) => ({
    steps: steps.toReversed(),
    experiences: experiences.toReversed(),
  })),
  "a project more or less": (world) => {
    const { projects } = world.w;
    const more = { ...project("a.second", ["b", "home"]), locale: "de" };
    const isThere = projects.some(({ id }) => id === more.id);
    const others = projects.filter(({ id }) => id !== more.id);
    return { ...world, w: { ...world.w, projects: isThere ? others : [...others, more] } };
  },

  "everything is reset": () => FIRST,
  nothing: (world) => world,
};

const ORDER: FieldDefinition = { key: "order", type: "integer" };
const ON: FieldDefinition = { key: "on", type: "date-time" };

/** Some ask for fields that only some models have, or none. */
const QUERIES: readonly Query[] = [
  { where: { next: "$self" } },
  { where: { title: { same: "title" } }, sort: "-order", limit: 2 },
  { sort: ["-on", "title"], limit: 3 },
  { where: { on: { before: "$now" } }, sort: "-on" },
  { where: { on: { after: "2026-02-01" } }, limit: 1 },
  { where: { related: "$self", slug: "one" } },
  { where: { title: "One", order: { same: "order" } } },
  { where: { teaser: { same: "next" } }, sort: "slug" },
];

function toggledQuery<M extends Model>(record: M, pick: Pick): M {
  const models = pick([{}, {}, { models: ["page"] }, { models: ["note", "page"] }]);
  const key = pick(["found", "also"]);
  const field = { key, type: "reference", repeatable: true, query: pick(QUERIES), ...models };
  return toggled(record, field);
}

/** Every kind of change of a draft, by name. */
export const EDITS: Readonly<Record<string, Edit>> = {
  ...PLAIN_EDITS,
  "a model's query more or less": ofModel((one, pick) => [toggledQuery(one, pick)]),
  "another model's query more or less": ofModel((one, pick) => [toggledQuery(one, pick)]),
  "a block's query more or less": ofBlock((one, pick) => [toggledQuery(one, pick)]),
  "a compared field more or less": ofModel((one, pick) => [toggled(one, pick([ORDER, ON]))]),
  "an entry's compared values": ofData((pick) => ({
    order: pick([1, 2, 3, null]),
    on: pick([...TIMES, "2026-06-01T00:00:00.001Z", null]),
  })),
  "a title more or less": ofModel((one) => [toggled(one, TITLE)]),
  "a project's collections": ofProject((_one, pick) => ({
    collections: [pick(COLLECTIONS), pick(COLLECTIONS)],
  })),
  "collections in another order": ofProject(({ collections = [] }) => ({
    collections: collections.toReversed(),
  })),
};

/** Without the errors that prevent publishing. */
export function withoutErrors({ w, neighbour, at }: World): World {
  const fix = (site: Site): Site => {
    const fieldsOf = new Map(
      [...site.models, ...site.blocks].map(({ id, fields }) => [id, fields]),
    );
    const fitted = (of: string, data: JsonObject): JsonObject =>
      Object.fromEntries(
        Object.entries(data).map(([key, value]) => {
          const field = fieldsOf.get(of)?.find((one) => one.key === key);
          return [key, field === undefined ? value : fittedValue(field, value)];
        }),
      );
    const fittedValue = ({ key, localized, required }: FieldDefinition, value: JsonValue) => {
      const one = withoutLocales(value);
      const text = required && (typeof one !== "string" || one.trim() === "") ? "Text" : one;
      const fit = key !== "parts" ? text : (Array.isArray(text) ? text : []).map(fittedBlock);
      return localized ? { en: fit, de: fit } : fit;
    };
    const fittedBlock = ({
      contentBlockId,
      data,
    }: {
      contentBlockId: string;
      data: JsonObject;
    }) => ({
      contentBlockId,
      data: fitted(contentBlockId, data),
    });
    return {
      ...site,
      projects: site.projects.map((one) => ({ ...one, locale: "de", fallbackLocales: ["en"] })),
      entries: site.entries.map((one) => {
        const { page: _page, slug: _slug, title = "", ...data } = one.data;
        return { ...one, data: fitted(one.modelId, { ...data, title }) };
      }),
    };
  };
  return { w: fix(w), neighbour: fix(neighbour), at };
}

/** The first value of a value for each locale. */
function withoutLocales(value: JsonValue): JsonValue {
  if (!isJsonObject(value)) return value;
  for (const locale of ["en", "de", "fr"]) {
    const one = value[locale];
    if (one !== undefined && one !== null) return one;
  }
  return value;
}

/** What a random step changes. */
export interface DrawnEdits {
  readonly edits: readonly string[];
  /** Numbers for `Pick`. */
  readonly choices: readonly number[];
}

export const drawnEdits: fc.Arbitrary<DrawnEdits> = fc.record({
  edits: fc.array(
    fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom(...Object.keys(EDITS)) },
      { weight: 1, arbitrary: fc.constant("an entry has an error") },
      { weight: 2, arbitrary: fc.constant("a target comes or goes") },
    ),
    { maxLength: 3 },
  ),
  choices: fc.array(fc.nat(1000), { minLength: 7, maxLength: 7 }),
});

/** Picks by these numbers in order. */
export function pickBy(choices: readonly number[]): Pick {
  let at = 0;
  return <T>(from: readonly T[]) => {
    const choice = choices[at % choices.length] as number;
    at += 1;
    return from[choice % from.length] as T;
  };
}

export function edited(world: World, { edits }: DrawnEdits, pick: Pick): World {
  return edits.reduce((now, name) => EDITS[name]?.(now, pick) ?? now, world);
}
