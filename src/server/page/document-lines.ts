import { type Address, urlPath } from "../../documents/address.ts";
import { documentAt } from "../../documents/documents.ts";
import type { DraftState } from "./draft-state.ts";

/** One of an experience's three documents, as preview serves it. */
export interface DocumentLine {
  readonly kind: Address["kind"];
  /** The URL path on this server. */
  readonly path: string;
  /** In bytes; null when the draft has no such document (E6). */
  readonly size: number | null;
}

/** The documents that a client of the experience requests. */
export function documentLines(
  state: DraftState,
  projectId: string,
  experienceId: string,
): DocumentLine[] {
  const addresses: Address[] = [
    { kind: "project", projectId },
    { kind: "content", projectId, experienceId },
    { kind: "schema", projectId },
  ];
  return addresses.map((address) => {
    const document = documentAt(state.rendering, address, "preview");
    const size = document?.size ?? null;
    return { kind: address.kind, path: urlPath(address), size };
  });
}
