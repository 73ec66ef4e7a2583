import { isJsonObject, type JsonObject, type JsonValue } from "../../workspace/json.ts";
import type { FormatOptions } from "../format.ts";
import { exclusionReason, isPrivateId, publishedId, statedId } from "./document-ids.ts";

/** A document that a query put in place of a reference, and that Sanity does not show to everybody. */
export interface NestedDocument {
  readonly id: string;
  /** Of some queries that do not name it: `document`. */
  readonly type: string;
  readonly value: JsonObject;
  readonly isPrivate: boolean;
  /** Why it is left out; undefined: it is asked for. */
  readonly reason: string | undefined;
}

export const NESTED_DRAFT = "drafts in other documents";

type Asked = Pick<FormatOptions, "drafts" | "private">;

/** X26i: a document without those in it that are left out. */
export function withoutHidden(
  document: JsonObject,
  asked: Asked,
  onHidden: (nested: NestedDocument) => void,
): JsonObject {
  return Object.fromEntries(
    Object.entries(document).flatMap(([name, value]) => {
      const kept = shown(value);
      return kept === undefined ? [] : [[name, kept]];
    }),
  );

  function shown(value: JsonValue): JsonValue | undefined {
    if (Array.isArray(value)) return value.map(shown).filter((one) => one !== undefined);
    if (!isJsonObject(value)) return value;
    const hidden = hiddenDocument(value, asked);
    if (hidden !== undefined) onHidden(hidden);
    return hidden?.reason === undefined ? withoutHidden(value, asked, onHidden) : undefined;
  }
}

function hiddenDocument(value: JsonObject, asked: Asked): NestedDocument | undefined {
  const id = statedId(value);
  if (id === undefined) return undefined;
  const type = typeof value._type === "string" ? value._type : "document";
  const isPrivate = isPrivateId(id);
  const isDraft = publishedId(id) !== id;
  const ofSystem = exclusionReason(id, type);
  if (!isPrivate && !isDraft && ofSystem === undefined) return undefined;
  const reasons = [
    ofSystem,
    isPrivate && !asked.private ? `private documents (${type})` : undefined,
    isDraft && !asked.drafts ? NESTED_DRAFT : undefined,
  ];
  const reason = reasons.find((one) => one !== undefined);
  return { id, type, value, isPrivate: isPrivate && ofSystem === undefined, reason };
}
