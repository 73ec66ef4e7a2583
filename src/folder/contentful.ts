import { basename, extname } from "node:path";
import { UsageError } from "../workspace/errors.ts";
import { ID_RULE, isId } from "../workspace/ids.ts";
import type { JsonValue } from "../workspace/json.ts";
import type { Entry, Model } from "../workspace/records.ts";
import type { SourceItem } from "../workspace/source.ts";
import { assetItem } from "./contentful/asset-item.ts";
import {
  type ContentfulExport,
  type ContentType,
  type ContentTypeField,
  HOW_TO_EXPORT,
  type Resource,
  readExport,
} from "./contentful/export-file.ts";
import { fieldDefinition } from "./contentful/field-definition.ts";
import { fieldName, publishedIn, taken } from "./contentful/filter-records.ts";
import { type Locales, localesOf, valueIn } from "./contentful/locales.ts";
import { fittingId, fittingKey, fittingModelKey, Names } from "./contentful/name-map.ts";
import { Notes } from "./contentful/notes.ts";
import { projectOf, rootsOf, type Shown, targetsOf, unreachableIds } from "./contentful/project.ts";
import { storedValue } from "./contentful/stored-value.ts";
import type { Format, FormatOptions } from "./format.ts";
import { relax } from "./relax.ts";

/** Contentful's own export: one JSON file (`contentful space export`). */
export const contentful: Format = {
  name: "contentful",
  hint: HOW_TO_EXPORT,
  read(path, options) {
    const given = readExport(path);
    const id = workspaceIdOf(given, path, options);
    const notes = new Notes();
    const locales = localesOf(given, options.locale);
    const { drafts } = options;
    const used = taken(given, { drafts, chain: locales.chain, notes });
    const reading = new Reading(used, locales, notes, drafts);
    const entries = reading.entries();
    const models = reading.models();
    const { models: kept, dropped } = options.relax
      ? relax(models, entries)
      : { models, dropped: [] };
    const shown = reading.shown(kept, entries);
    const roots = rootsOf(shown, options.roots);
    const items: SourceItem[] = [
      { kind: "workspace", record: { id, name: id } },
      ...kept.map((record) => ({ kind: "models", record }) as const),
      { kind: "projects", record: projectOf(id, roots, notes.renamed("the experience of entry")) },
      ...entries.map((record) => ({ kind: "entries", record }) as const),
      ...reading.assets(),
    ];
    const report = {
      locale: locales.code,
      leftOut: Object.fromEntries(notes.leftOut),
      notCarriedOver: Object.fromEntries([...notes.notCarriedOver].sort()),
      relaxed: dropped,
      unreachable: unreachableIds(shown, roots),
      warnings: notes.warnings,
    };
    return { source: items, report };
  },
};

/** A content type with the fields that are taken, and their keys. */
interface Taken {
  readonly type: ContentType;
  readonly fields: readonly (readonly [key: string, ContentTypeField])[];
  /** Of its fields, in the entries of an export. */
  readonly names: ReadonlySet<string>;
}

/** The records of an export, on their way into a workspace. */
class Reading {
  readonly #drafts: boolean;
  readonly #locales: Locales;
  readonly #notes: Notes;
  readonly #types: ReadonlyMap<string, Taken>;
  readonly #entries: readonly Resource[];
  readonly #assets: readonly Resource[];
  readonly #modelKeys: Names;
  readonly #modelIds: Names;
  readonly #entryIds: Names;
  readonly #assetIds: Names;

  constructor(
    { contentTypes, entries, assets }: ContentfulExport,
    locales: Locales,
    notes: Notes,
    drafts: boolean,
  ) {
    this.#drafts = drafts;
    this.#locales = locales;
    this.#notes = notes;
    this.#entries = entries;
    this.#assets = assets;
    const names = (
      what: string,
      fit: (id: string) => string,
      of: readonly Pick<Resource, "sys">[],
    ) => new Names(fit, { names: of.map(({ sys }) => sys.id), onChange: notes.renamed(what) });
    this.#modelKeys = names("the key of the content type", fittingModelKey, contentTypes);
    this.#modelIds = names("the id of the content type", fittingId, contentTypes);
    this.#entryIds = names("the id of the entry", fittingId, entries);
    this.#assetIds = names("the id of the asset", fittingId, assets);
    this.#types = new Map(contentTypes.map((type) => [type.sys.id, this.#taken(type)]));
  }

  #taken(type: ContentType): Taken {
    const { fields } = type;
    const keys = new Names(fittingKey("field_"), {
      names: fields.map(fieldName),
      onChange: this.#notes.renamed(`the key of "${type.sys.id}", field`),
    });
    const names = new Set(fields.flatMap((field) => [field.id, fieldName(field)]));
    return { type, names, fields: fields.map((field) => [keys.of(fieldName(field)), field]) };
  }

  entries(): Entry[] {
    const ids = {
      entry: (id: string) => this.#entryIds.of(id),
      asset: (id: string) => this.#assetIds.of(id),
    };
    return this.#entries.map((entry) => {
      const data: [string, JsonValue][] = [];
      const type = this.#types.get(typeOf(entry));
      for (const [key, field] of type?.fields ?? []) {
        const value = this.#value(entry, field);
        if (value !== undefined) data.push([key, storedValue(field, value, ids)]);
      }
      this.#tellFieldless(entry, type);
      const id = this.#entryIds.of(entry.sys.id);
      return { id, modelId: this.#modelIds.of(typeOf(entry)), data: Object.fromEntries(data) };
    });
  }

  /** Says which values no field takes, since the content type has changed or is not there. */
  #tellFieldless({ fields = {} }: Resource, type: Taken | undefined): void {
    const why =
      type === undefined
        ? "values of entries whose content type is not in the export"
        : "values that the content type has no field for, or an omitted one";
    for (const name of Object.keys(fields)) {
      if (!type?.names.has(name)) this.#notes.leaveOut(why);
    }
  }

  assets(): SourceItem[] {
    return this.#assets.flatMap((asset) => {
      const item = assetItem(asset, this.#assetIds.of(asset.sys.id), this.#locales);
      if (item === undefined) this.#notes.leaveOut("assets that have no file");
      return item ?? [];
    });
  }

  models(): Model[] {
    const dates = this.#dates();
    return [...this.#types].map(([typeId, { type, fields }]) => ({
      id: this.#modelIds.of(typeId),
      key: this.#modelKeys.of(typeId),
      name: type.name ?? typeId,
      fields: fields.map(([key, field]) =>
        fieldDefinition(field, {
          key,
          modelKey: (id) => this.#modelKeys.of(id),
          values: dates.get(field) ?? [],
          onNotCarried: (name) => this.#notes.notCarried(name),
        }),
      ),
    }));
  }

  /** What entries have in fields whose type depends on it. */
  #dates(): Map<ContentTypeField, JsonValue[]> {
    const dates = new Map<ContentTypeField, JsonValue[]>();
    for (const entry of this.#entries) {
      for (const [, field] of this.#types.get(typeOf(entry))?.fields ?? []) {
        if ((field.items?.type ?? field.type) !== "Date") continue;
        const value = this.#value(entry, field);
        const known = dates.get(field) ?? [];
        dates.set(field, known);
        if (value !== undefined) known.push(...(Array.isArray(value) ? value : [value]));
      }
    }
    return dates;
  }

  /** The entries, by what the models make of them. */
  shown(models: readonly Model[], entries: readonly Entry[]): Shown[] {
    const byId = new Map(models.map((model) => [model.id, model]));
    return this.#entries.map((entry, index) => {
      const { id, modelId, data } = entries[index] as Entry;
      const model = byId.get(modelId);
      const type = typeOf(entry);
      return {
        ...{ id, type, layoutName: this.#modelKeys.of(type), name: this.#nameOf(entry) },
        targets: model === undefined ? [] : targetsOf(model, data),
      };
    });
  }

  /** The value of the field that names entries of its type, else its id. */
  #nameOf(entry: Resource): string {
    const { type, fields = [] } = this.#types.get(typeOf(entry)) ?? {};
    const [, display] = fields.find(([, { id }]) => id === type?.displayField) ?? [];
    const name = display && this.#value(entry, display);
    return typeof name === "string" && name.trim() !== "" ? name : entry.sys.id;
  }

  #value({ fields = {}, sys }: Resource, field: ContentTypeField): JsonValue | undefined {
    const name = Object.hasOwn(fields, fieldName(field)) ? fieldName(field) : field.id;
    if (!Object.hasOwn(fields, name)) return undefined;
    if (!field.localized) return valueIn(fields[name], this.#locales.shared);
    const { chain } = this.#locales;
    return valueIn(fields[name], this.#drafts ? chain : publishedIn(sys, chain));
  }
}

function typeOf({ sys }: Resource): string {
  return sys.contentType?.sys.id ?? "";
}

/** What was asked for, or the id of the export's space, or the name of its file. */
function workspaceIdOf(
  { contentTypes, entries }: ContentfulExport,
  path: string,
  { workspaceId }: FormatOptions,
): string {
  if (workspaceId !== undefined) {
    if (isId(workspaceId)) return workspaceId;
    throw new UsageError(`"${workspaceId}" cannot be a workspace's id`, ID_RULE);
  }
  const space = [...contentTypes, ...entries].find(({ sys }) => sys.space)?.sys.space?.sys.id;
  return fittingId(space ?? basename(path, extname(path)));
}
