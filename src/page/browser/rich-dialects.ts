import { isJsonObject, type JsonValue } from "../../workspace/json.ts";
import type { RichMapping, RichUse } from "./rich-mapping.ts";
import { PortableMapping } from "./rich-portable.ts";
import { nameIn } from "./rich-schema.ts";
import { ContentfulMapping, ProseMirrorMapping } from "./rich-trees.ts";

/**
 * H57: the mapping of a tree by its dialect; undefined: it is of none.
 *
 * @param use its sample is a tree in whose dialect a new text is written.
 */
export function mappingOf(tree: JsonValue, use: RichUse): RichMapping | undefined {
  const sample = isNothing(tree) ? use.sample : tree;
  const of = { ...use, sample };
  if (isNothing(sample)) return new ProseMirrorMapping(of);
  const first = Array.isArray(sample) ? sample.find(isNode) : sample;
  const list = isJsonObject(sample) ? (sample.content ?? []) : sample;
  if (!isJsonObject(first) || !Array.isArray(list)) return undefined;
  if (Array.isArray(sample) && typeof first._type === "string") return new PortableMapping(of);
  // Another node than a document is changed as JSON.
  if (!Array.isArray(sample) && !/^doc/.test(nameIn(sample))) return undefined;
  if (typeof first.nodeType === "string") return new ContentfulMapping(of);
  return typeof first.type === "string" ? new ProseMirrorMapping(of) : undefined;
}

const isNode = (one: JsonValue) => isJsonObject(one) && nameIn(one) !== "Value";

function isNothing(tree: JsonValue): boolean {
  return tree === null || (Array.isArray(tree) && tree.length === 0);
}
