import { localizedModels } from "../fields/localized.ts";
import { maybeChanged } from "../workspace/changed-map.ts";
import type { Draft, EntryHead } from "../workspace/draft.ts";
import { type Language, languagesOf } from "../workspace/language.ts";
import type { Problem } from "../workspace/problem.ts";
import type { Project } from "../workspace/records.ts";
import { type Severities, withSeverities } from "../workspace/severity.ts";
import { clockSpan } from "./clock-span.ts";
import { Collections } from "./collections.ts";
import { searchesOf } from "./draft-searches.ts";
import { DraftLookup, type RenderedEntry, renderEntry } from "./entry.ts";
import { ByteHolder, copyHeld } from "./held-bytes.ts";
import {
  common,
  type HiddenEntries,
  hiddenEntries,
  hiddenIn,
  isWithin,
  type Span,
  type View,
} from "./hidden-entries.ts";
import { IndexedValues } from "./indexed-values.ts";
import { Queries } from "./queries.ts";
import { definitionsValidator, type SchemaValidator } from "./schema-validator.ts";
import type { Search } from "./searches.ts";
import { changesBetween, takenOver } from "./taken-over.ts";

export interface RenderingOptions {
  /** Default: what is published while the clock has not begun. */
  readonly view?: View;
  /** Of an earlier state of the draft: what it rendered is taken over where that is the same. */
  readonly earlier?: Rendering | undefined;
  /** S4: whether each entry is validated against its schema; then nothing is taken over. */
  readonly isProven?: boolean;
  /** N3: of the problems that it and its documents report. */
  readonly severities?: Severities | undefined;
}

/** An entry as it is in a language, by number. */
export interface InLanguage {
  readonly entry: RenderedEntry;
  readonly language: number;
}

const BEFORE_ALL_TIMES: View = { at: Number.NEGATIVE_INFINITY, showsHidden: false };

export type OnProgress = (done: number, total: number, what: string) => void;

/**
 * The entries of one state of a draft as documents show them, each in every language in which it
 * differs (B1). An entry is rendered when it is asked for first.
 */
export class Rendering {
  readonly draft: Draft;
  readonly view: View;
  readonly collections: Collections;
  /** A1: the entries that are not published. */
  readonly hidden: HiddenEntries;
  readonly lookup: DraftLookup;
  /** Q8: the values that searches ask for. */
  readonly values: IndexedValues;
  readonly queries: Queries;
  readonly searches: readonly Search[];
  #clockSpan: Span | undefined;
  /** Undefined: entries are not validated. */
  readonly validator: SchemaValidator | undefined;
  /** By the number of the language, then by id. */
  readonly #entries: readonly Map<string, RenderedEntry>[];
  /** The models whose entries differ by language. */
  readonly #localized: ReadonlySet<string>;
  /** Whether all languages have the same entries, and assets the same texts in all. */
  readonly #areSame: boolean;
  readonly #texts: ByteHolder;
  readonly #severities: Severities;

  constructor(draft: Draft, options: RenderingOptions = {}) {
    const { view = BEFORE_ALL_TIMES, earlier, isProven = false, severities = {} } = options;
    this.draft = draft;
    this.#severities = severities;
    this.view = view;
    this.hidden = stillHidden(earlier, draft, view.at) ?? hiddenEntries(draft, view.at);
    const languages = languagesOf(draft.projects);
    this.lookup = new DraftLookup(draft, languages, view.showsHidden ? undefined : this.hidden);
    this.searches = searchesOf(draft);
    this.values = new IndexedValues(this.lookup, this.searches, earlier?.values);
    const changes = earlier && !isProven ? changesBetween(earlier, this) : undefined;
    const isSame = earlier && changes?.models.size === 0 && asksOf(earlier) === asksOf(this);
    const isLater = isSame && isWithin(earlier.clockSpan, view.at);
    this.queries = new Queries(
      this.searches,
      { lookup: this.lookup, values: this.values, at: view.at },
      differByLanguage(this),
      isLater ? { earlier: earlier.queries, touched: changes.entries } : undefined,
    );
    // To read the dates of all entries takes longer than most edits.
    if (isLater) this.#clockSpan = clockSpan(this, earlier.clockSpan, changes.entries);
    this.lookup.queries = this.queries;
    this.#localized = localizedModels(draft);
    const haveTexts = [...draft.assets.keys()].some((id) => hasLocalizedTexts(draft, id));
    this.#areSame = this.hidden.inLocales.size === 0 && !haveTexts;
    this.collections = new Collections(this, earlier);
    this.validator = isProven ? definitionsValidator(draft) : undefined;
    const kept = earlier && changes ? takenOver(earlier, this, changes) : undefined;
    this.#entries = kept ?? Array.from({ length: Math.max(1, languages.length) }, () => new Map());
    const isMostlyKept = earlier && 2 * this.count > earlier.count;
    this.#texts = isMostlyKept ? earlier.#texts : new ByteHolder();
  }

  /** Q10: with what their collections add; each the same object as long as nothing of it changes. */
  get projects(): readonly Project[] {
    return this.collections.projects;
  }

  /** A5: the readings of the clock that give the same documents. */
  get span(): Span {
    return common(this.hidden.span, this.clockSpan);
  }

  /** Q5: the same of the dates that conditions compare with the clock. */
  get clockSpan(): Span {
    this.#clockSpan ??= clockSpan(this);
    return this.#clockSpan;
  }

  /** How many are rendered by now. */
  get count(): number {
    return this.#entries.reduce((sum, { size }) => sum + size, 0);
  }

  /** What is rendered by now, by the number of the language, then by id. */
  get rendered(): readonly ReadonlyMap<string, RenderedEntry>[] {
    return this.#entries;
  }

  /** B1: the number of a language. */
  languageNumber(language: Language): number {
    return this.lookup.languageNumber(language);
  }

  /**
   * The entry with this id that documents show; undefined when there is none, or it is hidden.
   *
   * @param locale of a project; undefined: that those of some project show
   */
  find(id: string, locale?: string): EntryHead | undefined {
    return this.lookup.find(id, locale);
  }

  /** A1, A7: whether an entry is not published in a language, also where it is previewed. */
  isHidden(id: string, language: number): boolean {
    return hiddenIn(this.hidden, id, this.lookup.localeOf(language)) !== undefined;
  }

  /** As documents show it in a language; undefined when they show none. */
  shown(id: string, language: number): RenderedEntry | undefined {
    const locale = this.lookup.localeOf(language);
    return this.lookup.hiddenBy(id, locale) === undefined ? this.entry(id, language) : undefined;
  }

  /** The same of hidden entries too; undefined when the draft has none with this id. */
  entry(id: string, language: number): RenderedEntry | undefined {
    const entries = this.#entries[language] as Map<string, RenderedEntry>;
    const known = entries.get(id);
    if (known !== undefined) return known;
    const head = this.draft.entries.get(id);
    if (head === undefined) return undefined;
    const first =
      language > 0 && !this.#localized.has(head.modelId)
        ? (this.entry(id, 0) as RenderedEntry)
        : undefined;
    const made =
      first !== undefined && this.#isSameIn(first, language)
        ? first
        : renderEntry(this.lookup, head, language, this.#texts, this.validator);
    entries.set(id, made);
    return made;
  }

  /** A7, V4d: whether, with no value localized, pointers and assets are the same as in the first language. */
  #isSameIn({ pointers, assets, asked }: RenderedEntry, language: number): boolean {
    const { lookup } = this;
    if (this.#areSame) return true;
    if (asked.length > 0 && this.hidden.inLocales.size > 0) return false;
    if (assets.some((id) => hasLocalizedTexts(this.draft, id))) return false;
    const [first, own] = [lookup.localeOf(0), lookup.localeOf(language)];
    return pointers.every(
      ({ target }) => lookup.hiddenBy(target, first) === lookup.hiddenBy(target, own),
    );
  }

  /** Every entry, hidden ones too, in each language in which it differs: one that publishes it, if any. */
  *all(onProgress?: OnProgress): Generator<InLanguage> {
    for (const inLanguages of this.byEntry(onProgress)) yield* inLanguages;
  }

  /** The same, with those of an entry together. */
  *byEntry(onProgress: OnProgress = () => {}): Generator<readonly InLanguage[]> {
    const { entries } = this.draft;
    let done = 0;
    for (const { id, modelId } of entries.values()) {
      yield this.#areSame && !this.#localized.has(modelId)
        ? [{ entry: this.entry(id, 0) as RenderedEntry, language: 0 }]
        : this.#inLanguages(id);
      done += 1;
      if (done % 256 === 0) onProgress(done, entries.size, "entries rendered");
    }
    onProgress(done, entries.size, "entries rendered");
  }

  #inLanguages(id: string): readonly InLanguage[] {
    const different = new Map<RenderedEntry, number>();
    for (const language of this.#entries.keys()) {
      const entry = this.entry(id, language) as RenderedEntry;
      const known = different.get(entry);
      if (known === undefined || this.isHidden(id, known)) different.set(entry, language);
    }
    return Array.from(different, ([entry, language]) => ({ entry, language }));
  }

  /**
   * A3: the problems of an entry in a language. Those of one that is not published are warnings, and
   * that it points at another such entry is none.
   */
  problemsOf({ entry: { head, problems }, language }: InLanguage): readonly Problem[] {
    return problems.length === 0 ? problems : this.problemsIn(head.id, language, problems);
  }

  /** The same, of problems that the entry has in the language. */
  problemsIn(id: string, language: number, problems: readonly Problem[]): readonly Problem[] {
    const leveled = this.leveled(problems);
    if (!this.isHidden(id, language)) return leveled;
    return leveled.filter(({ code }) => code !== "reference-draft").map(asWarning);
  }

  /** N3: problems with the severities of their codes. */
  leveled(problems: readonly Problem[]): readonly Problem[] {
    return withSeverities(problems, this.#severities);
  }
}

/** V4d. */
function hasLocalizedTexts({ workspace, assets }: Draft, id: string): boolean {
  const asset = workspace.assetTexts ? assets.get(id) : undefined;
  if (asset === undefined) return false;
  return [asset, ...(asset.versions ?? [])].some(
    ({ title, description }) => typeof title === "object" || typeof description === "object",
  );
}

/** Whether not all languages show the same entries. */
function differByLanguage({ view, hidden }: Rendering): boolean {
  return !view.showsHidden && hidden.inLocales.size > 0;
}

/** Beside the models, all that says which entries are found. */
function asksOf(rendering: Rendering): string {
  const collections = rendering.draft.projects.map((one) => one.collections);
  return JSON.stringify([differByLanguage(rendering), collections]);
}

function asWarning(problem: Problem): Problem {
  return problem.level === "warning" ? problem : { ...problem, level: "warning" };
}

/** Texts joined by commas, copied into `target` from `start` on. Returns where they end. */
export function copyTexts(
  entries: readonly RenderedEntry[],
  target: Buffer,
  start: number,
): number {
  let end = start;
  for (const entry of entries) {
    if (end > start) target[end++] = COMMA;
    copyHeld(entry, target, end);
    end += entry.size;
  }
  return end;
}

const COMMA = 0x2c;

/** The hidden entries of an earlier state, if what hides any has not changed. */
function stillHidden(earlier: Rendering | undefined, { entries, projects }: Draft, at: number) {
  if (earlier?.draft.projects !== projects || !isWithin(earlier.hidden.span, at)) return undefined;
  const before = earlier.draft.entries;
  const sayOf = (map: typeof entries, id: string) => JSON.stringify(map.get(id)?.publishing);
  const changed = maybeChanged(before, entries);
  const isSame = (id: string) => sayOf(before, id) === sayOf(entries, id);
  return changed && [...changed].every(isSame) ? earlier.hidden : undefined;
}
