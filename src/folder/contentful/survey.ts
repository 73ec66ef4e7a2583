import { isJsonObject, type JsonValue, ownMember } from "../../workspace/json.ts";
import type { Entry, Model } from "../../workspace/records.ts";
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
import { exclusionReason, fieldName, isChanged } from "./filter-records.ts";
import { IdIndex } from "./id-index.ts";
import type { Locales } from "./locales.ts";
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
  readonly entries = new IdIndex();
  readonly assets = new IdIndex();
  /** The place of each record among those of the files, by its number; undefined: only a target. */
  readonly entryPlaces: (number | undefined)[] = [];
  readonly assetPlaces: (number | undefined)[] = [];
  /** The content type of each entry that is imported. */
  readonly typeIds: (string | undefined)[] = [];
  /** The values of the display fields. */
  readonly names: (string | undefined)[] = [];
  /** The references: from, to, and the field by its number. */
  readonly from = new NumberColumn();
  readonly to = new NumberColumn();
  readonly through = new NumberColumn();
  readonly fields: string[] = [];
  readonly dates = new Map<ContentTypeField, DateType>();
  readonly addresses: PageAddresses;
  readonly relaxer: Relaxer | undefined;
  /** How many entries are targets of references. */
  targetCount = 0;
  /** The id of the space, if the records name it. */
  spaceId: string | undefined;
  hasTwice = false;
  hasAssetTexts = false;
  readonly #context: SurveyContext;
  readonly #notes: Notes;
  readonly #models: ReadonlyMap<string, Model>;
  readonly #isTarget: (true | undefined)[] = [];
  readonly #isAsset: (true | undefined)[] = [];
  readonly #fieldNumbers = new Map<string, number>();
  readonly #known: Survey | undefined;

  /** @param known an earlier survey, if records are there twice: only the last of each counts. */
  constructor(context: SurveyContext, notes: Notes, known?: Survey) {
    this.#context = context;
    this.#notes = notes;
    this.#known = known;
    this.#models = new Map(context.models.map((model) => [model.id, model]));
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

  isEntry(number: number): boolean {
    return this.typeIds[number] !== undefined;
  }

  isAsset(number: number): boolean {
    return this.#isAsset[number] === true;
  }

  #readEntries(): void {
    const { files } = this.#context;
    let place = 0;
    let changed = 0;
    for (const entry of files.records("entries")) {
      place += 1;
      if (!this.#isLast("entry", place, entry)) continue;
      this.spaceId ??= entry.sys.space?.sys.id;
      if (!this.#isIncluded("entries", entry)) continue;
      if (isChanged(entry.sys)) changed += 1;
      this.#addEntry(entry);
    }
    this.#noteChanged("entries", changed);
  }

  #readAssets(): void {
    let place = 0;
    let changed = 0;
    for (const asset of this.#context.files.records("assets")) {
      place += 1;
      if (!this.#isLast("asset", place, asset) || !this.#isIncluded("assets", asset)) continue;
      if (isChanged(asset.sys)) changed += 1;
      const item = assetItem(asset, "", this.#context);
      if (item === undefined) {
        this.#notes.leaveOut("assets that have no file");
        continue;
      }
      this.#isAsset[this.assets.numberOf(asset.sys.id)] = true;
      const { title, description } = item.record;
      if (title !== undefined || description !== undefined) this.hasAssetTexts = true;
      const fault = this.#context.assetFiles?.fault(item.record);
      if (fault !== undefined) {
        this.#notes.warn(`asset "${asset.sys.id}" stays at its url: ${fault}`);
      }
    }
    this.#noteChanged("assets", changed);
  }

  /** Whether it is the last record with its id, as far as is known. */
  #isLast(kind: "entry" | "asset", place: number, { sys: { id } }: Resource): boolean {
    const isEntry = kind === "entry";
    const number = (isEntry ? this.entries : this.assets).numberOf(id);
    const places = isEntry ? this.entryPlaces : this.assetPlaces;
    if (places[number] !== undefined) {
      this.hasTwice = true;
      this.#notes.warn(`the export has the ${kind} "${id}" twice: the last one is used`);
    }
    places[number] = place;
    return this.#known === undefined || this.#known.placeOf(kind, id) === place;
  }

  placeOf(kind: "entry" | "asset", id: string): number | undefined {
    const isEntry = kind === "entry";
    const number = (isEntry ? this.entries : this.assets).find(id);
    return number === undefined
      ? undefined
      : (isEntry ? this.entryPlaces : this.assetPlaces)[number];
  }

  #isIncluded(kind: "entries" | "assets", { sys }: Resource): boolean {
    const { drafts, locales } = this.#context;
    const reason = exclusionReason(sys, { drafts, code: locales.code });
    if (reason !== undefined) this.#notes.leaveOut(`${kind} that are ${reason}`);
    return reason === undefined;
  }

  #noteChanged(kind: string, changed: number): void {
    if (changed === 0 || this.#context.drafts) return;
    this.#notes.warn(
      `${kind} that were changed after they were published: ${changed} (an export has only their drafts)`,
    );
  }

  #addEntry(entry: Resource): void {
    const { types, values } = this.#context;
    const number = this.entries.numberOf(entry.sys.id);
    const typeId = typeIdOf(entry);
    this.typeIds[number] = typeId;
    const type = types.get(typeId);
    this.#countLosses(entry, type);
    if (type === undefined) return;
    const data: [string, JsonValue][] = [];
    for (const [key, field] of type.fields) {
      const value = values.of(entry, field);
      this.#countOtherLocales(entry, field, value);
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
    for (const field of model.fields) {
      const value = ownMember(data, field.key);
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

  #countOtherLocales(of: Resource, field: ContentTypeField, value: JsonValue | undefined): void {
    const others = this.#context.values.countOf(of, field) - (value === undefined ? 0 : 1);
    this.#notes.leaveOut("values in other locales", others);
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
