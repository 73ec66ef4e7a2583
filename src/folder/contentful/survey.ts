import { type JsonValue, ownMember } from "../../workspace/json.ts";
import type { Entry, Model } from "../../workspace/records.ts";
import type { DraftLocales, UnpublishedEdit } from "../format.ts";
import { NumberColumn } from "../formats/link-graph.ts";
import type { Notes } from "../formats/notes.ts";
import { PageAddresses } from "../formats/page-types.ts";
import { hasPointers, targetsIn } from "../formats/pointers.ts";
import type { AssetFiles } from "./asset-files.ts";
import { assetItem } from "./asset-item.ts";
import type { Resource } from "./export-file.ts";
import type { ExportFiles } from "./export-files.ts";
import { fieldName } from "./filter-records.ts";
import type { Locales } from "./locales.ts";
import { RecordIndex } from "./record-index.ts";
import { storedValue } from "./stored-value.ts";
import { type ImportedType, type Types, typeIdOf } from "./types.ts";
import { ValueCounts } from "./value-counts.ts";
import { storedLocales, type Values } from "./values.ts";

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
  /** The references: from, to. */
  readonly from = new NumberColumn();
  readonly to = new NumberColumn();
  readonly counts: ValueCounts;
  /** How many texts and files of an asset are in other locales. */
  readonly assetOthers = new Map<number, number>();
  /** X3: entries with values in a locale that is a draft, while they are published in others. */
  readonly draftLocales: DraftLocales[] = [];
  readonly addresses: PageAddresses;
  /** How many entries are targets of references. */
  targetCount = 0;
  hasAssetTexts = false;
  readonly #context: SurveyContext;
  readonly #assetFault: (id: string, fault: string) => void;
  readonly #models: ReadonlyMap<string, Model>;
  readonly #isTarget: (true | undefined)[] = [];
  /** The assets of entries that are published, and of drafts. */
  readonly #shown = new Set<number>();
  readonly #shownByDrafts = new Set<number>();
  readonly #texts = new Map<string, string>();

  /** @param known an earlier survey, if records are there twice: only the last of each counts. */
  constructor(context: SurveyContext, notes: Notes, known?: Survey) {
    this.#context = context;
    this.counts = new ValueCounts(context.values, notes);
    this.#assetFault = (id, fault) => notes.warn(`asset "${id}" stays at its url: ${fault}`);
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
    this.#readEntries();
    this.#readAssets();
  }

  get hasTwice(): boolean {
    return this.entries.hasTwice || this.assets.hasTwice;
  }

  #readEntries(): void {
    const { files, drafts, values } = this.#context;
    let place = 0;
    for (const entry of files.records("entries")) {
      place += 1;
      const number = this.entries.add(entry, place, {
        ...{ drafts, codes: values.codes, mayBeDraft: () => true },
      });
      const typeId = this.#sameText(typeIdOf(entry));
      this.typeIds[this.entries.numberOf(entry.sys.id)] = typeId;
      if (number !== undefined) this.#addEntry(entry, number, typeId);
    }
  }

  #readAssets(): void {
    const { files, drafts, values, assetFiles } = this.#context;
    let place = 0;
    for (const asset of files.records("assets")) {
      place += 1;
      const number = this.assets.add(asset, place, {
        ...{ drafts, codes: values.codes },
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
      let others = this.counts.addOthers(asset, { id: "file" }, 1);
      for (const id of ["title", "description"]) {
        const value = values.of(asset, { id, localized: true });
        others += this.counts.addOthers(asset, { id }, value === undefined ? 0 : 1);
      }
      if (others > 0) this.assetOthers.set(number, others);
      if (title !== undefined || description !== undefined) this.hasAssetTexts = true;
      const fault = assetFiles?.fault(item.record);
      if (fault !== undefined) this.#assetFault(asset.sys.id, fault);
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
    this.counts.addWithoutField(entry, type);
    if (type === undefined) return;
    const data: [string, JsonValue][] = [];
    const texts: [string, JsonValue][] = [];
    const draftLocales = new Set<string>();
    for (const [key, field] of type.fields) {
      const all = values.all(entry, field);
      for (const code of this.counts.add(entry, field, all)) draftLocales.add(code);
      const value = storedLocales(all, (one) => storedValue(field, one, UNCHANGED));
      if (value !== undefined) data.push([key, value]);
      const text = values.of(entry, field);
      if (typeof text !== "string") continue;
      texts.push([key, text]);
      if (field.id === type.type.displayField && text.trim() !== "") this.names[number] = text;
    }
    if (draftLocales.size > 0) {
      this.draftLocales.push({ id: entry.sys.id, locales: [...draftLocales] });
    }
    const record = { id: entry.sys.id, modelId: type.modelId, data: Object.fromEntries(data) };
    this.#noteTargets(number, type, record);
    this.addresses.add(number, type.id, Object.fromEntries(texts));
  }

  #noteTargets(number: number, { modelId }: ImportedType, { data }: Entry): void {
    const model = this.#models.get(modelId);
    if (model === undefined) return;
    const shown = this.entries.drafts.has(number) ? this.#shownByDrafts : this.#shown;
    for (const field of model.fields) {
      const value = ownMember(data, field.key);
      // `targetsIn` finds those in the locales of a value, too.
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
      }
    }
  }
}

/** Ids of the export, as they are. */
const UNCHANGED = { entry: (id: string) => id, asset: (id: string) => id };
