import { localizedModels } from "../fields/localized.ts";
import type { Serving } from "../fields/serving.ts";
import type { HeldFile } from "../workspace/asset.ts";
import type { Draft } from "../workspace/draft.ts";
import type { JsonObject } from "../workspace/json.ts";
import { languageKey } from "../workspace/language.ts";
import type { Problem } from "../workspace/problem.ts";
import type { Entry, Project, Step } from "../workspace/records.ts";
import { EntryLookup, type EntryNumber } from "./entry-lookup.ts";
import { columnsOf, EntryTable, NO_TEXT } from "./entry-table.ts";
import { hiddenEntries, type Span, type View } from "./hidden-entries.ts";
import { markStale } from "./mark-stale.ts";
import { reportedProblems } from "./own-problems.ts";
import { projectRules, renderingRules } from "./rendering-rules.ts";
import { definitionsValidator, type SchemaValidator } from "./schema-validator.ts";
import { type Chunk, type ServedChunk, serveChunk, serveEntry } from "./serve-chunk.ts";
import { languagesInUse } from "./table-languages.ts";
import { type Pack, PackSink, type TextSink, textNumber } from "./text-packs.ts";
import type { Texts } from "./texts.ts";

/** A rendering of an earlier revision of the draft. */
export interface EarlierRendering {
  readonly table: EntryTable;
  /** Texts that are not stored. */
  readonly loose?: Map<EntryNumber, Buffer>;
  readonly revision: number;
  /** The rules by which the entries of each of the table's models were served, by model id. */
  readonly rules: ReadonlyMap<string, string>;
  readonly projectRules: string;
}

export interface RenderingOptions {
  readonly earlier?: EarlierRendering | undefined;
  /** Where texts are stored; none: they are made on demand. */
  readonly texts?: Texts;
  /** Identifies the program: another one may serve entries differently. */
  readonly program?: string | undefined;
  /** Default: what is published while the clock has not begun. */
  readonly view?: View;
}

const BEFORE_ALL_TIMES: View = { at: Number.NEGATIVE_INFINITY, showsHidden: false };

/**
 * A draft being rendered. Each entry is served once, since most are in several documents, and what an
 * earlier revision served is reused unless it is stale. It is valid for one revision of the draft.
 */
export class Rendering {
  readonly draft: Draft;
  readonly table: EntryTable;
  readonly texts: Texts | undefined;
  readonly lookup: EntryLookup;
  /** A5: the readings of the clock for which it is the same. */
  readonly span: Span;
  readonly #rulesOf: (modelId: string) => string;
  readonly #projectRules: string;
  /** Texts that are not stored, by entry. */
  readonly #loose: Map<EntryNumber, Buffer>;
  readonly #steps = new WeakMap<Project, ReadonlyMap<string, Step>>();
  #validator: SchemaValidator | undefined;

  constructor(draft: Draft, options: RenderingOptions = {}) {
    const { earlier, texts, program = "", view = BEFORE_ALL_TIMES } = options;
    this.draft = draft;
    this.texts = texts;
    this.table = earlier?.table ?? new EntryTable();
    this.#loose = earlier?.loose ?? new Map();
    const languages = languagesInUse(this.table, draft, earlier?.revision ?? -1);
    this.lookup = new EntryLookup(draft, columnsOf(this.table), languages);
    this.#rulesOf = renderingRules(draft, program, languages);
    this.#projectRules = projectRules(draft, program, languages);
    const hidden = hiddenEntries(draft, view.at);
    this.span = hidden.span;
    markStale(this.table, draft, earlier?.revision ?? -1, {
      hidden: hidden.byId,
      showsHidden: view.showsHidden,
      languages: languages.map(languageKey),
      localized: localizedModels(draft),
      ofModel: (modelId) => earlier?.rules.get(modelId) !== this.#rulesOf(modelId),
      ofProjects: earlier?.projectRules !== this.#projectRules,
    });
  }

  /** The earlier rendering for a later one of the same draft. */
  get state(): EarlierRendering {
    const { list } = this.table.modelIds;
    const rules = new Map(list.map((modelId) => [modelId, this.#rulesOf(modelId)]));
    const { table, draft } = this;
    const made = { rules, projectRules: this.#projectRules, revision: draft.revision };
    return { table, loose: this.#loose, ...made };
  }

  /** Whether every entry is served and validated, and its text stored. */
  get isKeepable(): boolean {
    return this.#loose.size === 0 && this.texts !== undefined && this.table.staleCount === 0;
  }

  /** The entry with this id; undefined when the workspace has none. */
  find(id: string): EntryNumber | undefined {
    return this.lookup.find(id);
  }

  idOf(entry: EntryNumber): string {
    return this.table.idOf(entry);
  }

  /** B1: the number of a language, by its key. */
  languageNumber(key: string): number {
    const number = this.table.languages.indexOf(key);
    if (number < 0) throw new TypeError(`the draft has lost the language ${key}`);
    return number;
  }

  /** The key of the entry's model; undefined when there is no such model. */
  modelKeyOf(entry: EntryNumber): string | undefined {
    return this.lookup.modelKeyOf(entry);
  }

  /** Its pointers, inside blocks too, in the form of the table. */
  pointersOf(entry: EntryNumber): Int32Array {
    this.#freshen(entry);
    return this.table.pointers.get(entry);
  }

  /** The held files whose urls it shows. */
  filesOf(entry: EntryNumber): HeldFile[] {
    this.#freshen(entry);
    return Array.from(this.table.files.get(entry), (file) => {
      const [sha256 = "", ...name] = (this.table.heldFiles.list[file] as string).split(" ");
      return { sha256, fileName: name.join(" ") };
    });
  }

  problemsOf(entry: EntryNumber): readonly Problem[] {
    this.#freshen(entry);
    return reportedProblems(this.table, entry);
  }

  /** The size of its text in bytes of UTF-8. */
  sizeOf(entry: EntryNumber): number {
    this.#freshen(entry);
    return this.table.sizes[entry] as number;
  }

  /** Canonical JSON of `{ contentModelKey, data, id }` as UTF-8. */
  textOf(entry: EntryNumber): Buffer {
    this.#freshen(entry);
    const loose = this.#loose.get(entry);
    if (loose !== undefined) return loose;
    const text = this.table.texts[entry] as number;
    try {
      if (this.texts !== undefined && text !== NO_TEXT) return this.texts.read(text);
    } catch {
      // Another process has rendered the draft since, and stored its texts under other numbers.
    }
    this.#serveOne(entry);
    return this.#loose.get(entry) as Buffer;
  }

  /** Serves an entry in a language without storing the result. */
  serve(entry: Entry, language = 0): { data: JsonObject; serving: Serving } {
    return serveEntry(this.lookup, entry, language);
  }

  /** S4: validates served data. */
  get validator(): SchemaValidator {
    this.#validator ??= definitionsValidator(this.draft);
    return this.#validator;
  }

  /** Serves a chunk on this thread. */
  serveChunk(chunk: Chunk): ServedChunk {
    const sink = this.texts === undefined ? NO_SINK : new PackSink(this.texts.index);
    return serveChunk(chunk, this.lookup, sink, this.validator);
  }

  /** Adds a served chunk to the table, and stores its texts. */
  take(chunk: ServedChunk): void {
    this.addMissing(chunk.missing);
    this.table.addServed(chunk, this.#keep(chunk.packs));
    for (const entry of chunk.entries) this.#loose.delete(entry);
  }

  /** Adds dangling entry ids to the table, with which of them other workspaces have. */
  addMissing(ids: readonly string[]): void {
    const { missing } = this.table;
    const before = missing.list.length;
    for (const id of ids) missing.number(id);
    const foreign = this.draft.changes.foreignEntries(missing.list.slice(before));
    if (foreign.size > 0) this.table.foreign = new Set([...this.table.foreign, ...foreign]);
  }

  /** Marks entries as stale whose texts were not stored. */
  forgetLoose(): void {
    if (this.texts === undefined) return;
    for (const entry of this.#loose.keys()) this.table.invalidate(entry);
    this.#loose.clear();
  }

  /** Stores texts that are not those of entries. Returns their numbers. */
  keepTexts(texts: readonly string[]): number[] {
    if (this.texts === undefined) throw new TypeError("texts are not stored");
    const sink = new PackSink(this.texts.index);
    const added = texts.map((text) => sink.add(text));
    const packs = this.#keep(sink.finish());
    return added.map((text) => textNumber(text, packs) as number);
  }

  #keep(packs: readonly Pack[]): (readonly number[])[] {
    return packs.map((pack) => (this.texts as Texts).add(pack));
  }

  /** The steps of a project by id. */
  stepsOf(project: Project): ReadonlyMap<string, Step> {
    let steps = this.#steps.get(project);
    if (steps === undefined) {
      steps = new Map(project.steps.map((step) => [step.id, step]));
      this.#steps.set(project, steps);
    }
    return steps;
  }

  #freshen(entry: EntryNumber): void {
    if (this.table.fresh[entry] === 0) this.#serveOne(entry);
  }

  #serveOne(entry: EntryNumber): void {
    let made = "";
    const sink: TextSink = {
      add: (text) => {
        made = text;
        return NO_TEXT;
      },
      finish: () => [],
    };
    const chunk = {
      entries: Int32Array.of(entry),
      rows: Float64Array.of(this.table.rows[entry] as number),
      languages: Uint16Array.of(this.table.forms.languageOf(entry)),
    };
    this.take(serveChunk(chunk, this.lookup, sink, undefined));
    this.#loose.set(entry, Buffer.from(made));
  }
}

/** For a rendering that does not store texts. */
const NO_SINK: TextSink = { add: () => NO_TEXT, finish: () => [] };
