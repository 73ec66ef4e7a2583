import type { JsonObject } from "../../workspace/json.ts";

export const DRAFT = "drafts.";

/** X26d: the id of what a document says; queries give drafts and versions under the ids of what is published. */
export function statedId({ _id, _originalId }: JsonObject): string | undefined {
  return [_originalId, _id].find(isName);
}

export function isName(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** The id that a document has, or would have, when it is published. */
export function publishedId(id: string): string {
  return id.startsWith(DRAFT) ? id.slice(DRAFT.length) : id;
}

/** X26: whether Sanity shows it to nobody without a token. */
export function isPrivateId(id: string): boolean {
  return publishedId(id).includes(".");
}

export function isAsset(type: string): boolean {
  return type === "sanity.imageAsset" || type === "sanity.fileAsset";
}

/** Sanity's own documents, some of which hold secrets, are never imported. */
export function exclusionReason(id: string, type: string): string | undefined {
  if (isAsset(type)) return undefined;
  if (/^(?:sanity|system)\./.test(type)) return `documents of the system (${type})`;
  if (publishedId(id).startsWith("_.")) return "documents of the system";
  return id.startsWith("versions.") ? "documents of releases" : undefined;
}
