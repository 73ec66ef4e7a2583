import fc from "fast-check";
import { expect, it } from "vitest";
import { compiledShapes } from "../../scripts/compiled-shapes.ts";
import { FIELD_TYPES } from "../../src/fields/registry.ts";
import { SHAPES, shapeOfType } from "../../src/folder/record-shapes.ts";
import { shapeCheck } from "../../src/folder/shape-check.ts";
import type { JsonObject } from "../../src/workspace/json.ts";
import { randomRuns } from "../support/random-runs.ts";
import { builtModule } from "./built-module.ts";

const value = fc.oneof(
  fc.constantFrom("a", "", "image/png", "https://example.com/", 0, -1, 1.5, true, null, {}),
  fc.constantFrom([], ["a"], [1], [{ id: "a" }], [{ type: "text" }]),
);

/** Records with some members of the shape, and others. */
function recordOf({ properties, required }: JsonObject): fc.Arbitrary<unknown> {
  const names = Object.keys(properties as JsonObject).concat("other", "constructor");
  const members = Object.fromEntries(names.map((key) => [key, value]));
  const all = [required as string[], []];
  return fc.oneof(...all.map((requiredKeys) => fc.record(members, { requiredKeys })));
}

it("the precompiled checks of records and fields report the same faults as ajv", async () => {
  const built: { shapeCheck: typeof shapeCheck } = await builtModule(compiledShapes());
  const shapes = [
    ...Object.entries(SHAPES),
    ...[...FIELD_TYPES.values()].map((type) => [`field ${type.name}`, shapeOfType(type)] as const),
  ];
  for (const [name, shape] of shapes) {
    const [plain, quick] = [shapeCheck, built.shapeCheck].map((of) => of(name, () => shape));
    const law = fc.property(fc.oneof(recordOf(shape), value), (record) => {
      expect(quick?.(record), name).toBe(plain?.(record));
      expect(quick?.errors, name).toEqual(plain?.errors);
    });
    fc.assert(law, { numRuns: randomRuns(100) });
  }
});
