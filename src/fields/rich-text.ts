import type { JsonObject, JsonValue } from "../workspace/json.ts";
import { asset, type StoredAsset } from "./asset.ts";
import { type StoredBlock, serveBlock } from "./content-block.ts";
import type { Definitions, FieldType } from "./field-type.ts";
import { reference, type StoredReference } from "./reference.ts";
import { refuse } from "./refuse.ts";
import { type RichTextField, servedTree, storedTree } from "./rich-text-schema.ts";
import { isEmptyTree, mapTree, type PointerKind, pointerKind } from "./rich-text-tree.ts";
import type { Serving } from "./serving.ts";

const NAMES = { type: "array", items: { type: "string" }, uniqueItems: true };

/** V11: a tree of nodes, in which pointers are served as the fields of their types serve them. */
export const richText: FieldType<RichTextField, JsonObject | readonly JsonValue[]> = {
  name: "rich-text",
  options: { models: NAMES, blocks: NAMES, nodeTypes: { ...NAMES, minItems: 1 }, marks: NAMES },
  unknownNames(field, definitions) {
    const ofModels = reference.unknownNames?.(field, definitions) ?? [];
    return [...ofModels, ...unknownBlocks(field, definitions)];
  },
  shape: "rich-text",
  hasShape: (value: JsonValue): value is JsonObject | readonly JsonValue[] =>
    typeof value === "object" && value !== null && pointerKind(value) === undefined,
  isEmpty: isEmptyTree,
  serve: (field, tree, serving) =>
    mapTree(tree, {
      pointer: (kind, stored) => servePointer(field, kind, stored, serving),
      named(option, name) {
        const options = field[option];
        if (options === undefined || (name !== undefined && options.includes(name))) return;
        serving.report("value-constraint", { constraint: option, value: name ?? null, options });
      },
      reserved: () => serving.report("value-constraint", { constraint: "pointer" }),
      malformed: (what) => serving.report("rich-text-malformed", what),
      enter: (segment) => serving.enter(segment),
      leave: () => serving.leave(),
    }),
  schema: servedTree,
  storedSchema: storedTree,
  holdsBlocks: true,
};

function servePointer(
  field: RichTextField,
  kind: PointerKind,
  stored: JsonObject,
  serving: Serving,
): JsonValue | undefined {
  switch (kind) {
    case "reference":
      return reference.serve?.(field, stored as StoredReference, serving);
    case "asset":
      return asset.serve?.(field, stored as StoredAsset, serving);
    case "block":
      return serveBlock(stored as StoredBlock, serving, ({ key }) => {
        const accepted = field.blocks;
        if (accepted === undefined || accepted.includes(key)) return;
        refuse(field, { option: "blocks", name: key, accepted }, serving, () =>
          serving.report("block-not-accepted", { block: key, accepted }),
        );
      });
  }
}

function unknownBlocks({ blocks: accepted = [] }: RichTextField, { blocks }: Definitions) {
  const known = blocks.map(({ key }) => key);
  return accepted.flatMap((name, index) =>
    known.includes(name) ? [] : { option: "blocks" as const, name, path: ["blocks", index], known },
  );
}
