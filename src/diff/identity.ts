import { isJsonObject, type JsonValue } from "../workspace/json.ts";

/** What an object is or points at: an asset's id, a record's, a pointer's target. */
export function identityOf(value: JsonValue): string | undefined {
  return named(value, "id") ?? named(value, "contentEntryId");
}

/** What may be the same thing, changed: the same by identity, or a block of the same definition. */
export function likenessOf(value: JsonValue): string | undefined {
  return named(value, "contentBlockId") ?? identityOf(value);
}

function named(value: JsonValue, member: string): string | undefined {
  if (!isJsonObject(value) || !Object.hasOwn(value, member)) return undefined;
  return typeof value[member] === "string" ? `${member} ${value[member]}` : undefined;
}
