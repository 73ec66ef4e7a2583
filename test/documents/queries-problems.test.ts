import { describe, expect, it } from "vitest";
import { clockSpan, turnsOfEntries } from "../../src/documents/clock-span.ts";
import { dueEntries } from "../../src/documents/hidden-entries.ts";
import { Rendering } from "../../src/documents/rendering.ts";
import type { FolderDraft } from "../../src/folder/folder-draft.ts";
import { fieldListFaults } from "../../src/records/record-rules.ts";
import type { FieldDefinition } from "../../src/workspace/field.ts";
import type { JsonObject, JsonValue } from "../../src/workspace/json.ts";
import { problemMessage } from "../../src/workspace/problem-messages.ts";
import type { Project } from "../../src/workspace/records.ts";
import { draftOf } from "../support/documents/rendered.ts";
import { dataOn, problemsOf, summaries, withEntry } from "../support/documents/served-data.ts";
import { SURFACES, TestBed } from "../support/test-bed.ts";

const FIELDS: readonly FieldDefinition[] = [
  { key: "tags", type: "text", repeatable: true },
  { key: "day", type: "date" },
  { key: "kind", type: "select", options: ["news", "event"] } as FieldDefinition,
  { key: "up", type: "reference" },
  { key: "body", type: "rich-text" },
];
const list = (query: JsonObject, more: JsonObject = {}) =>
  ({
    key: "list",
    type: "reference",
    repeatable: true,
    query,
    ...more,
  }) as unknown as FieldDefinition;

/** Beside them, what finds so much is heavy (P6). */
const errors = (all: readonly string[]) => all.filter((one) => one.startsWith("error "));

const faultsOf = (field: FieldDefinition, kind: "models" | "blocks" | "workspace" = "models") =>
  fieldListFaults([field as unknown as JsonValue], kind).map(({ message }) => message);

describe("the definition of a query", () => {
  it("Q1: a query needs a repeatable reference, and none of what is said of stored values", () => {
    expect(
      faultsOf(list({ limit: 1000, sort: ["-a", "b"], where: { a: 1, b: { same: "c" } } })),
    ).toEqual([]);
    expect(faultsOf({ ...list({}), repeatable: false })).toEqual([
      "a query needs repeatable: true",
    ]);
    for (const option of ["required", "localized"]) {
      const [fault] = faultsOf(list({}, { [option]: true }));
      expect(fault).toBe(`a field with a query cannot have ${option}; remove one of the two`);
    }
    expect(faultsOf(list({}, { minItems: 0 }))[0]).toContain("cannot have minItems");
    expect(faultsOf(list({}), "workspace")).toEqual(["a field of projects cannot have a query"]);
    expect(faultsOf(list({ limit: 0 }))).toEqual(['"limit" of "query" must be at least 1']);
    expect(faultsOf(list({ limit: 1001 }))).toEqual(['"limit" of "query" must be at most 1000']);
    expect(faultsOf(list({ wher: {} }))).toEqual(['unknown member "wher"; did you mean "where"?']);
    expect(faultsOf(list({ where: { a: { sam: "b" } } }))).toEqual([
      'unknown member "sam"; did you mean "same"?',
    ]);
    expect(faultsOf(list({ where: { a: [] } }))[0]).toContain(
      '"a" of "where" must be a text or a number or',
    );
    expect(faultsOf({ key: "a", type: "text", query: {} } as FieldDefinition)[0]).toContain(
      "query",
    );
  });

  it("Q7a: conditions, fields to sort by and queries have limits, so few definitions cost little time", () => {
    const keys = Array.from({ length: 21 }, (_, at) => `k${at}`);
    const where = Object.fromEntries(keys.map((key) => [key, "x"]));
    expect(faultsOf(list({ where, sort: keys }))).toEqual([
      '"where" of "query" has more than 20 members',
      '"sort" of "query" has more than 20 items',
    ]);
    const many = Array.from({ length: 101 }, (_, at) => ({ ...list({}), key: `q${at}` }));
    const faults = (count: number) =>
      fieldListFaults(many.slice(0, count) as unknown as JsonValue[], "blocks");
    expect(faults(100)).toEqual([]);
    expect(faults(101).map(({ path, message }) => [...path, message])).toEqual([
      ["fields", 100, "a model or block can have a query in 100 fields; this one is beyond"],
    ]);
  });

  it("Q5: a date that is none is a fault of the definition", () => {
    for (const before of ["soon", "$later", "2026-02-30", "2026-01-01T00:00:00"]) {
      expect(faultsOf(list({ where: { day: { before } } }))[0]).toContain(
        `compares with "${before}"`,
      );
    }
    for (const before of ["$now", "2026-02-28", "2026-01-01T00:00:00+01:00"]) {
      expect(faultsOf(list({ where: { day: { before } } }))).toEqual([]);
    }
  });

  it.each<[string, JsonObject, string, string]>([
    ["a key that no model has", { where: { tgas: "a" } }, "/where/tgas", "unknown"],
    ["a key to sort by", { sort: ["-day", "dya"] }, "/sort/1", "unknown"],
    [
      "a field beside the query",
      { where: { tags: { same: "tgas" } } },
      "/where/tags/same",
      "unknown",
    ],
    ["rich text", { where: { body: "a" } }, "/where/body", "not-compared"],
    ["a query", { where: { list: "a" } }, "/where/list", "not-compared"],
    [
      "rich text beside it",
      { where: { tags: { same: "body" } } },
      "/where/tags/same",
      "not-compared",
    ],
    ["a repeatable field to sort by", { sort: "tags" }, "/sort", "repeatable"],
    ["a number for a text", { where: { tags: 1 } }, "/where/tags", "never"],
    ["no option of a select", { where: { kind: "nwes" } }, "/where/kind", "never"],
    ["$self of a text", { where: { tags: "$self" } }, "/where/tags", "never"],
    ["another kind of value", { where: { tags: { same: "day" } } }, "/where/tags", "never"],
    ["a date for a text", { where: { tags: { before: "$now" } } }, "/where/tags", "never"],
  ])("Q7: what cannot hold is an error at the definition: %s", (_what, query, path, reason) => {
    const problems = new TestBed(withEntry([...FIELDS, list(query)], {})).check("w");
    expect(summaries(problems)).toEqual([
      `error condition-invalid model subject#/fields/5/query${path}`,
    ]);
    expect(problems[0]?.args).toMatchObject({ reason });
  });

  it("Q7: a reference that is compared with the id of no entry is a warning, with the one that is meant", () => {
    const parts = withEntry([...FIELDS, list({ where: { up: "hoem" } })], {});
    const collections = [{ model: "subject", id: "x", layoutName: "x", where: { up: "gone" } }];
    const [site] = parts.projects as [Project];
    const problems = new TestBed({ ...parts, projects: [{ ...site, collections }] }).check("w");
    expect(summaries(problems)).toEqual([
      "warning reference-deleted model subject#/fields/5/query/where/up",
      "warning reference-deleted project site#/collections/0/where/up",
    ]);
    expect(problems[0]?.args).toMatchObject({ target: "hoem", suggestion: "home" });
    expect(problemsOf(withEntry([...FIELDS, list({ where: { up: "home" } })], {}))).toEqual([]);
  });

  it("Q7: conditions and sorts that can hold are no problem", () => {
    const where = { tags: { same: "tags" }, kind: "news", up: "$self", day: { after: "$now" } };
    expect(problemsOf(withEntry([...FIELDS, list({ where, sort: ["day", "up"] })], {}))).toEqual(
      [],
    );
  });
});

describe("the value of a query", () => {
  const more = (count: number, own: JsonObject = {}) => ({
    entries: Array.from({ length: count }, (_, at) => ({
      id: `e${at}`,
      modelId: "subject",
      data: own,
    })),
  });

  it.each(SURFACES)(
    "Q2: a stored value is an error, and not served, on the %s surface",
    (surface) => {
      const stored = [{ contentEntryId: "home" }];
      expect(dataOn(surface, [list({})], { list: stored }, more(1))).toEqual({
        list: [{ contentEntryId: "e0", contentModelKey: "subject" }],
      });
      expect(problemsOf(withEntry([list({})], { list: stored }, more(1)))).toEqual([
        "error value-computed entry home#/list",
      ]);
      expect(problemsOf(withEntry([list({})], { list: null }, more(1)))).toEqual([]);
    },
  );

  it("Q9: the queries of an entry find 10,000 entries at most, which is an error", () => {
    const lists = Array.from({ length: 11 }, (_, at) => ({
      ...list({ limit: 1000 }),
      key: `list${at}`,
    }));
    const parts = withEntry(lists, {}, { ...more(1001), models: [] });
    const one = {
      ...parts,
      models: [{ ...parts.models[0], id: "other", key: "other", fields: [] }, ...parts.models],
    };
    const entries = one.entries.map((entry) =>
      entry.id === "home" ? entry : { ...entry, modelId: "other" },
    );
    const bed = new TestBed({ ...one, entries } as typeof parts);
    expect(errors(summaries(bed.check("w")))).toEqual(["error query-exceeded entry home#/list9"]);
  });

  it("Q1: without a limit a query finds 20", () => {
    const found = (query: JsonObject) =>
      (dataOn("published", [list(query)], {}, more(25)) as { list: unknown[] }).list.length;
    expect(found({})).toBe(20);
    expect(found({ limit: 1000 })).toBe(25);
  });

  it("Q9: what one document shows finds 10,000 entries at most, which is an error", () => {
    const every = list({ limit: 1000 }, { models: ["subject"] });
    const of = (count: number) => errors(problemsOf(withEntry([every], {}, more(count))));
    // Each of them finds all others.
    expect(of(99)).toEqual([]);
    const parts = withEntry([every], {}, more(100));
    expect(errors(problemsOf(parts))).toEqual(["error query-exceeded project site#/experiences/0"]);
    const [problem] = new TestBed(parts).check("w");
    expect(problem?.args).toEqual({ experience: "home", count: 10_100, path: "/list" });
    expect(problem && problemMessage(problem)).toContain("find 10100 entries together");
  });
});

describe("Q9: what a query asks for", () => {
  it("Q9: a query compares 1,000 values of its record at most, which is an error", () => {
    const tags = (count: number) => ({ tags: Array.from({ length: count }, (_, at) => `t${at}`) });
    const fields = [...FIELDS, list({ where: { tags: { same: "tags" } } })];
    expect(problemsOf(withEntry(fields, tags(1000)))).toEqual([]);
    expect(problemsOf(withEntry(fields, tags(1001)))).toEqual([
      "error query-exceeded entry home#/list",
    ]);
  });
});

describe("P6a, P3: problems of documents with lists", () => {
  const model = { id: "big", key: "big", name: "Big", fields: [{ key: "text", type: "text" }] };
  const big = Array.from({ length: 30 }, (_, at) => ({
    id: `big${at}`,
    modelId: "big",
    data: { text: "x".repeat(50_000) },
  }));

  it("P6a: a field with a query is named as any other", () => {
    const parts = withEntry(
      [list({ limit: 25 }, { models: ["big"] })],
      {},
      { entries: big, models: [model] },
    );
    const [problem, ...others] = new TestBed(parts).check("w");
    expect(others).toEqual([]);
    expect(problem).toMatchObject({
      code: "document-heavy",
      args: { through: { field: "subject.list", entry: "home", entries: 25 } },
    });
  });
});

describe("the clock", () => {
  const at = (iso: string) => Date.parse(iso);
  const rendering = (where: JsonObject, own: JsonObject, time: number, earlier?: Rendering) => {
    const parts = withEntry(
      [...FIELDS, list({ where })],
      {},
      {
        entries: [{ id: "other", modelId: "subject", data: own }],
      },
    );
    const draft = draftOf(parts, earlier?.draft as FolderDraft | undefined);
    return new Rendering(draft, { view: { at: time, showsHidden: false }, earlier });
  };

  it("A5, Q5: the span ends exactly where an entry is found, or no longer", () => {
    const day = at("2026-03-01");
    const own = { day: "2026-03-01", kind: "news" };
    const found = (where: JsonObject, time: number) =>
      rendering(where, own, time).entry("home", 0)?.pointers.length;
    for (const [where, turn, before] of [
      [{ day: { after: "$now" } }, day, 1],
      [{ day: { before: "$now" }, kind: "news" }, day + 1, 0],
    ] as const) {
      expect([found(where, turn - 1), found(where, turn)]).toEqual([before, 1 - before]);
      expect(rendering(where, own, turn - 1).span.until).toBe(turn);
      expect(rendering(where, own, turn).span.from).toBe(turn);
    }
    // One that another condition leaves out changes nothing.
    expect(
      clockSpan(rendering({ day: { after: "$now" }, kind: "event" }, own, day).values),
    ).toEqual({
      from: Number.NEGATIVE_INFINITY,
      until: Number.POSITIVE_INFINITY,
    });
  });

  it("A6, Q5: dates that conditions compare with the clock fall due, those of hidden entries too", () => {
    const now = at("2026-02-01");
    const query = list({ where: { day: { before: "$now" } } });
    const data = { day: "2026-03-01" };
    const over = { publishAt: "2020-01-01T00:00:00Z", unpublishAt: "2020-02-01T00:00:00Z" };
    const entries = [{ id: "other", modelId: "subject", data, ...over }];
    const draft = draftOf(withEntry([...FIELDS, query], {}, { entries }));
    const shown = new Rendering(draft, { view: { at: now, showsHidden: false } });
    expect(shown.find("other")).toBeUndefined();
    expect(dueEntries(shown.draft, now, now, turnsOfEntries(shown.values))).toEqual([
      { id: "other", change: "list", at: "2026-03-01T00:00:00.001Z", isDue: false },
    ]);
    const later = at("2026-03-02");
    expect(dueEntries(shown.draft, now, later, turnsOfEntries(shown.values))[0]?.isDue).toBe(true);
    expect(dueEntries(shown.draft, later, later, turnsOfEntries(shown.values))).toEqual([]);
  });
});
