import { expect, it } from "vitest";
import { Rendering } from "../../src/documents/rendering.ts";
import { Order } from "../../src/documents/select.ts";
import type { JsonObject } from "../../src/workspace/json.ts";
import { draftOf } from "../support/documents/rendered.ts";

/** The ids of entries with these data in the order of `sort`. */
function sorted(sort: string[], data: Readonly<Record<string, JsonObject>>): string[] {
  const list = { key: "list", type: "reference", repeatable: true, query: { sort } };
  const types = { n: "number", d: "date-time", i: "iso-date", t: "text", b: "boolean" };
  const fields = [list, ...Object.entries(types).map(([key, type]) => ({ key, type }))];
  const models = [{ id: "m", key: "m", name: "M", fields }];
  const entries = Object.entries(data).map(([id, own]) => ({ id, modelId: "m", data: own }));
  const rendering = new Rendering(draftOf({ models, entries }));
  const order = new Order(rendering.values, sort);
  const all = [...rendering.draft.entries.values()].map((head) => order.sortable(head, 0));
  return all.sort(order.compare).map(({ id }) => id);
}

it("V13, Q6: sorts dates of all forms by instant: without a time at midnight, without a zone in UTC", () => {
  const day = "2024-03-01";
  // Each later than the one before, to the minute or a thousandth of a second.
  const texts = [`${day}T00:00+02:00`, "2024-02-29T23:30Z", day, `${day}T00:00:00.001`];
  texts.push(`${day} 01:01 +0100`, `${day}t00:02z`, `${day}T00:00-00:03`, "2024-03-02");
  expect(sorted(["i"], Object.fromEntries(texts.map((i, at) => [`e${at}`, { i }])))).toEqual(
    texts.map((_, at) => `e${at}`),
  );
  const same = { b: { i: `${day}T02:00+02:00` }, a: { i: day }, c: { i: "no date" } };
  expect(sorted(["-i"], same)).toEqual(["a", "b", "c"]);
});

it("Q6: sorts numbers by value, dates by instant, texts by code unit, no value last, then by id", () => {
  const numbers = { a: { n: 10 }, b: { n: 9 }, c: {}, d: { n: 9 } };
  expect(sorted(["n"], numbers)).toEqual(["b", "d", "a", "c"]);
  expect(sorted(["-n"], numbers)).toEqual(["a", "b", "d", "c"]);
  const dates = { a: { d: "2026-01-01T01:00:00+02:00" }, b: { d: "2026-01-01T00:00:00Z" } };
  expect(sorted(["d"], dates)).toEqual(["a", "b"]);
  expect(sorted(["t"], { a: { t: "é" }, b: { t: "z" }, c: { t: "Z" } })).toEqual(["c", "b", "a"]);
  const both = { a: { b: true, n: 1 }, b: { b: false, n: 1 }, c: { b: false, n: 2 } };
  expect(sorted(["b", "-n"], both)).toEqual(["c", "b", "a"]);
});
