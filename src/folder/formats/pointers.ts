import { mapTree } from "../../fields/rich-text-tree.ts";
import type { FieldDefinition } from "../../workspace/field.ts";
import type { JsonValue } from "../../workspace/json.ts";

/** Whether values of a field name other entries. */
export function hasPointers({ type }: FieldDefinition): boolean {
  return type === "reference" || type === "rich-text";
}

/** The ids of the entries, or of the assets, that a stored value of a field with pointers names. */
export function targetsIn(value: JsonValue, wanted: "reference" | "asset" = "reference"): string[] {
  const targets: string[] = [];
  mapTree(Array.isArray(value) ? value : [value], {
    pointer(kind, stored) {
      if (kind === wanted) targets.push((stored.contentEntryId ?? stored.assetId) as string);
      return stored;
    },
  });
  return targets;
}
