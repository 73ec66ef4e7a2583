import fc from "fast-check";
import { expect, it } from "vitest";
import { compiledMetaSchema } from "../../scripts/compiled-meta-schema.ts";
import { metaSchemaCheck } from "../../src/documents/meta-schema.ts";
import { randomRuns } from "../support/random-runs.ts";
import { builtModule } from "./built-module.ts";

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
  const verdicts = new Set<boolean>();
  fc.assert(
    fc.property(schema, (document) => {
      const isValid = plain(document);
      verdicts.add(isValid);
      expect(built(document)).toBe(isValid);
      expect(built.errors).toEqual(plain.errors);
    }),
    { numRuns: randomRuns(2000) },
  );
  expect(verdicts.size).toBe(2);
});
