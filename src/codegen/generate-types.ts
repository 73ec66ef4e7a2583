import { SvcError } from "../workspace/errors.ts";
import type { JsonValue } from "../workspace/json.ts";
import { type PrintOptions, printTypes } from "./print-types.ts";
import { readSchema } from "./read-schema.ts";

/**
 * Generates the text of a TypeScript file from a schema document. The text does not depend on the
 * document's version id or on limits of values, so a publish changes it only if types change.
 *
 * @throws SvcError `schema-invalid`, `schema-newer`.
 */
export function generateTypes(document: JsonValue, options: PrintOptions): string {
  try {
    return printTypes(readSchema(document), options);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new SvcError("schema-invalid", "the schema document is nested too deeply", {
      hint: "pass the schema.json of a project, or the URL that serves it",
      cause: error,
    });
  }
}
