import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import fc from "fast-check";
import { expect, it } from "vitest";
import { compiledMetaSchema, compiledShapes } from "../../scripts/compiled-checks.ts";
import { metaSchemaCheck } from "../../src/documents/meta-schema.ts";
import { FIELD_TYPES } from "../../src/fields/registry.ts";
import { SHAPES, shapeOfType } from "../../src/records/record-shapes.ts";
import { shapeCheck } from "../../src/records/shape-check.ts";
import type { JsonObject } from "../../src/workspace/json.ts";
import { ROOT } from "../support/compiler.ts";
import { randomRuns } from "../support/random-runs.ts";
import { temporaryFolder } from "../support/test-bed.ts";

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
    fc.assert(law, { numRuns: randomRuns(50) });
  }
});

const name = fc.constantFrom("a", "$ref", "constructor", "__proto__", "x-svc-models");
/** Schemas with right and wrong values for the keywords that schema documents use, and others. */
const { schema } = fc.letrec((tie) => ({
  schema: fc.oneof(
    { depthSize: "small" },
    fc.boolean(),
    fc.record(
      {
        $id: fc.constantFrom("svc:p", "#p", 1),
        $ref: fc.constantFrom("#/$defs/a", null),
        type: fc.constantFrom("string", "object", ["string", "null"], "text", [], 1),
        enum: fc.constantFrom(["a"], [], "a"),
        format: fc.constantFrom("date", 1),
        minLength: fc.constantFrom(0, -1, 1.5, "1"),
        maximum: fc.constantFrom(1.5, "1"),
        pattern: fc.constantFrom("^a$", "(", 1),
        required: fc.constantFrom(["a"], ["a", "a"], "a"),
        additionalProperties: tie("schema"),
        items: tie("schema"),
        oneOf: fc.array(tie("schema"), { maxLength: 2 }),
        properties: fc.dictionary(name, tie("schema"), { maxKeys: 2 }),
        $defs: fc.dictionary(name, tie("schema"), { maxKeys: 2 }),
      },
      { requiredKeys: [] },
    ),
    fc.constantFrom(null, 1, "a", []),
  ),
}));

it("the precompiled check accepts the same schemas as ajv, and reports the same errors", async () => {
  const plain = metaSchemaCheck();
  const module: { metaSchemaCheck: typeof metaSchemaCheck } = await builtModule(
    compiledMetaSchema(),
  );
  const built = module.metaSchemaCheck();
  fc.assert(
    fc.property(schema, (document) => {
      const isValid = plain(document);
      expect(built(document)).toBe(isValid);
      expect(built.errors).toEqual(plain.errors);
    }),
    { numRuns: randomRuns(2000), examples: [[true], [{ type: "text" }]] },
  );
});

/** A module of the built program, loaded from a file of its own. */
async function builtModule(contents: string) {
  const outfile = join(mkdtempSync(join(temporaryFolder(), "built-")), "module.mjs");
  const stdin = { contents, resolveDir: ROOT };
  await build({ stdin, outfile, bundle: true, format: "esm", platform: "node" });
  return import(outfile);
}
