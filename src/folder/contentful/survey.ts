import { isJsonObject, type JsonValue, ownMember } from "../../workspace/json.ts";
import type { Entry, Model } from "../../workspace/records.ts";
import type { UnpublishedEdit } from "../format.ts";
import { DateType } from "../formats/date-type.ts";
import { NumberColumn } from "../formats/link-graph.ts";
import type { Notes } from "../formats/notes.ts";
import { PageAddresses } from "../formats/page-types.ts";
import { hasPointers, targetsIn } from "../formats/pointers.ts";
import type { Relaxer } from "../relax.ts";
import type { AssetFiles } from "./asset-files.ts";
import { assetItem } from "./asset-item.ts";
import type { ContentTypeField, Resource } from "./export-file.ts";
import type { ExportFiles } from "./export-files.ts";
import { fieldName } from "./filter-records.ts";
import type { Locales } from "./locales.ts";
import { RecordIndex } from "./record-index.ts";
import { countResourceLinks } from "./rich-text.ts";
import { storedValue } from "./stored-value.ts";
import { type ImportedType, type Types, typeIdOf, type Values } from "./types.ts";

/** What a survey needs. */
export interface SurveyContext {
  readonly files: ExportFiles;
  readonly types: Types;
  readonly locales: Locales;
  readonly values: Values;
  readonly drafts: boolean;
  readonly assetFiles: AssetFiles | undefined;
  /** The models, in which a date is a text. */
  readonly models: readonly Model[];
  readonly relaxer: ((survey: Survey) => Relaxer) | undefined;
}

/**
 * What the first reading of all records of an export finds: all that a conversion of a single record
 * depends on. It holds a few dozen bytes of each record.
 */
export class Survey {
  readonly entries: RecordIndex;
  readonly assets: RecordIndex;
  /** The content type of each entry. */
  readonly typeIds: (string | undefined)[] = [];
  /** The values of the display fields. */
  readonly names: (string | undefined)[] = [];
  /** The references: from, to, and the field by its number. */
  readonly from = new NumberColumn();
  readonly to = new NumberColumn();
  readonly through = new NumberColumn();
  readonly fields: string[] = [];
  /** How many values each field has, and how many in other locales. */
  readonly valueCounts = new Map<ContentTypeField, { values: number; others: number }>();
  readonly dates = new Map<ContentTypeField, DateType>();
  readonly addresses: PageAddresses;
  readonly relaxer: Relaxer | undefined;
  /** How many entries are targets of references. */
  targetCount = 0;
  /** The id of the space, if the records name it. */
  spaceId: string | undefined;
  hasAssetTexts = false;
  readonly #context: SurveyContext;
  readonly #notes: Notes;
  readonly #models: ReadonlyMap<string, Model>;
  readonly #isTarget: (true | undefined)[] = [];
  /** The assets of entries that are published, and of drafts. */
  readonly #shown = new Set<number>();
  readonly #shownByDrafts = new Set<number>();
  readonly #texts = new Map<string, string>();
  readonly #fieldNumbers = new Map<string, number>();

  /** @param known an earlier survey, if records are there twice: only the last of each counts. */
  constructor(context: SurveyContext, notes: Notes, known?: Survey) {
    this.#context = context;
    this.#notes = notes;
    this.#models = new Map(context.models.map((model) => [model.id, model]));
    this.entries = new RecordIndex("entry", notes, known?.entries);
    this.assets = new RecordIndex("asset", notes, known?.assets);
    this.addresses = new PageAddresses(
      context.types.list.map(({ id, fields }) => ({
        id,
        texts: fields
          .filter(([, { type }]) => type === "Symbol" || type === "Text")
          .map(([key, field]) => [key, fieldName(field)]),
      })),
    );
    this.relaxer = context.relaxer?.(this);
    this.#readEntries();
    this.#readAssets();
  }

  get hasTwice(): boolean {
    return this.entries.hasTwice || this.assets.hasTwice;
  }

  #readEntries(): void {
    const { files, drafts, locales } = this.#context;
    let place = 0;
    for (const entry of files.records("entries")) {
      place += 1;
      this.spaceId ??= entry.sys.space?.sys.id;
      const number = this.entries.add(entry, place, {
        ...{ drafts, code: locales.code, mayBeDraft: () => true },
      });
      const typeId = this.#sameText(typeIdOf(entry));
      this.typeIds[this.entries.numberOf(entry.sys.id)] = typeId;
      if (number !== undefined) this.#addEntry(entry, number, typeId);
    }
  }

  #readAssets(): void {
    const { files, drafts, locales, assetFiles } = this.#context;
    let place = 0;
    for (const asset of files.records("assets")) {
      place += 1;
      const number = this.assets.add(asset, place, {
        ...{ drafts, code: locales.code },
        // X3: one that a published entry shows would be published with it.
        mayBeDraft: (number) => this.#shownByDrafts.has(number) && !this.#shown.has(number),
      });
      if (number === undefined) continue;
      const item = assetItem(asset, "", this.#context);
      if (item === undefined) {
        this.assets.leaveOut(number, "that have no file");
        continue;
      }
      const { title, description } = item.record;
      for (const id of ["title", "description"]) {
        this.#countOthers(asset, { id }, this.#context.values.of(asset, { id, localized: true }));
      }
      this.#countOthers(asset, { id: "file" }, item.record.url);
      if (title !== undefined || description !== undefined) this.hasAssetTexts = true;
      const fault = assetFiles?.fault(item.record);
      if (fault !== undefined) {
        this.#notes.warn(`asset "${asset.sys.id}" stays at its url: ${fault}`);
      }
    }
  }

  /** X21. */
  get unpublishedEdits(): UnpublishedEdit[] {
    const edits = (kind: "entry" | "asset", { changed, ids }: RecordIndex) =>
      [...changed].map((number) => ({ kind, id: ids[number] as string }));
    return [...edits("entry", this.entries), ...edits("asset", this.assets)];
  }

  /** The same string for equal texts, so that each is in memory once. */
  #sameText(text: string): string {
    const known = this.#texts.get(text) ?? text;
    this.#texts.set(text, known);
    return known;
  }

  #addEntry(entry: Resource, number: number, typeId: string): void {
    const { types, values } = this.#context;
    const type = types.get(typeId);
    this.#countLosses(entry, type);
    if (type === undefined) return;
    const data: [string, JsonValue][] = [];
    for (const [key, field] of type.fields) {
      const value = values.of(entry, field);
      this.#countValue(entry, field, value);
      if (value === undefined) continue;
      data.push([key, storedValue(field, value, UNCHANGED)]);
      if (field.type === "RichText") {
        this.#notes.leaveOut(RESOURCE_LINKS, countResourceLinks(value));
      }
      this.#noteDate(field, value);
      if (field.id === type.type.displayField && typeof value === "string" && value.trim() !== "") {
        this.names[number] = value;
      }
    }
    const record = { id: entry.sys.id, modelId: type.modelId, data: Object.fromEntries(data) };
    this.#noteTargets(number, type, record);
    this.addresses.add(number, type.id, record.data);
    this.relaxer?.add({ ...record, id: this.entries.ids[number] as string });
  }

  #noteDate(field: ContentTypeField, value: JsonValue): void {
    if ((field.items?.type ?? field.type) !== "Date") return;
    const known = this.dates.get(field) ?? new DateType();
    this.dates.set(field, known);
    for (const one of Array.isArray(value) ? value : [value]) known.add(one);
  }

  #noteTargets(number: number, { modelId }: ImportedType, { data }: Entry): void {
    const model = this.#models.get(modelId);
    if (model === undefined) return;
    const shown = this.entries.drafts.has(number) ? this.#shownByDrafts : this.#shown;
    for (const field of model.fields) {
      const value = ownMember(data, field.key);
      if (value !== undefined && (field.type === "asset" || field.type === "rich-text")) {
        for (const id of targetsIn(value, "asset")) shown.add(this.assets.numberOf(id));
      }
      if (value === undefined || !hasPointers(field)) continue;
      for (const target of targetsIn(value)) {
        const to = this.entries.numberOf(target);
        this.from.push(number);
        this.to.push(to);
        if (this.#isTarget[to] === undefined) this.targetCount += 1;
        this.#isTarget[to] = true;
        this.through.push(this.#fieldNumber(modelId, field.key));
      }
    }
  }

  /** The number of a field of a model; `fields` has its name. */
  #fieldNumber(modelId: string, key: string): number {
    const name = `${modelId} ${key}`;
    const known = this.#fieldNumbers.get(name);
    if (known !== undefined) return known;
    this.#fieldNumbers.set(name, this.fields.length);
    return this.fields.push(name) - 1;
  }

  #countValue(of: Resource, field: ContentTypeField, value: JsonValue | undefined): void {
    const others = this.#countOthers(of, field, value);
    const known = this.valueCounts.get(field) ?? { values: 0, others: 0 };
    known.values += value === undefined ? 0 : 1;
    known.others += others;
    this.valueCounts.set(field, known);
  }

  /** Counts the values beside the imported one. */
  #countOthers(
    of: Resource,
    field: Pick<ContentTypeField, "id" | "apiName">,
    value: JsonValue | undefined,
  ): number {
    const others = this.#context.values.countOf(of, field) - (value === undefined ? 0 : 1);
    this.#notes.leaveOut("values in other locales", others);
    return others;
  }

  /** Counts values without a field, since the content type has changed or is missing. */
  #countLosses({ fields = {}, metadata }: Resource, type: ImportedType | undefined): void {
    const tags = isJsonObject(metadata) ? metadata.tags : undefined;
    this.#notes.leaveOut("tags of entries", Array.isArray(tags) ? tags.length : 0);
    const why =
      type === undefined
        ? "values of entries whose content type is not in the export"
        : "values that the content type has no field for, or an omitted one";
    for (const name of Object.keys(fields)) {
      if (!type?.names.has(name)) this.#notes.leaveOut(why);
    }
  }
}

const RESOURCE_LINKS = "targets of links into other spaces, which are served as they are";

/** Ids of the export, as they are. */
const UNCHANGED = { entry: (id: string) => id, asset: (id: string) => id };
