import { expect } from "vitest";
import { FIELD_TYPES } from "../../src/fields/registry.ts";
import type { FieldDefinition } from "../../src/workspace/field.ts";
import type { JsonObject, JsonValue } from "../../src/workspace/json.ts";
import type { Parts } from "../support/test-bed.ts";
import { changeSummary, diffOf } from "./differ.ts";

type Definition = Omit<FieldDefinition, "key"> & { readonly [option: string]: unknown };
export type Definitions = Readonly<Record<string, Definition>>;

/** The fields as those of a model, of a block and of the projects. */
function workspace(definitions: Definitions): Parts {
  const fields = Object.entries(definitions).map(([key, field]) => ({ key, ...field }));
  return {
    fields,
    models: [
      { id: "m-page", key: "page", name: "Page", fields },
      { id: "m-note", key: "note", name: "Note", fields: [] },
    ],
    blocks: [
      { id: "b-hero", key: "hero", name: "Hero", fields },
      { id: "b-wide", key: "wide", name: "Wide", category: "wide", fields: [] },
    ],
    projects: ["p", "q"].map((id) => ({
      id,
      name: id,
      fields: valuesOf(definitions),
      steps: [],
      experiences: [],
    })),
  };
}

const VALUES: JsonObject = {
  ...{ text: "a", select: "a", number: 1, integer: 1, boolean: true, json: {} },
  ...{ date: "2026-01-01", "date-time": "2026-01-01T00:00:00Z" },
  ...{ url: "https://a.example", email: "a@b.example" },
  ...{ asset: { assetId: "gone" }, "html-asset": { assetId: "gone" } },
  ...{
    "content-block": { contentBlockId: "b-wide", data: {} },
    reference: { contentEntryId: "x" },
    "rich-text": ["x"],
  },
};
/** For the fields that need one, or publishing is refused. */
function valuesOf(definitions: Definitions): JsonObject {
  const needed = Object.entries(definitions).filter(
    ([, field]) => field.required || field.minItems,
  );
  return Object.fromEntries(
    needed.map(([key, { type, repeatable }]) => {
      const value = VALUES[type] as JsonValue;
      return [key, repeatable ? [value] : value];
    }),
  );
}

const PLACES = ["model page", "block hero", "project-fields"];

/** "breaking type-changed" and so on by field, which must be the same at all three places. */
export function changesOf(before: Definitions, after: Definitions) {
  const { forth, back } = diffOf(workspace(before), workspace(after));
  return [forth, back].map(({ schema }) => {
    const all = schema.map(changeSummary);
    const [inModel = {}, ...elsewhere] = PLACES.map((place) => {
      const fields: Record<string, string[]> = {};
      for (const text of all.filter((one) => one.includes(` ${place}.`))) {
        const [what = "", field = ""] = text.split(` ${place}.`);
        fields[field] = [...(fields[field] ?? []), what].sort();
      }
      return fields;
    });
    for (const other of elsewhere) expect(other).toEqual(inModel);
    const fields = Object.values(inModel).flat().length;
    expect(all, "no other changes").toHaveLength(PLACES.length * fields);
    for (const { projects } of schema) expect(projects).toEqual(["p", "q"]);
    return inModel;
  });
}

export const TYPES = [...FIELD_TYPES.keys()];
/** Each type by its name. */
export const each = (more: Partial<Definition> = {}): Definitions =>
  Object.fromEntries(TYPES.map((type) => [type, definition(type, more)]));
export const definition = (type: string, more: Partial<Definition> = {}): Definition => ({
  type,
  ...(type === "select" && { options: ["a", "b"] }),
  ...more,
});
/** The changes of a field by type, where a content block's are others: a single one can vanish. */
export const same = (changes: string[], ofBlocks = changes) =>
  Object.fromEntries(
    TYPES.map((type) => [type, type === "content-block" ? ofBlocks : changes] as const).filter(
      ([, changes]) => changes.length > 0,
    ),
  );
