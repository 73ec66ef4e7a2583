import type { JsonObject, JsonValue } from "../../workspace/json.ts";
import type { Found, Member } from "./found.ts";
import { targetsIn } from "./pointers.ts";
import type { ResolvedField, ResolvedType } from "./resolved-type.ts";
import type { ResolvedTypes } from "./resolved-types.ts";

/** The stored data of a document or an object; `onTarget` gets the ids of the entries that it references. */
export function storedData(
  members: readonly Member[],
  type: ResolvedType,
  types: ResolvedTypes,
  onTarget?: (id: string) => void,
): JsonObject {
  const data: [string, JsonValue][] = [];
  for (const [name, value] of members) {
    const field = type.fields.get(name);
    const stored = field && storedValue(value, field);
    if (stored !== undefined) data.push([field?.definition.key ?? "", stored]);
  }
  return Object.fromEntries(data);

  function storedValue(
    value: Found,
    { definition, isWhole }: ResolvedField,
  ): JsonValue | undefined {
    if (isWhole) {
      const targets = definition.type === "rich-text" ? targetsIn(value.tree) : [];
      for (const target of targets) onTarget?.(target);
      return value.tree;
    }
    const isList = value.kind === "list";
    // A field of single values has no value where an export has an empty list.
    if (isList && !definition.repeatable && value.items.length === 0) return undefined;
    // What contradicts a schema stays as it is, and is a problem (P2).
    if (isList !== (definition.repeatable ?? false)) return value.tree;
    if (!isList) return storedOne(value, definition.type);
    return value.items.map((item) => storedOne(item, definition.type));
  }

  function storedOne(value: Found, fieldType: string): JsonValue {
    if (fieldType === "text" && "text" in value && value.text !== undefined) return value.text;
    if (fieldType !== "content-block") {
      if (value.kind === "reference") {
        onTarget?.((value.tree as { contentEntryId: string }).contentEntryId);
      }
      return value.tree;
    }
    const held = asBlock(value);
    if (held === undefined) return value.tree;
    const [name, members] = held;
    const block = types.block(name);
    return { contentBlockId: block.id, data: storedData(members, block, types, onTarget) };
  }
}

function asBlock(value: Found): readonly [type: string, members: readonly Member[]] | undefined {
  if (value.kind === "block") return [value.type, value.members];
  if (value.kind === "reference" || value.kind === "asset") {
    return [value.as, [[value.kind, value]]];
  }
  return undefined;
}
