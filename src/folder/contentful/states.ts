import type { JsonValue } from "../../workspace/json.ts";
import { isJsonObject, ownMember } from "../../workspace/json.ts";
import type { Slice } from "../formats/export-file.ts";
import type { Notes } from "../formats/notes.ts";
import { checked, type Resource, type Sys } from "./export-files.ts";

/** A record of an export, by what its `sys` says. */
export interface RecordState {
  readonly id: string;
  readonly slice: Slice;
  readonly isArchived: boolean;
  /** Why it is a draft; undefined: it is published. */
  readonly draft: string | undefined;
  /** Whether it has edits since it was published. */
  readonly changed: boolean;
}

/**
 * The states of records, by id; of records with the same id the last one counts (X5).
 *
 * @param codes the imported locales.
 */
export function statesOf(
  kind: "entry" | "asset",
  slices: readonly Slice[],
  { codes, notes }: { readonly codes: readonly string[]; readonly notes: Notes },
): ReadonlyMap<string, RecordState> {
  const states = new Map<string, RecordState>();
  for (const slice of slices) {
    const { sys } = checked(slice) as unknown as Resource;
    const { id } = sys;
    // The last one has its place in the export, too.
    if (states.delete(id))
      notes.warn(`the export has the ${kind} "${id}" twice: the last one is used`);
    const draft = draftReason(sys, codes);
    const isEdited = draft === undefined && isChanged(sys);
    states.set(id, { id, slice, isArchived: isArchived(sys), draft, changed: isEdited });
  }
  return states;
}

/** Whether a record is archived: such are never imported. */
export function isArchived({ archivedVersion }: Sys): boolean {
  return typeof archivedVersion === "number";
}

/**
 * Why a record is a draft; undefined: it is published.
 *
 * @param codes the imported locales: it is published if it is in one of them.
 */
export function draftReason(sys: Sys, codes: readonly string[]): string | undefined {
  // Records of the delivery API are published, and have a revision instead of versions.
  const isDelivered = typeof sys.revision === "number" && sys.version === undefined;
  if (typeof sys.publishedVersion !== "number" && !isDelivered) return "not published";
  if (publishedIn(sys, codes).length > 0) return undefined;
  return codes.length === 1 ? `not published in ${codes[0]}` : "not published";
}

/** The locales in which a record is published: all, unless its space publishes by locale. */
export function publishedIn({ fieldStatus }: Sys, codes: readonly string[]): readonly string[] {
  const status: JsonValue | undefined = isJsonObject(fieldStatus) ? fieldStatus["*"] : undefined;
  if (!isJsonObject(status)) return codes;
  return codes.filter((code) => ownMember(status, code) !== "draft");
}

/** Whether there are edits since the last publish, which itself increments the version. */
function isChanged({ version, publishedVersion }: Sys): boolean {
  return (
    typeof version === "number" &&
    typeof publishedVersion === "number" &&
    version > publishedVersion + 1
  );
}
