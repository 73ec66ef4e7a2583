import { basename, extname } from "node:path";
import { toId } from "../workspace/ids.ts";
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
import { fieldName, filterRecords, publishedIn } from "./contentful/filter-records.ts";
import { type Locales, localesOf, valueIn } from "./contentful/locales.ts";
import { storedValue } from "./contentful/stored-value.ts";
import type { Format, FormatOptions } from "./format.ts";
import { NameMap, toKey, toModelKey } from "./formats/name-map.ts";
import { Notes } from "./formats/notes.ts";
import {
  type LinkedEntry,
  projectOf,
  rootsOf,
  targetsOf,
  unreachableIds,
} from "./formats/project.ts";
import { workspaceIdOf } from "./formats/workspace-id.ts";
import { relax } from "./relax.ts";

/** Contentful's export format: one JSON file (`contentful space export`). */
export const contentful: Format = {
  name: "contentful",
  hint: HOW_TO_EXPORT,
  options: ["drafts", "locale", "relax", "roots", "workspaceId"],
  read(path, options) {
    const complete = readExport(path);
    const id = workspaceIdFor(complete, path, options);
    const notes = new Notes();
    const locales = localesOf(complete, options.locale);
    const { drafts } = options;
    const filtered = filterRecords(complete, { drafts, chain: locales.chain, notes });
    const converter = new ExportConverter(filtered, locales, notes, drafts);
    const entries = converter.entries();
    const models = converter.models();
    const { models: kept, dropped } = options.relax
      ? relax(models, entries)
      : { models, dropped: [] };
    const linked = converter.linkedEntries(kept, entries);
    const roots = rootsOf(linked, options.roots);
    const items: SourceItem[] = [
      { kind: "workspace", record: { id, name: id } },
      ...kept.map((record) => ({ kind: "models", record }) as const),
      { kind: "projects", record: projectOf(id, roots, notes.renamed("the experience of entry")) },
      ...entries.map((record) => ({ kind: "entries", record }) as const),
      ...converter.assets(),
    ];
    const report = {
      locale: locales.code,
      leftOut: Object.fromEntries(notes.leftOut),
      notCarriedOver: Object.fromEntries([...notes.notCarriedOver].sort()),
      relaxed: dropped,
      unreachable: unreachableIds(linked, roots),
      warnings: notes.warnings,
    };
    return { source: items, report };
  },
};

/** A content type with its imported fields and their keys. */
interface ImportedType {
  readonly type: ContentType;
  readonly fields: readonly (readonly [key: string, ContentTypeField])[];
  /** The names of its fields in the entries of an export. */
  readonly names: ReadonlySet<string>;
}

/** Converts the records of an export to those of a workspace. */
class ExportConverter {
  readonly #drafts: boolean;
  readonly #locales: Locales;
  readonly #notes: Notes;
  readonly #types: ReadonlyMap<string, ImportedType>;
  readonly #entries: readonly Resource[];
  readonly #assets: readonly Resource[];
  readonly #modelKeys: NameMap;
  readonly #modelIds: NameMap;
  readonly #entryIds: NameMap;
  readonly #assetIds: NameMap;

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
    ) => new NameMap(fit, { names: of.map(({ sys }) => sys.id), onChange: notes.renamed(what) });
    this.#modelKeys = names("the key of the content type", toModelKey, contentTypes);
    this.#modelIds = names("the id of the content type", toId, contentTypes);
    this.#entryIds = names("the id of the entry", toId, entries);
    this.#assetIds = names("the id of the asset", toId, assets);
    this.#types = new Map(contentTypes.map((type) => [type.sys.id, this.#importedType(type)]));
  }

  #importedType(type: ContentType): ImportedType {
    const { fields } = type;
    const keys = new NameMap(toKey("field_"), {
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
      this.#countUnmappedValues(entry, type);
      const id = this.#entryIds.of(entry.sys.id);
      return { id, modelId: this.#modelIds.of(typeOf(entry)), data: Object.fromEntries(data) };
    });
  }

  /** Counts values without a field, since the content type has changed or is missing. */
  #countUnmappedValues({ fields = {} }: Resource, type: ImportedType | undefined): void {
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

  /** The values of date fields, whose type depends on them. */
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

  /** The entries with their references, as far as the models have them. */
  linkedEntries(models: readonly Model[], entries: readonly Entry[]): LinkedEntry[] {
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

  /** The value of the type's display field, else the entry's id. */
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

/** The id from the options, else of the export's space, else the file's name. */
function workspaceIdFor(
  { contentTypes, entries }: ContentfulExport,
  path: string,
  { workspaceId }: FormatOptions,
): string {
  const space = [...contentTypes, ...entries].find(({ sys }) => sys.space)?.sys.space?.sys.id;
  return workspaceIdOf(workspaceId, space ?? basename(path, extname(path)));
}
