import { isJsonObject, ownMember } from "../../workspace/json.ts";
import type { Notes } from "../formats/notes.ts";
import type { ContentType, ContentTypeField, Sys } from "./export-file.ts";

/** Whether a record is archived: such are never imported. */
export function isArchived({ archivedVersion }: Sys): boolean {
  return typeof archivedVersion === "number";
}

/**
 * Why a record is a draft; undefined: it is published.
 *
 * @param codes the imported locales: it is published if it is in one of them
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
  const status = isJsonObject(fieldStatus) ? fieldStatus["*"] : undefined;
  if (!isJsonObject(status)) return codes;
  return codes.filter((code) => ownMember(status, code) !== "draft");
}

/** Whether there are edits since the last publish, which itself increments the version. */
export function isChanged({ version, publishedVersion }: Sys): boolean {
  return (
    typeof version === "number" &&
    typeof publishedVersion === "number" &&
    version > publishedVersion + 1
  );
}

/** Each content type once, without its omitted fields. */
export function importedTypes(types: readonly ContentType[], notes: Notes): ContentType[] {
  return distinct("content type", types, ({ sys }) => sys.id, notes).map((type) => {
    const fields = type.fields.filter(({ omitted }) => !omitted);
    return { ...type, fields: distinct(`field of "${type.sys.id}"`, fields, fieldName, notes) };
  });
}

/** The name of a field in the API. */
export function fieldName({ apiName, id }: Pick<ContentTypeField, "id" | "apiName">): string {
  return apiName ?? id;
}

/** Of records with the same id, the last, as in Contentful's own import. */
function distinct<T>(
  what: string,
  records: readonly T[],
  idOf: (record: T) => string,
  notes: Notes,
): T[] {
  const byId = new Map<string, T>();
  for (const record of records) {
    const id = idOf(record);
    const known = byId.get(id);
    // All files of an export have its content types.
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(record)) {
      notes.warn(`the export has the ${what} "${id}" twice: the last one is used`);
    }
    byId.set(id, record);
  }
  return [...byId.values()];
}
