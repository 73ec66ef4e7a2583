import { SvcError } from "../workspace/errors.ts";
import type { JsonValue } from "../workspace/json.ts";
import { type PrintOptions, printTypes } from "./print-types.ts";
import { readSchema } from "./read-schema.ts";

/**
 * The TypeScript types of a schema document, as the text of a file. Only the document is read, and
 * nothing of it that a publish changes without changing types: no version id, no limit of a value.
 *
 * @throws SvcError `schema-invalid`, `schema-newer`.
 */
export function generateTypes(document: JsonValue, options: PrintOptions): string {
  try {
    return printTypes(readSchema(document), options);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new SvcError("schema-invalid", "the schema document is nested too deep", {
      hint: "give the schema.json of a project, or the address at which it is served",
      cause: error,
    });
  }
}
