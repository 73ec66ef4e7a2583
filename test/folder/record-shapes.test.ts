import { expect, it } from "vitest";
import { metaSchemaCheck } from "../../src/documents/meta-schema.ts";
import { FIELD_TYPES } from "../../src/fields/registry.ts";
import { SHAPES } from "../../src/folder/record-shapes.ts";

it("folder: the schemas of records and of field options are valid", () => {
  const check = metaSchemaCheck();
  const options = [...FIELD_TYPES.values()].flatMap((type) => Object.entries(type.options));
  const all = [...Object.entries(SHAPES), ...options];
  expect(all.filter(([, schema]) => !check(schema)).map(([name]) => name)).toEqual([]);
  expect(all.length).toBeGreaterThan(10);
  expect(check({ type: "text" })).toBe(false);
});
