import { isJsonObject, ownMember } from "../../workspace/json.ts";
import type { Notes } from "../formats/notes.ts";
import type {
  ContentfulExport,
  ContentType,
  ContentTypeField,
  Resource,
  Sys,
} from "./export-file.ts";

/**
 * The records of an export to import: each once, no archived ones, unpublished ones only with
 * `drafts`, and content types without their omitted fields.
 *
 * @param options.chain the imported locale and its fallbacks
 */
export function filterRecords(
  { contentTypes, entries, assets, locales }: ContentfulExport,
  options: { readonly drafts: boolean; readonly chain: readonly string[]; readonly notes: Notes },
): ContentfulExport {
  const { drafts, notes } = options;
  const included = (kind: "entries" | "assets", records: readonly Resource[]) => {
    const kept = records.filter(({ sys }) => {
      const reason = exclusionReason(sys, options);
      if (reason !== undefined) notes.leaveOut(`${kind} that are ${reason}`);
      return reason === undefined;
    });
    const changed = kept.filter(({ sys }) => isChanged(sys)).length;
    if (changed > 0 && !drafts) {
      notes.warn(
        `${kind} that were changed after they were published: ${changed} (an export has only their drafts)`,
      );
    }
    return kept;
  };
  return {
    contentTypes: distinct("content type", contentTypes, idOf, notes).map((type) =>
      withFields(type, notes),
    ),
    entries: included("entries", distinct("entry", entries, idOf, notes)),
    assets: included("assets", distinct("asset", assets, idOf, notes)),
    locales,
  };
}

function exclusionReason(
  sys: Sys,
  { drafts, chain }: { readonly drafts: boolean; readonly chain: readonly string[] },
): string | undefined {
  if (typeof sys.archivedVersion === "number") return "archived";
  if (drafts) return undefined;
  // Records of the delivery API are published, and have a revision instead of versions.
  const isDelivered = typeof sys.revision === "number" && sys.version === undefined;
  if (typeof sys.publishedVersion !== "number" && !isDelivered) return "not published";
  return publishedIn(sys, chain).length > 0 ? undefined : `not published in ${chain.join(", ")}`;
}

/** The locales in which a record is published: all, unless its space publishes by locale. */
export function publishedIn({ fieldStatus }: Sys, codes: readonly string[]): readonly string[] {
  const status = isJsonObject(fieldStatus) ? fieldStatus["*"] : undefined;
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

function withFields(type: ContentType, notes: Notes): ContentType {
  const fields = type.fields.filter(({ omitted }) => !omitted);
  return { ...type, fields: distinct(`field of "${type.sys.id}"`, fields, fieldName, notes) };
}

function idOf({ sys }: { readonly sys: Sys }): string {
  return sys.id;
}

/** The name of a field in the API. */
export function fieldName({ apiName, id }: ContentTypeField): string {
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
    if (byId.has(id)) notes.warn(`the export has the ${what} "${id}" twice: the last one is used`);
    byId.set(id, record);
  }
  return [...byId.values()];
}
