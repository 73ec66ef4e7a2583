import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RenderedEntry } from "../../src/documents/entry.ts";
import { common, isWithin } from "../../src/documents/hidden-entries.ts";
import { renderProjectFields } from "../../src/documents/project-config.ts";
import { copyTexts, Rendering } from "../../src/documents/rendering.ts";
import type { FolderDraft } from "../../src/folder/folder-draft.ts";
import type { Conditions, Query } from "../../src/workspace/conditions.ts";
import type { JsonObject, JsonValue } from "../../src/workspace/json.ts";
import { languageOf } from "../../src/workspace/language.ts";
import type { Entry, Model } from "../../src/workspace/records.ts";
import { draftOf } from "../support/documents/rendered.ts";
import { randomRuns } from "../support/random-runs.ts";
import type { Parts } from "../support/test-bed.ts";

const FIELDS = [
  { key: "word", type: "text", localized: true },
  { key: "tags", type: "text", repeatable: true },
  { key: "zones", type: "select", options: ["x", "y", "z"], repeatable: true, localized: true },
  { key: "n", type: "number" },
  { key: "flag", type: "boolean" },
  { key: "day", type: "date" },
  { key: "times", type: "iso-date", repeatable: true },
  { key: "up", type: "reference" },
  { key: "links", type: "reference", repeatable: true },
];
const TEXTS = ["word", "tags", "zones"];
const REFERENCES = ["up", "links"];
const SORTED = ["word", "n", "flag", "day", "up"];

const KINDS = [TEXTS, REFERENCES, ["n"], ["flag"], ["day", "times"]];
const DAYS = ["2026-01-01", "2026-01-02", "2026-01-03"];
const TIMES = ["2026-01-01T01:00:00+01:00", "2026-01-02T00:00:00Z", "2026-01-02T12:00:00.500Z"];
const FORMS = [...TIMES, "2026-01-02T01:30+01:00", "2026-01-02"];
const CLOCK = fc
  .integer({ min: 0, max: 6 })
  .map((halves) => Date.parse(DAYS[0] as string) + halves * 21_600_000);
const IDS = ["e0", "e1", "e2", "e3", "e4", "e5"];
const to = (contentEntryId: string) => ({ contentEntryId });

const some = <T>(values: readonly T[]) => fc.constantFrom(...values);
const few = <T>(value: fc.Arbitrary<T>) => fc.array(value, { maxLength: 3 });
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const localized = <T>(value: fc.Arbitrary<T>) =>
  fc.record({ en: value, de: value }, { requiredKeys: [] });
const word = some(["x", "y", "z"]);

const data = fc.record(
  {
    word: localized(word),
    tags: few(word),
    zones: localized(few(word)),
    n: some([1, 2, 10, -0]),
    flag: fc.boolean(),
    day: some([...DAYS, "no day"]),
    times: few(some(FORMS)),
    up: some(IDS).map(to),
    links: few(some(IDS).map(to)),
  },
  { requiredKeys: [] },
);

const publishing = fc.oneof(
  { arbitrary: fc.constant({}), weight: 4 },
  some([
    { draft: true },
    { draft: { de: true } },
    { publishAt: TIMES[1] },
    { unpublishAt: TIMES[2] },
  ]),
);

const condition = some(KINDS).chain((kind) =>
  fc.tuple(
    some(kind),
    fc.oneof(
      some(kind).map((same) => ({ same })),
      ...(kind === TEXTS ? [word] : []),
      ...(kind === REFERENCES ? [some([...IDS, "$self", "$self", "$self"])] : []),
      ...(kind[0] === "n" ? [some([1, 10, 0])] : []),
      ...(kind[0] === "flag" ? [fc.boolean()] : []),
      ...(kind[0] === "day"
        ? [
            fc.record({ before: some([...DAYS, ...TIMES, "$now"]) }),
            fc.record({ after: some([...DAYS, "$now", "$now"]), before: some(TIMES) }),
            fc.constant({ after: "$now" }),
          ]
        : []),
    ),
  ),
);

const query: fc.Arbitrary<Query> = fc
  .record({
    where: fc
      .array(condition, { maxLength: 3 })
      .map((all) => Object.fromEntries(all) as Conditions),
    sort: few(fc.tuple(some(["", "-"]), some(SORTED)).map(([down, key]) => down + key)),
    limit: maybe(some([1, 2, 3])),
  })
  .map(({ limit, ...rest }) => ({ ...rest, ...(limit && { limit }) }));

/** The fields with queries: in both models, and in a block. */
const lists = fc.array(fc.record({ query, models: some([undefined, ["a"], ["b"]]) }), {
  minLength: 3,
  maxLength: 3,
});

type Lists = readonly { readonly query: Query; readonly models: string[] | undefined }[];

interface World {
  readonly lists: Lists;
  readonly entries: readonly Entry[];
}

const block = (own: JsonObject) => ({ contentBlockId: "k", data: own });
const entry = (id: string) =>
  fc
    .record({ modelId: some(["a", "a", "b"]), publishing, own: data, inner: data, deep: data })
    .map(({ modelId, publishing: says, own, inner, deep }) => {
      const held = block({ ...inner, deep: { en: block(own), de: block(deep) } } as JsonObject);
      const blocks = { blocks: [held], rich: [{ type: "p", children: [held] }] };
      return { id, modelId, ...says, data: { ...own, ...blocks } } as unknown as Entry;
    });
const world: fc.Arbitrary<World> = fc.record({ lists, entries: fc.tuple(...IDS.map(entry)) });

const PROJECTS = [
  { locale: "en" },
  { locale: "de", fallbackLocales: ["en"] },
  // A7a: without the values of drafts in de.
  { locale: "fr", fallbackLocales: ["de"] },
];

function partsOf({ lists: [first, second, third], entries }: World): Parts {
  const list = (key: string, one: Lists[number] | undefined) => ({
    key,
    type: "reference",
    repeatable: true,
    query: one?.query,
    ...(one?.models && { models: one.models }),
  });
  const held = [
    { key: "blocks", type: "content-block", repeatable: true },
    { key: "rich", type: "rich-text" },
  ];
  const model = (id: string, fields: Model["fields"]) => ({ id, key: id, name: id, fields });
  return {
    models: [
      model("a", [...FIELDS, ...held, list("found", first)]),
      // Without some of the fields, and one of them of another type.
      model("b", [...FIELDS.slice(2), ...held, list("found", second)]),
    ],
    blocks: [
      model("k", [
        ...FIELDS,
        list("inner", third),
        { key: "deep", type: "content-block", localized: true },
      ]),
    ],
    projects: PROJECTS.map((own, index) => ({
      ...own,
      id: `p${index}`,
      name: "",
      steps: [],
      experiences: [],
    })),
    entries,
  };
}

function dataOf(rendered: RenderedEntry) {
  const bytes = Buffer.alloc(rendered.size);
  copyTexts([rendered], bytes, 0);
  return JSON.parse(bytes.toString()).data;
}

/** Of each language and entry the served data. */
function allOf(rendering: Rendering) {
  const { draft, lookup } = rendering;
  return [...lookup.languages.keys()].flatMap((language) =>
    [...draft.entries.keys()].sort().map((id) => {
      const shown = rendering.shown(id, language);
      return shown && { id, language, data: dataOf(shown), pointers: shown.pointers };
    }),
  );
}

// The same, written naively.

const isHidden = ({ draft, publishAt, unpublishAt }: Entry, locale: string, at: number) =>
  draft === true ||
  (typeof draft === "object" && draft[locale] === true) ||
  (publishAt !== undefined && Date.parse(publishAt) > at) ||
  (unpublishAt !== undefined && Date.parse(unpublishAt) <= at);

function valuesIn(own: JsonObject, key: string, language: readonly string[]): JsonValue[] {
  const field = FIELDS.find((one) => one.key === key);
  const stored = own[key] as JsonValue | undefined;
  const value = field?.localized
    ? language
        .map((locale) => (stored as JsonObject | undefined)?.[locale])
        .find((one) => one !== undefined)
    : stored;
  const list = value === undefined ? [] : field?.repeatable ? (value as JsonValue[]) : [value];
  return list.map((one) =>
    typeof one === "object" ? (one as { contentEntryId: string }).contentEntryId : one,
  );
}

/** A7a. */
const languageFor = ({ draft }: Entry, language: readonly string[]) =>
  typeof draft === "object" && draft[language[0] as string] !== true
    ? language.filter((locale) => draft[locale] !== true)
    : language;

const has = (modelId: string, key: string) =>
  modelId === "a" || (key !== FIELDS[0]?.key && key !== FIELDS[1]?.key);

function naive(
  { entries }: World,
  { query: { where = {}, sort = [], limit = 20 }, models }: Lists[number],
  asker: { readonly entry: Entry; readonly own: JsonObject; readonly isBlock: boolean },
  { language, at, showsHidden }: { language: readonly string[]; at: number; showsHidden: boolean },
): string[] {
  const valuesOf = (one: Entry, key: string) =>
    has(one.modelId, key) ? valuesIn(one.data, key, languageFor(one, language)) : [];
  const own = (key: string) =>
    asker.isBlock || has(asker.entry.modelId, key)
      ? valuesIn(asker.own, key, languageFor(asker.entry, language))
      : [];
  const instant = (time: JsonValue) => (time === "$now" ? at : Date.parse(time as string));
  const fits = (one: Entry) =>
    Object.entries(where).every(([key, says]) => {
      const values = valuesOf(one, key);
      if (says === "$self") return values.includes(asker.entry.id);
      if (typeof says !== "object") return values.some((value) => value === says);
      if (
        says.same !== undefined &&
        !own(says.same).some((value) => values.some((its) => its === value))
      )
        return false;
      const { before, after } = says;
      if (before === undefined && after === undefined) return true;
      return values.some(
        (value) =>
          !Number.isNaN(instant(value)) &&
          (before === undefined || instant(value) < instant(before)) &&
          (after === undefined || instant(value) > instant(after)),
      );
    });
  const sortValue = (one: Entry, key: string) => {
    const [value] = valuesOf(one, key);
    if (key !== "day" || value === undefined) return value;
    return Number.isNaN(instant(value)) ? undefined : instant(value);
  };
  const compare = (a: Entry, b: Entry): number => {
    for (const text of [sort].flat()) {
      const [, down, key = ""] = /^(-?)(.*)$/.exec(text) ?? [];
      const [x, y] = [sortValue(a, key), sortValue(b, key)] as [number, number];
      if (x === y) continue;
      if (x === undefined) return 1;
      if (y === undefined) return -1;
      return x < y === (down === "") ? -1 : 1;
    }
    return a.id < b.id ? -1 : 1;
  };
  return entries
    .filter((one) => one.id !== asker.entry.id && (models ?? [one.modelId]).includes(one.modelId))
    .filter((one) => (showsHidden || !isHidden(one, language[0] as string, at)) && fits(one))
    .sort(compare)
    .slice(0, limit)
    .map(({ id }) => id);
}

const view = fc.record({ at: CLOCK, showsHidden: fc.boolean() });

describe("computed references", () => {
  it("Q1, Q2, Q3, Q4, Q5: a query finds what a filter and a sort written naively find, on both surfaces", () => {
    fc.assert(
      fc.property(world, view, (made, how) => {
        const rendering = new Rendering(draftOf(partsOf(made)), { view: how });
        for (const own of PROJECTS) {
          const language = languageOf(own);
          const number = rendering.languageNumber(language);
          for (const one of made.entries) {
            const shown = rendering.shown(one.id, number);
            expect(shown === undefined).toBe(!how.showsHidden && isHidden(one, own.locale, how.at));
            if (shown === undefined) continue;
            const served = dataOf(shown);
            const idsOf = (list: { contentEntryId: string }[]) =>
              list.map(({ contentEntryId }) => contentEntryId);
            const {
              blocks: [held],
              rich: [
                {
                  children: [inRich],
                },
              ],
            } = served;
            const index = one.modelId === "a" ? 0 : 1;
            const asked = { language, ...how };
            const ofEntry = { entry: one, own: one.data, isBlock: false };
            expect(idsOf(served.found)).toEqual(
              naive(made, made.lists[index] as Lists[number], ofEntry, asked),
            );
            const stored = (one.data.blocks as unknown as { data: JsonObject }[])[0]
              ?.data as JsonObject;
            const ofBlock = { entry: one, own: stored, isBlock: true };
            const inner = naive(made, made.lists[2] as Lists[number], ofBlock, asked);
            expect(idsOf(held.data.inner)).toEqual(inner);
            expect(idsOf(inRich.data.inner)).toEqual(inner);
            const [shownIn] = languageFor(one, language).filter((locale) => locale !== "fr");
            const deep = (stored.deep as JsonObject)[shownIn ?? ""] as
              | { data: JsonObject }
              | undefined;
            expect(held.data.deep === undefined).toBe(deep === undefined);
            if (deep === undefined) continue;
            const ofDeep = { entry: one, own: deep.data, isBlock: true };
            expect(idsOf(held.data.deep.data.inner)).toEqual(
              naive(made, made.lists[2] as Lists[number], ofDeep, asked),
            );
          }
        }
      }),
      { numRuns: randomRuns(400) },
    );
  });

  const mostly = fc.oneof({ arbitrary: fc.constant(true), weight: 4 }, fc.constant(false));
  const steps = fc.array(
    fc.record({
      entry: some(IDS).chain(entry),
      view,
      asksAll: mostly,
      changesValues: mostly,
      keepsView: mostly,
      removes: fc.boolean(),
    }),
    { minLength: 3, maxLength: 6, size: "max" },
  );

  it("Q8, R10: a rendering that takes over an earlier one finds the same, and its span is part of the same", () => {
    fc.assert(
      fc.property(world, steps, (first, edits) => {
        let now = first;
        let how = { at: Date.parse(DAYS[1] as string), showsHidden: false };
        let earlier: Rendering | undefined;
        for (const edit of edits) {
          const { entry: made, asksAll } = edit;
          const was = now.entries.find(({ id }) => id === made.id);
          const changed = edit.changesValues && was ? { ...was, data: made.data } : made;
          const others = now.entries.filter(({ id }) => id !== changed.id);
          const isRemoved = edit.removes && !edit.changesValues;
          now = { ...now, entries: isRemoved ? others : [...others, changed] };
          if (!edit.keepsView) how = edit.view;
          const draft = draftOf(partsOf(now), earlier?.draft as FolderDraft | undefined);
          const rendering = new Rendering(draft, { view: how, earlier });
          const fresh = new Rendering(draftOf(partsOf(now)), { view: how });
          if (asksAll) {
            expect(allOf(rendering)).toEqual(allOf(fresh));
            expect(isWithin(rendering.span, how.at)).toBe(true);
            expect(common(rendering.span, fresh.span)).toEqual(rendering.span);
          }
          earlier = rendering;
        }
      }),
      { numRuns: randomRuns(150) },
    );
  });

  it("B1, R10: what finds the same in all languages is rendered once where drafts in one are shown", () => {
    const fields = [
      { key: "n", type: "number" },
      { key: "found", type: "reference", repeatable: true, query: { where: { n: 1 } } },
    ];
    const named = (id: string, own: object) => ({ id, key: id, name: id, ...own });
    const entries = [0, 1, 2].map((n) => ({
      ...{ id: `e${n}`, modelId: "m", data: { n } },
      ...(n === 2 && { draft: { de: true } }),
    }));
    const nothing = { steps: [], experiences: [] };
    const projects = ["en", "de"].map((locale) => named(locale, { locale, ...nothing }));
    const parts = { models: [named("m", { fields })], projects, entries } as unknown as Parts;
    const draft = draftOf(parts);
    const shown = (showsHidden: boolean, earlier?: Rendering) =>
      new Rendering(draft, { view: { at: 0, showsHidden }, earlier });
    const count = (rendering: Rendering) => [...rendering.all()].length;
    const published = shown(false);
    expect(count(published)).toBe(6);
    expect([shown(true, published), shown(true)].map(count)).toEqual([3, 3]);
  });

  it("A5, Q5: while nothing falls due between two readings of the clock, the same is found", () => {
    fc.assert(
      fc.property(world, view, CLOCK, (made, how, at) => {
        const draft = draftOf(partsOf(made));
        const rendering = new Rendering(draft, { view: how });
        const { from, until } = rendering.span;
        expect(from <= how.at && how.at < until).toBe(true);
        const other = new Rendering(draft, { view: { ...how, at } });
        if (from <= at && at < until) expect(allOf(other)).toEqual(allOf(rendering));
      }),
      { numRuns: randomRuns(200) },
    );
  });

  describe("in a block of a project's field", () => {
    const list = { type: "reference", repeatable: true };
    const named = (id: string, own: object) => ({ id, key: id, name: id, ...own });

    /** What the project "p" shows of the block with these fields, in each of the locales. */
    function shownIn(
      locales: readonly string[],
      fields: readonly object[],
      own: object,
      entries: readonly Omit<Entry, "modelId">[],
    ): JsonObject[] {
      const project = (locale: string, at: number) => {
        const values = { top: { contentBlockId: "b", data: {} } };
        return named("p".repeat(at + 1), { locale, fields: values, steps: [], experiences: [] });
      };
      const parts = {
        fields: [{ key: "top", type: "content-block" }],
        models: [named("m", { fields: [own] })],
        blocks: [named("b", { fields })],
        projects: locales.map(project),
        entries: entries.map((one) => ({ ...one, modelId: "m" })),
      };
      const rendering = new Rendering(draftOf(parts as unknown as Parts));
      return rendering.projects.map((one) => {
        const { top } = renderProjectFields(rendering, one).data as { top: { data: JsonObject } };
        return top.data;
      });
    }
    const found = (contentEntryId: string) => [{ contentEntryId, contentModelKey: "m" }];

    it("Q2, Q4: a query stands in no entry, whatever the project's id", () => {
      const fields = [
        { ...list, key: "all", query: {} },
        { ...list, key: "linked", query: { where: { up: "$self" } } },
      ];
      const entries = [{ id: "p", data: { up: to("p") } }];
      expect(shownIn(["en"], fields, { key: "up", type: "reference" }, entries)).toEqual([
        { all: found("p"), linked: [] },
      ]);
    });

    it("Q3: a query finds what is so in the project's language", () => {
      const fields = [{ ...list, key: "own", query: { where: { a: "x" } } }];
      const entries = ["de", "en"].map((locale) => ({
        id: locale,
        data: { a: { [locale]: "x" } },
      }));
      expect(
        shownIn(["de", "en"], fields, { key: "a", type: "text", localized: true }, entries),
      ).toEqual([{ own: found("de") }, { own: found("en") }]);
    });
  });
});
