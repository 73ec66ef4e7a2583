import { toId } from "../documents/to-id.ts";
import { SvcError } from "../workspace/errors.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../workspace/json.ts";
import { AssetFiles, importedAssets } from "./contentful/assets.ts";
import { ContentTypes, type ImportedType } from "./contentful/content-types.ts";
import {
  type ContentTypeField,
  HOW_TO_EXPORT,
  type Resource,
  readExportFiles,
} from "./contentful/export-files.ts";
import { ScheduledActions } from "./contentful/scheduled-actions.ts";
import { Locales, leaveOutMetadata, statesOf } from "./contentful/values.ts";
import type { Format } from "./format.ts";
import { converted, workspaceIdOf } from "./formats/convert.ts";
import type { ExcludedRecord, Found, FoundDocument, Ids, Member } from "./formats/found.ts";
import { Notes, type Nouns } from "./formats/notes.ts";
import { publishingTimes } from "./formats/publishing-times.ts";
import { chosenLocale } from "./formats/roots.ts";

/** Contentful's export format: JSON files (`contentful space export`). */
export const contentful: Format = {
  name: "contentful",
  hint: HOW_TO_EXPORT,
  options: ["assets", "locale", "onlyTranslated", "part"],
  read(paths, options) {
    const { drafts = false } = options;
    const files = readExportFiles(paths);
    const notes = new Notes();
    const contentTypes = new ContentTypes(files.contentTypes, notes);
    const workspaceId = workspaceIdOf(options, () => files.name, files.spaceId);
    const requested = chosenLocale(options.locale, options.before(workspaceId)?.choices);
    const locales = new Locales(files, { requested, drafts }, contentTypes);
    const { codes } = locales;
    const assetFiles = options.assets === undefined ? undefined : new AssetFiles(options.assets);
    const entries = statesOf("entry", files.entries, { codes, notes });
    const assets = statesOf("asset", files.assets, { codes, notes });
    const isImported = (states: typeof entries) => (id: string) =>
      states.get(id)?.isArchived === false;
    const actions = new ScheduledActions(
      files,
      { Entry: isImported(entries), Asset: isImported(assets) },
      notes,
    );
    for (const [name, count] of files.others) notes.leaveOut(`records of "${name}"`, count);
    for (const code of locales.notDelivered) notes.warnAt(code, ...NOT_DELIVERED);
    const shown = {
      byPublished: new Set<string>(),
      byScheduled: new Set<string>(),
      byDrafts: new Set<string>(),
    };
    const reading = {
      record: "entry",
      workspaceId,
      namesIds: true,
      mayBeEmpty: entries.size === 0,
      locale: locales.code,
      languages: locales.languages,
      nextLocale: requested,
      types: (survey: Parameters<ContentTypes["resolved"]>[0]) =>
        contentTypes.resolved(survey, {
          files,
          notes,
          isLocalized: (one) => locales.isLocalized(one),
        }),
      *records({ entry }: Pick<Ids, "entry">): Generator<FoundDocument | ExcludedRecord> {
        for (const [id, { record, isArchived, ...state }] of entries) {
          if (isArchived) {
            const leftOut = "entries that are archived";
            yield { id, reason: "archived", leftOut, isHidden: true };
            continue;
          }
          const lost = new Notes();
          const isUnpublished = state.draft !== undefined;
          const times = publishingTimes(id, actions.of(record, isUnpublished, lost), lost);
          const isScheduled = isUnpublished && times.publishAt !== undefined && !drafts;
          const draft = !drafts && (times.draft === true || (isUnpublished && !isScheduled));
          leaveOutMetadata(record, "entries", lost);
          const type = record.sys.contentType?.sys.id ?? "";
          const draftLocales = locales.draftLocales(record);
          const idsIn = (locale: string | undefined): Ids => {
            const isDraft = draft || (locale !== undefined && draftLocales.includes(locale));
            const shownBy = isDraft
              ? shown.byDrafts
              : isScheduled
                ? shown.byScheduled
                : shown.byPublished;
            const asset = (id: string) => {
              shownBy.add(id);
              return toId(id);
            };
            return { entry, asset };
          };
          const context = { type: contentTypes.types.get(type), locales, idsIn };
          const changed = state.changed && !drafts;
          const { members, inLocales } = valuesOf(record, context, lost);
          yield {
            id,
            source: id,
            type,
            members,
            inLocales,
            ...times,
            draft,
            draftLocales,
            changed,
            lost,
          };
        }
      },
      onTargets(targets: Iterable<string>) {
        if (!options.part) assertWhole([...targets], (id) => entries.has(id));
      },
      assets: () =>
        importedAssets(assets, {
          locales,
          notes,
          drafts,
          files: assetFiles,
          // X3j: one that goes live with an entry is published by then itself.
          isOfDrafts: (id) =>
            !shown.byPublished.has(id) &&
            (shown.byScheduled.has(id) ? actions.publishes(id) : shown.byDrafts.has(id)),
        }),
    };
    return converted(contentful, reading, options, notes);
  },
};

const NOT_DELIVERED: readonly [Nouns, string] = [
  ["locale is", "locales are"],
  "not delivered by Contentful's API, and left out with their values (--locale takes one)",
];

/**
 * The imported values of an entry.
 *
 * @param lost what of it is left out (X9).
 */
function valuesOf(
  entry: Resource,
  {
    type,
    locales,
    idsIn,
  }: {
    readonly type: ImportedType | undefined;
    readonly locales: Locales;
    /** The ids for the value of a locale. */
    readonly idsIn: (locale: string | undefined) => Ids;
  },
  lost: Notes,
): Required<Pick<FoundDocument, "members" | "inLocales">> {
  const typeId = entry.sys.contentType?.sys.id ?? "";
  const reason =
    type === undefined
      ? "values of entries whose content type is not in the export"
      : "values that the content type has no field for, or an omitted one";
  for (const name of Object.keys(entry.fields ?? {})) {
    if (!type?.names.has(name)) lost.leaveOut(reason, 1, `${typeId}.${name}`);
  }
  const valuesIn = locales.valuesOf(entry);
  const inLocales = new Set<string>();
  const members = (type?.fields ?? []).flatMap(([key, field]): Member[] => {
    const { values: given, main, others } = valuesIn(field);
    if (given.length + others.length === 0) return [];
    for (const locale of others) {
      lost.leaveOut(locales.reasonFor(locale, field), 1, `${typeId}.${key}`);
    }
    if (field.type === "RichText") {
      for (const [, value] of given) lost.leaveOut(RESOURCE_LINKS, countResourceLinks(value));
    }
    const values = given.map(
      ([code, value]) => [code, storedValue(field, value, idsIn(code))] as const,
    );
    for (const [code] of values) if (code !== undefined) inLocales.add(code);
    const [[locale, first = null] = []] = values;
    const found: Found = {
      kind: "stated",
      main,
      others,
      values: values.map(([, value]) => value),
      tree: locale === undefined ? first : Object.fromEntries(values),
    };
    return [[key, found]];
  });
  return { members, inLocales: [...inLocales] };
}

const RESOURCE_LINKS = "targets of links into other spaces, which are served as they are";

/** Fewer missing targets than this say nothing. */
const MINIMUM_MISSING = 10;

/** @throws SvcError `export-partial` when a third of the targets are not in the files (X5). */
function assertWhole(targets: readonly string[], has: (id: string) => boolean): void {
  const missing = targets.filter((id) => !has(id)).length;
  if (missing < MINIMUM_MISSING || missing * 3 < targets.length) return;
  throw new SvcError(
    "export-partial",
    `${missing} of the ${targets.length} entries that links point at are not in the export`,
    {
      hint: "give all files of the export in one command, as an import replaces the whole draft; --part imports it as it is",
    },
  );
}

interface Link {
  readonly id: string;
  readonly linkType: string;
}

/** Converts a value. One that does not fit the field's type stays unchanged, and is a problem (P2). */
function storedValue(field: ContentTypeField, value: JsonValue, ids: Ids): JsonValue {
  if (field.type === "RichText") return storedRichText(value, ids);
  if (field.type !== "Array") return storedOne(field.linkType, value, ids);
  if (!Array.isArray(value)) return value;
  return value.map((element) => storedOne(field.items?.linkType, element, ids));
}

function storedOne(linkType: string | undefined, value: JsonValue, ids: Ids): JsonValue {
  const link = linkOf(value);
  if (link === undefined || link.linkType !== linkType) return value;
  return pointerTo(link, ids) ?? value;
}

/** A text with pointers in place of links to entries and assets, wherever they are (X8, V11a). */
function storedRichText(value: JsonValue, ids: Ids): JsonValue {
  if (Array.isArray(value)) return value.map((one: JsonValue) => storedRichText(one, ids));
  if (!isJsonObject(value)) return value;
  const link = linkOf(value);
  const pointer = link && pointerTo(link, ids);
  if (pointer !== undefined) return pointer;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, storedRichText(one, ids)]),
  );
}

/** The stored form of a pointer; undefined for a link to something else. */
function pointerTo({ linkType, id }: Link, ids: Ids): JsonObject | undefined {
  if (linkType === "Entry") return { contentEntryId: ids.entry(id) };
  return linkType === "Asset" ? { assetId: ids.asset(id) } : undefined;
}

function linkOf(value: JsonValue): Link | undefined {
  const sys = isJsonObject(value) ? value.sys : undefined;
  if (!isJsonObject(sys) || sys.type !== "Link") return undefined;
  const { id, linkType } = sys;
  return typeof id === "string" && typeof linkType === "string" ? { id, linkType } : undefined;
}

/** The number of links to other spaces, which are served as they are. */
function countResourceLinks(value: JsonValue): number {
  if (typeof value !== "object" || value === null) return 0;
  const { sys } = value as JsonObject;
  const own = isJsonObject(sys) && sys.type === "ResourceLink" ? 1 : 0;
  return Object.values(value as JsonObject).reduce<number>(
    (sum, one) => sum + countResourceLinks(one),
    own,
  );
}
