import type { JsonObject, JsonValue } from "../workspace/json.ts";
import { asset, type StoredAsset } from "./asset.ts";
import { renderBlock, type StoredBlock } from "./content-block.ts";
import type { Definitions, FieldType } from "./field-type.ts";
import { reference, refuse, type StoredReference } from "./reference.ts";
import type { Renderer } from "./renderer.ts";
import { type RichTextField, servedTree, storedTree } from "./rich-text-schema.ts";
import { isEmptyTree, mapTree, type PointerKind, pointerKind } from "./rich-text-tree.ts";

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
  render: (field, tree, renderer) =>
    mapTree(tree, {
      pointer: (kind, stored) => renderPointer(field, kind, stored, renderer),
      isServed: (node) => renderer.isServed(field, node),
      named(option, name) {
        const options = field[option];
        if (options === undefined || (name !== undefined && options.includes(name))) return;
        renderer.report("value-constraint", { constraint: option, value: name ?? null, options });
      },
      reserved: () => renderer.report("value-constraint", { constraint: "pointer" }),
      malformed: (what) => renderer.report("rich-text-malformed", what),
      enter: (segment) => renderer.enter(segment),
      leave: () => renderer.leave(),
    }),
  schema: servedTree,
  storedSchema: storedTree,
  holdsBlocks: true,
};

function renderPointer(
  field: RichTextField,
  kind: PointerKind,
  stored: JsonObject,
  renderer: Renderer,
): JsonValue | undefined {
  switch (kind) {
    case "reference":
      return reference.render?.(field, stored as StoredReference, renderer);
    case "asset":
      return asset.render?.(field, stored as StoredAsset, renderer);
    case "block":
      return renderBlock(stored as StoredBlock, renderer, ({ key }) => {
        const accepted = field.blocks;
        if (accepted === undefined || accepted.includes(key)) return;
        refuse(field, { option: "blocks", name: key, accepted }, renderer, () =>
          renderer.report("block-not-accepted", { block: key, accepted }),
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
