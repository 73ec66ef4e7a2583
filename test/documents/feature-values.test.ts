import { describe, expect, it } from "vitest";
import type { Feature, Variant } from "../../src/workspace/records.ts";
import { documentOn, type Parts, SURFACES, TestBed } from "../support/test-bed.ts";

const SCHEMA = { kind: "schema", projectId: "p" } as const;
const VALUES = "x-svc-feature-values";

const row = (key: string, changes: Partial<Variant> = {}): Variant => ({
  id: `id-${key}`,
  key,
  name: `Name ${key}`,
  ...changes,
});
const off = { value: false } as const;

function feature(key: string, type: Feature["type"], variants?: readonly Variant[]): Feature {
  return { id: `f-${key}`, key, name: key, type, ...(variants && { variants }) };
}

const withFeatures = (...features: Feature[]): Parts => ({
  features,
  projects: [{ id: "p", name: "P", steps: [], experiences: [] }],
});

describe.each(SURFACES)("on the %s surface", (surface) => {
  const schemaOf = (...features: Feature[]) =>
    documentOn(new TestBed(withFeatures(...features)), surface, SCHEMA);

  it("service.md, feature values 1: a Boolean flag adds no entry", () => {
    const schema = schemaOf(
      feature("beta", "boolean"),
      feature("gamma", "boolean", []),
      feature("layout", "text", [row("wide")]),
    );
    expect(schema[VALUES]).toEqual({ layout: ["wide"] });
  });

  it("service.md, feature values 2: with only Boolean flags, x-svc-feature-values is omitted", () => {
    expect(schemaOf(feature("beta", "boolean"))).not.toHaveProperty(VALUES);
    expect(schemaOf()).not.toHaveProperty(VALUES);
  });

  it("service.md, feature values 4: the values are sorted by the key of the variant", () => {
    const keys = ["b", "a-1", "Z", "a", "aB", "a_1", "ab"];
    const values = schemaOf(
      feature(
        "layout",
        "text",
        keys.map((key) => row(key)),
      ),
    )[VALUES];
    expect(values).toEqual({ layout: ["Z", "a", "a-1", "aB", "a_1", "ab", "b"] });
  });

  it("service.md, feature values 5: the list can hold false together with variant keys", () => {
    const variants = [row("reserve"), row("c-never", off), row("buy")];
    expect(schemaOf(feature("button", "text", variants))[VALUES]).toEqual({
      button: ["buy", false, "reserve"],
    });
  });

  it("S8: false is at the place of its variant's key, and each value is listed once", () => {
    const variants = [row("z", off), row("a", off), row("m"), row("b", off), row("c")];
    expect(schemaOf(feature("button", "text", variants))[VALUES]).toEqual({
      button: [false, "c", "m"],
    });
  });

  it("S8: a variant whose key is the word false serves that word, not the boolean", () => {
    const variants = [row("false"), row("never", off)];
    expect(schemaOf(feature("button", "text", variants))[VALUES]).toEqual({
      button: ["false", false],
    });
  });

  it("S8: a Text flag without variants has the empty list", () => {
    expect(schemaOf(feature("a", "text"), feature("b", "text", []))[VALUES]).toEqual({
      a: [],
      b: [],
    });
  });
});

it("service.md, feature values 3: a schema published before Text flags existed omits them", () => {
  const bed = new TestBed(withFeatures(feature("beta", "boolean")));
  bed.publish();
  bed.import(withFeatures(feature("beta", "boolean"), feature("layout", "text", [row("wide")])));
  bed.write();
  expect(bed.file(SCHEMA)).not.toHaveProperty(VALUES);
  expect(documentOn(bed, "preview", SCHEMA)[VALUES]).toEqual({ layout: ["wide"] });
});
