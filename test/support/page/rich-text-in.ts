import { isJsonObject, type JsonValue } from "../../../src/workspace/json.ts";

/** The rich texts in a value, wherever they are. */
export function* richTextIn(value: JsonValue): Generator<JsonValue> {
  if (typeof value !== "object" || value === null) return;
  const isDocument = isJsonObject(value) && (value.nodeType === "document" || value.type === "doc");
  const isBlocks =
    Array.isArray(value) && value.some((one) => isJsonObject(one) && one._type === "block");
  if (isDocument || isBlocks) yield value;
  else for (const one of Object.values(value)) yield* richTextIn(one as JsonValue);
}
