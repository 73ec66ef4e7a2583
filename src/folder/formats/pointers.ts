import { mapTree } from "../../fields/rich-text-tree.ts";
import type { FieldDefinition } from "../../workspace/field.ts";
import type { JsonValue } from "../../workspace/json.ts";

/** Whether values of a field name other entries. */
export function hasPointers({ type }: FieldDefinition): boolean {
  return type === "reference" || type === "rich-text";
}

/** The ids of the entries that a stored value of such a field names. */
export function targetsIn(value: JsonValue): string[] {
  const targets: string[] = [];
  mapTree(Array.isArray(value) ? value : [value], {
    pointer(kind, stored) {
      if (kind === "reference") targets.push(stored.contentEntryId as string);
      return stored;
    },
  });
  return targets;
}
