import { isJsonObject, type JsonValue } from "../workspace/json.ts";

/** The id of an asset or record, the target of a pointer, or the key of an element of Portable Text. */
export function identityOf(value: JsonValue): string | undefined {
  return named(value, "id") ?? named(value, "contentEntryId") ?? named(value, "_key");
}

/** Equal for objects that may be the same, changed: by identity, or blocks of one definition. */
export function likenessOf(value: JsonValue): string | undefined {
  return named(value, "contentBlockId") ?? identityOf(value);
}

function named(value: JsonValue, member: string): string | undefined {
  if (!isJsonObject(value) || !Object.hasOwn(value, member)) return undefined;
  return typeof value[member] === "string" ? `${member} ${value[member]}` : undefined;
}
