import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import fc from "fast-check";
import { expect, it } from "vitest";
import { compiledMetaSchema } from "../../scripts/compiled-meta-schema.ts";
import { metaSchemaCheck } from "../../src/documents/meta-schema.ts";
import { ROOT } from "../support/compiler.ts";
import { randomRuns } from "../support/random-runs.ts";
import { temporaryFolder } from "../support/test-bed.ts";

/** The module of the built program, loaded from a file of its own. */
async function builtCheck(): Promise<typeof metaSchemaCheck> {
  const outfile = join(mkdtempSync(join(temporaryFolder(), "built-")), "meta-schema.mjs");
  const stdin = { contents: compiledMetaSchema(), resolveDir: ROOT };
  await build({ stdin, outfile, bundle: true, format: "esm", platform: "node" });
  return (await import(outfile)).metaSchemaCheck;
}

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
  const built = (await builtCheck())();
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
