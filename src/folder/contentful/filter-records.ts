import { isJsonObject, ownMember } from "../../workspace/json.ts";
import type {
  ContentfulExport,
  ContentType,
  ContentTypeField,
  Resource,
  Sys,
} from "./export-file.ts";
import type { Notes } from "./notes.ts";

/**
 * The export with what is taken of it: each record once, none archived, published ones only, and
 * content types without their omitted fields.
 */
export function taken(
  { contentTypes, entries, assets, locales }: ContentfulExport,
  how: { readonly drafts: boolean; readonly chain: readonly string[]; readonly notes: Notes },
): ContentfulExport {
  const { drafts, notes } = how;
  const kept = (many: string, records: readonly Resource[]) =>
    records.filter(({ sys }) => {
      const why = reasonToLeave(sys, how);
      if (why !== undefined) notes.leaveOut(`${many} that are ${why}`);
      return why === undefined;
    });
  const changed = (many: string, records: readonly Resource[]) => {
    const count = records.filter(({ sys }) => isChanged(sys)).length;
    const of = `${many} that were changed after they were published: ${count}`;
    if (count > 0 && !drafts) notes.warn(`${of} (an export has only the draft of each)`);
    return records;
  };
  return {
    contentTypes: distinct("content type", contentTypes, idOf, notes).map((type) =>
      withFields(type, notes),
    ),
    entries: changed("entries", kept("entries", distinct("entry", entries, idOf, notes))),
    assets: changed("assets", kept("assets", distinct("asset", assets, idOf, notes))),
    locales,
  };
}

function reasonToLeave(
  sys: Sys,
  { drafts, chain }: { readonly drafts: boolean; readonly chain: readonly string[] },
): string | undefined {
  if (typeof sys.archivedVersion === "number") return "archived";
  if (drafts) return undefined;
  // What the delivery API gives is published; it has revisions instead.
  const isDelivered = typeof sys.revision === "number" && sys.version === undefined;
  if (typeof sys.publishedVersion !== "number" && !isDelivered) return "not published";
  return publishedIn(sys, chain).length > 0 ? undefined : `not published in ${chain.join(", ")}`;
}

/** Those of the locales in which a record is published, where a space publishes by locale. */
export function publishedIn({ fieldStatus }: Sys, codes: readonly string[]): readonly string[] {
  const status = isJsonObject(fieldStatus) ? fieldStatus["*"] : undefined;
  if (!isJsonObject(status)) return codes;
  return codes.filter((code) => ownMember(status, code) !== "draft");
}

/** Publishing is a version of its own. */
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

/** As the API has it. */
export function fieldName({ apiName, id }: ContentTypeField): string {
  return apiName ?? id;
}

/** Of records with one id, the last, as Contentful's own import takes them. */
function distinct<T>(
  what: string,
  records: readonly T[],
  idOf: (record: T) => string,
  notes: Notes,
): T[] {
  const byId = new Map<string, T>();
  for (const record of records) {
    const id = idOf(record);
    if (byId.has(id)) notes.warn(`the export has the ${what} "${id}" twice: the last one counts`);
    byId.set(id, record);
  }
  return [...byId.values()];
}
