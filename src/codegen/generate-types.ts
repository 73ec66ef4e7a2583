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
  return printTypes(readSchema(document), options);
}
