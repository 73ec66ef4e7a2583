import { describe, expect, it } from "vitest";
import { renderData } from "../../src/documents/entry.ts";
import { Rendering } from "../../src/documents/rendering.ts";
import { schemaValue } from "../../src/documents/schema-document.ts";
import { FIELD_TYPES, fieldType } from "../../src/fields/registry.ts";
import { fieldFaults } from "../../src/records/record-shapes.ts";
import type { JsonObject, JsonValue } from "../../src/workspace/json.ts";
import type { Project } from "../../src/workspace/records.ts";
import { CompiledSchema } from "../support/documents/strict-ajv.ts";
import { TestBed } from "../support/test-bed.ts";
import { FIELD_EXAMPLES } from "./field-examples.ts";
import { EXAMPLE_SURROUNDINGS, type FieldExamples } from "./resolved-field-examples.ts";

const EMPTY_PROJECT: Project = { id: "p", name: "P", steps: [], experiences: [] };

const ALL = Object.entries(FIELD_EXAMPLES).flatMap(([type, list]) =>
  list.map((examples) => {
    const definition = { type, ...examples.options };
    return { type, title: JSON.stringify(definition), definition, examples };
  }),
);

it("has examples of every type, and broken constraints of every type that has some", () => {
  expect(Object.keys(FIELD_EXAMPLES).sort()).toEqual([...FIELD_TYPES.keys()].sort());
  for (const [name, type] of FIELD_TYPES) {
    const examples = FIELD_EXAMPLES[name] ?? [];
    expect(examples.flatMap(({ served }) => served).length, name).toBeGreaterThan(1);
    const breaking = examples.flatMap((one) => one.breaking ?? []);
    expect(breaking.length > 0 || type.brokenConstraint === undefined, name).toBe(true);
    expect(examples.flatMap(({ wrong }) => wrong).length > 0 || name === "json", name).toBe(true);
  }
});

describe.each(ALL)("a field $title", ({ type, definition, examples }) => {
  const { served, wrong } = examples;

  it("may be defined, single and repeatable", () => {
    expect(fieldFaults({ key: "k", ...definition })).toEqual([]);
    expect(fieldFaults({ key: "k", ...definition, repeatable: true, maxItems: 9 })).toEqual([]);
  });

  it("V3: serves a value of the right shape, and the schema accepts what is served", () => {
    const field = definedField(definition);
    for (const { stored, served: expected } of served) {
      const label = JSON.stringify(stored);
      expect(fieldType(type).hasShape(stored), label).toBe(true);
      const { data, errors, faults } = field.serve({ one: stored, many: [stored, stored] });
      expect(data, label).toEqual({ one: expected, many: [expected, expected] });
      expect(errors, label).toEqual([]);
      expect(faults, label).toEqual([]);
    }
  });

  it("V3a: never serves a value of the wrong shape, and reports it as value-type", () => {
    const field = definedField(definition);
    const [{ stored, served: expected } = { stored: 0, served: 0 }] = served;
    for (const value of wrong) {
      const label = JSON.stringify(value);
      expect(fieldType(type).hasShape(value), label).toBe(false);
      const { data, errors, faults } = field.serve({ one: value, many: [stored, value, stored] });
      expect(data, label).toEqual({ many: [expected, expected] });
      expect(errors, label).toEqual(["value-type /many/1", "value-type /one"]);
      expect(faults, label).toEqual([]);
    }
    const lone = field.serve({ many: [null] });
    expect(lone).toMatchObject({ data: { many: [] }, errors: ["value-type /many/0"] });
  });

  it("V3a: serves a repeatable value that is not a list as []", () => {
    const field = definedField(definition);
    for (const { stored } of served.filter((example) => !Array.isArray(example.stored))) {
      const { data, errors } = field.serve({ many: stored });
      expect({ data, errors }).toEqual({ data: { many: [] }, errors: ["value-type /many"] });
    }
  });
});

describe.each(ALL.filter(({ examples }) => examples.breaking))(
  "a field $title",
  ({ definition, examples: { breaking = [], code = "value-constraint" } }) => {
    it("V3b: serves a value that breaks a constraint, reports it, and the schema refuses it", () => {
      const field = definedField(definition);
      for (const { stored, served: expected } of breaking) {
        const label = JSON.stringify(stored);
        expect(fieldType(definition.type).hasShape(stored), label).toBe(true);
        const { data, errors, faults } = field.serve({ one: stored, many: [stored] });
        expect(data, label).toEqual({ one: expected, many: [expected] });
        expect(errors, label).toEqual([`${code} /many/0`, `${code} /one`]);
        expect(faults, label).toEqual(["many", "one"]);
      }
    });
  },
);

/** A model with the field under `one` and, repeatable, under `many`, in a store. */
function definedField(definition: { readonly type: string } & FieldExamples["options"]) {
  const fields = [
    { key: "one", ...definition },
    { key: "many", ...definition, repeatable: true },
  ];
  const subject = { id: "m", key: "subject", name: "Subject", fields };
  const models = [subject, ...EXAMPLE_SURROUNDINGS.models];
  const { store } = new TestBed({ ...EXAMPLE_SURROUNDINGS, models });
  const rendering = new Rendering(store.draft(store.workspace("w")));
  const document = schemaValue(rendering, EMPTY_PROJECT, "preview");
  const schema = new CompiledSchema(document as { readonly $id: string });
  const accepts = (key: string, value: JsonValue) =>
    schema.faults(`contentModels/subject/properties/${key}`, value).length === 0;
  return {
    serve(stored: JsonObject) {
      const head = { id: "e", modelId: "m", publishing: undefined };
      const { data, renderer } = renderData(rendering.lookup, head, stored, 0);
      const errors = renderer.problems.filter(({ level }) => level === "error");
      return {
        data,
        /** Code and path of every error. */
        errors: errors.map(({ code, at }) => `${code} ${at.path}`).sort(),
        /** The members that the schema of the field refuses. */
        faults: Object.keys(data)
          .filter((key) => !accepts(key, data[key] ?? null))
          .sort(),
      };
    },
  };
}
