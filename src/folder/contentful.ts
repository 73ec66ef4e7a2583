import { basename, extname } from "node:path";
import { UsageError } from "../workspace/errors.ts";
import { ID_RULE, isId } from "../workspace/ids.ts";
import type { JsonValue } from "../workspace/json.ts";
import type { Entry, Model } from "../workspace/records.ts";
import type { SourceItem } from "../workspace/source.ts";
import { assetItem } from "./contentful/assets.ts";
import {
  type ContentfulExport,
  type ContentType,
  type ContentTypeField,
  HOW_TO_EXPORT,
  type Resource,
  readExport,
} from "./contentful/export-file.ts";
import { fieldDefinition } from "./contentful/fields.ts";
import { type Locales, localesOf, valueIn } from "./contentful/locales.ts";
import { fittingId, fittingKey, fittingModelKey, Names } from "./contentful/names.ts";
import { countUnreachable, projectOf, rootsOf, type Shown } from "./contentful/project.ts";
import { storedValue, targetsOf } from "./contentful/values.ts";
import type { Format, FormatOptions } from "./format.ts";
import { relax } from "./relax.ts";

/** Contentful's own export: one JSON file (`contentful space export`). */
export const contentful: Format = {
  name: "contentful",
  hint: HOW_TO_EXPORT,
  read(path, options) {
    const given = readExport(path);
    const id = workspaceIdOf(given, path, options);
    const reading = new Reading(given, localesOf(given, options.locale), options);
    const entries = reading.entries();
    const assets = reading.assets();
    const models = reading.models();
    const { models: kept, dropped } = options.relax
      ? relax(models, entries)
      : { models, dropped: [] };
    const shown = reading.shown();
    const roots = rootsOf(shown, options.roots);
    const items: SourceItem[] = [
      { kind: "workspace", record: { id, name: id } },
      ...kept.map((record) => ({ kind: "models", record }) as const),
      { kind: "projects", record: projectOf(id, id, roots) },
      ...entries.map((record) => ({ kind: "entries", record }) as const),
      ...assets,
    ];
    const report = {
      locale: reading.locales.code,
      leftOut: Object.fromEntries(reading.leftOut),
      notCarriedOver: Object.fromEntries([...reading.notCarriedOver].sort()),
      relaxed: dropped,
      unreachable: countUnreachable(shown, roots),
      warnings: reading.warnings,
    };
    return { source: items, report };
  },
};

/** The records of an export, on their way into a workspace. */
class Reading {
  readonly locales: Locales;
  readonly leftOut = new Map<string, number>();
  readonly notCarriedOver = new Map<string, number>();
  readonly warnings: string[] = [];
  readonly #types: ReadonlyMap<string, ContentType>;
  readonly #entries: readonly Resource[];
  readonly #assets: readonly Resource[];
  readonly #modelKeys: Names;
  readonly #modelIds: Names;
  readonly #entryIds: Names;
  readonly #assetIds: Names;
  readonly #fieldKeys = new Map<string, Names>();

  constructor(given: ContentfulExport, locales: Locales, options: FormatOptions) {
    this.locales = locales;
    const changed = (what: string) => ({
      onChange: (from: string, to: string) =>
        void this.warnings.push(`${what} "${from}" is "${to}" here`),
    });
    this.#modelKeys = new Names(fittingModelKey, changed("the key of the content type"));
    this.#modelIds = new Names(fittingId, changed("the id of the content type"));
    this.#entryIds = new Names(fittingId, changed("the id of the entry"));
    this.#assetIds = new Names(fittingId, changed("the id of the asset"));
    this.#types = new Map(
      this.#distinct("content type", given.contentTypes).map((one) => [one.sys.id, one]),
    );
    this.#entries = this.#kept("entry", this.#distinct("entry", given.entries), options);
    this.#assets = this.#kept("asset", this.#distinct("asset", given.assets), options);
  }

  entries(): Entry[] {
    return this.#entries.map((entry) => {
      const type = this.#types.get(typeOf(entry));
      const data: [string, JsonValue][] = [];
      for (const field of type === undefined ? [] : fieldsOf(type)) {
        const value = this.#value(entry, field);
        if (value === undefined) continue;
        const stored = storedValue(field, value, {
          entry: (id) => this.#entryIds.of(id),
          asset: (id) => this.#assetIds.of(id),
        });
        data.push([this.#fieldKey(typeOf(entry), field), stored]);
      }
      const id = this.#entryIds.of(entry.sys.id);
      return { id, modelId: this.#modelIds.of(typeOf(entry)), data: Object.fromEntries(data) };
    });
  }

  assets(): SourceItem[] {
    return this.#assets.flatMap((asset) => {
      const item = assetItem(asset, this.#assetIds.of(asset.sys.id), this.locales);
      if (item === undefined) this.#leaveOut("assets without a file");
      return item ?? [];
    });
  }

  models(): Model[] {
    const values = new Map<string, JsonValue[]>();
    for (const entry of this.#entries) {
      const type = this.#types.get(typeOf(entry));
      for (const field of type === undefined ? [] : fieldsOf(type)) {
        if ((field.items?.type ?? field.type) !== "Date") continue;
        const value = this.#value(entry, field);
        const place = `${typeOf(entry)} ${field.id}`;
        const known = values.get(place) ?? [];
        values.set(place, known);
        if (value !== undefined) known.push(...(Array.isArray(value) ? value : [value]));
      }
    }
    return [...this.#types].map(([typeId, type]) => ({
      id: this.#modelIds.of(typeId),
      key: this.#modelKeys.of(typeId),
      name: type.name ?? typeId,
      fields: fieldsOf(type).map((field) =>
        fieldDefinition(field, {
          key: this.#fieldKey(typeId, field),
          modelKey: (id) => this.#modelKeys.of(id),
          values: values.get(`${typeId} ${field.id}`) ?? [],
          onNotCarried: (name) => {
            this.notCarriedOver.set(name, (this.notCarriedOver.get(name) ?? 0) + 1);
          },
        }),
      ),
    }));
  }

  shown(): Shown[] {
    return this.#entries.map((entry) => {
      const typeId = typeOf(entry);
      const type = this.#types.get(typeId);
      const fields = type === undefined ? [] : fieldsOf(type);
      const display = fields.find(({ id }) => id === type?.displayField);
      const name = display && this.#value(entry, display);
      return {
        id: this.#entryIds.of(entry.sys.id),
        type: typeId,
        layoutName: this.#modelKeys.of(typeId),
        name: typeof name === "string" && name.trim() !== "" ? name : entry.sys.id,
        targets: fields
          .flatMap((field) => targetsOf(field, this.#value(entry, field) ?? null))
          .map((id) => this.#entryIds.of(id)),
      };
    });
  }

  #value({ fields = {} }: Resource, field: ContentTypeField): JsonValue | undefined {
    const name = [field.id, field.apiName ?? ""].find((one) => Object.hasOwn(fields, one));
    if (name === undefined) return undefined;
    return valueIn(fields[name], field.localized ? this.locales.chain : this.locales.shared);
  }

  #fieldKey(typeId: string, field: ContentTypeField): string {
    let keys = this.#fieldKeys.get(typeId);
    if (keys === undefined) {
      keys = new Names(fittingKey("field_"), {
        onChange: (from, to) =>
          void this.warnings.push(`the field "${from}" of "${typeId}" is "${to}" here`),
      });
      this.#fieldKeys.set(typeId, keys);
    }
    return keys.of(field.apiName ?? field.id);
  }

  /** Of records with one id, the last, as Contentful's own import takes them. */
  #distinct<T extends { sys: { id: string } }>(what: string, records: readonly T[]): T[] {
    const byId = new Map<string, T>();
    for (const record of records) {
      const { id } = record.sys;
      if (byId.has(id))
        this.warnings.push(`the export has the ${what} "${id}" twice: the last one counts`);
      byId.set(id, record);
    }
    return [...byId.values()];
  }

  #kept(
    what: "entry" | "asset",
    records: readonly Resource[],
    { drafts }: FormatOptions,
  ): Resource[] {
    const many = what === "entry" ? "entries" : "assets";
    return records.filter(({ sys }) => {
      const why =
        sys.archivedVersion !== undefined
          ? `archived ${many}`
          : !drafts && sys.publishedVersion === undefined
            ? `${many} that are not published`
            : undefined;
      if (why !== undefined) this.#leaveOut(why);
      return why === undefined;
    });
  }

  #leaveOut(why: string): void {
    this.leftOut.set(why, (this.leftOut.get(why) ?? 0) + 1);
  }
}

function fieldsOf({ fields }: ContentType): ContentTypeField[] {
  return fields.filter(({ omitted }) => !omitted);
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
