import { localizedModels } from "../fields/localized.ts";
import type { Draft, EntryHead } from "../workspace/draft.ts";
import type { Language } from "../workspace/language.ts";
import type { Problem } from "../workspace/problem.ts";
import type { Model, Project } from "../workspace/records.ts";
import { type Severities, withSeverities } from "../workspace/severity.ts";
import { clockSpan } from "./clock-span.ts";
import { Collections } from "./collections.ts";
import { DraftLookup, type RenderedEntry, renderEntry } from "./entry.ts";
import { ByteHolder, copyHeld } from "./held-bytes.ts";
import { common, type HiddenEntries, type Span, type View } from "./hidden-entries.ts";
import { IndexedValues } from "./indexed-values.ts";
import { Queries, searchesOf } from "./queries.ts";
import { definitionsValidator, type SchemaValidator } from "./schema-validator.ts";

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
  readonly lookup: DraftLookup;
  /** Q8: the values that searches ask for. */
  readonly values: IndexedValues;
  readonly #queries: Queries;
  #collections: Collections | undefined;
  #clockSpan: Span | undefined;
  /** Undefined: entries are not validated. */
  readonly validator: SchemaValidator | undefined;
  /** By the number of the language, then by id; of a state in which an entry was another object too. */
  readonly #entries: readonly Map<string, RenderedEntry>[];
  /** Of these the ones of which it is known that their queries find and other workspaces have the same. */
  readonly #settled = new Set<RenderedEntry>();
  /** The models whose entries differ by language. */
  readonly #localized: ReadonlySet<string>;
  /** Whether all languages have the same entries, and assets the same texts in all. */
  readonly #areSame: boolean;
  readonly #texts: ByteHolder;
  readonly #severities: Severities;

  constructor(draft: Draft, options: RenderingOptions = {}) {
    const { view = BEFORE_ALL_TIMES, earlier, isProven = false, severities = {} } = options;
    this.#severities = severities;
    this.lookup = new DraftLookup(draft, view);
    this.values = new IndexedValues(this.lookup, searchesOf(draft), earlier?.values);
    this.#queries = new Queries(this.values);
    this.lookup.queries = this.#queries;
    this.#localized = localizedModels(draft);
    const haveTexts = [...draft.assets.keys()].some((id) => hasLocalizedTexts(draft, id));
    this.#areSame = this.hidden.inLocales.size === 0 && !haveTexts;
    this.validator = isProven ? definitionsValidator(draft) : undefined;
    const count = Math.max(1, this.lookup.languages.length);
    const takenOver = earlier && !isProven ? this.#takenOver(earlier) : undefined;
    this.#entries = takenOver ?? Array.from({ length: count }, () => new Map());
    const known = this.#entries.reduce((sum, { size }) => sum + size, 0);
    // Of entries that were rendered again, the texts are of no use any more.
    const isMostlyUsed = earlier && earlier.#texts.count < 2 * known;
    this.#texts = isMostlyUsed ? earlier.#texts : new ByteHolder();
  }

  get draft(): Draft {
    return this.lookup.draft;
  }

  get view(): View {
    return this.lookup.view;
  }

  /** A1: the entries that are not published. */
  get hidden(): HiddenEntries {
    return this.lookup.hidden;
  }

  get collections(): Collections {
    this.#collections ??= new Collections(this.values);
    return this.#collections;
  }

  /** Q10: with what their collections add. */
  get projects(): readonly Project[] {
    return this.collections.projects;
  }

  /** A5, Q5: the readings of the clock that give the same documents. */
  get span(): Span {
    this.#clockSpan ??= clockSpan(this.values);
    return common(this.hidden.span, this.#clockSpan);
  }

  /** How many texts were made by now, with those of earlier renderings that are used on. */
  get count(): number {
    return this.#texts.count;
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
    return this.lookup.isHidden(id, language);
  }

  /** As documents show it in a language; undefined when they show none. */
  shown(id: string, language: number): RenderedEntry | undefined {
    const locale = this.lookup.localeOf(language);
    return this.lookup.hiddenBy(id, locale) === undefined ? this.entry(id, language) : undefined;
  }

  /** The same of hidden entries too; undefined when the draft has none with this id. */
  entry(id: string, language: number): RenderedEntry | undefined {
    const head = this.draft.entries.get(id);
    if (head === undefined) return undefined;
    if (language > 0 && !this.#localized.has(head.modelId)) {
      const first = this.entry(id, 0) as RenderedEntry;
      if (this.#isSameIn(first, language)) return first;
    }
    const entries = this.#entries[language] as Map<string, RenderedEntry>;
    const known = entries.get(id);
    if (known?.head === head && this.#isSettled(known)) return known;
    const made = renderEntry(this.lookup, head, language, this.#texts, this.validator);
    entries.set(id, made);
    this.#settled.add(made);
    return made;
  }

  /** Q8, R10: whether the queries of an entry find what they have found, and the same workspaces have its targets. */
  #isSettled(entry: RenderedEntry): boolean {
    const { found, problems } = entry;
    if (found.length + problems.length === 0 || this.#settled.has(entry)) return true;
    const isSettled =
      found.every((one) => this.#queries.isSame(one)) &&
      problems.every((one) => this.#isWhereItWas(one));
    if (isSettled) this.#settled.add(entry);
    return isSettled;
  }

  /** Another workspace may have a missing target since, or no longer. */
  #isWhereItWas({ code, args }: Problem): boolean {
    if (code === "reference-deleted") return !this.draft.isForeignEntry(args.target);
    if (code === "reference-other-workspace") return this.draft.isForeignEntry(args.target);
    return true;
  }

  /** A7, V4d: whether, with no value localized, pointers and assets are the same as in the first language. */
  #isSameIn({ pointers, assets, found }: RenderedEntry, language: number): boolean {
    const { lookup } = this;
    if (this.#areSame) return true;
    if (found.length > 0 && lookup.differsByLanguage) return false;
    if (assets.some((id) => hasLocalizedTexts(this.draft, id))) return false;
    const [first, own] = [lookup.localeOf(0), lookup.localeOf(language)];
    return pointers.every(
      ({ target }) => lookup.hiddenBy(target, first) === lookup.hiddenBy(target, own),
    );
  }

  /**
   * R10: what an earlier rendering made of entries whose definitions and assets are the same objects, and all that
   * is shown of their targets. Where that holds for the whole draft, both go on with the same maps.
   */
  #takenOver(earlier: Rendering): readonly Map<string, RenderedEntry>[] | undefined {
    const [was, is] = [earlier.lookup, this.lookup];
    if (sharedRules(was) !== sharedRules(is)) return undefined;
    const models = new Map(was.draft.models.map((model) => [model.id, model]));
    const isChanged = (one: Model, before = models.get(one.id)) =>
      one !== before && JSON.stringify(one) !== JSON.stringify(before);
    const changed = new Set(is.draft.models.flatMap((one) => (isChanged(one) ? one.id : [])));
    const canAsk = was.differsByLanguage === is.differsByLanguage;
    const others = otherTargets(was, is);
    const assets = otherAssets(was.draft, is.draft);
    const isProven = earlier.validator !== undefined;
    if (changed.size + others.size + assets.size === 0 && canAsk && !isProven) {
      return earlier.#entries;
    }
    const isSame = ({ head, pointers, assets: shown, found }: RenderedEntry) =>
      is.draft.entries.get(head.id) === head &&
      !changed.has(head.modelId) &&
      (found.length === 0 || canAsk) &&
      !pointers.some(({ target }) => others.has(target)) &&
      !shown.some((id) => assets.has(id));
    return earlier.#entries.map(
      (entries) => new Map([...entries].filter(([, entry]) => isSame(entry))),
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

/** The ids of the entries of which others show another model, or which are hidden elsewhere. */
function otherTargets(was: DraftLookup, is: DraftLookup): ReadonlySet<string> {
  const [before, after] = [was.draft.entries, is.draft.entries];
  const others = new Set<string>();
  for (const { id, modelId } of after.values()) {
    if (before.get(id)?.modelId !== modelId) others.add(id);
  }
  for (const id of before.keys()) if (!after.has(id)) others.add(id);
  if (was.view.showsHidden && is.view.showsHidden) return others;
  const locales = [undefined, ...is.languages.map(([locale]) => locale)];
  for (const { byId, inLocales } of [was.hidden, is.hidden]) {
    for (const id of [...byId.keys(), ...inLocales.keys()]) {
      const isSame = locales.every((one) => was.hiddenBy(id, one) === is.hiddenBy(id, one));
      if (!isSame) others.add(id);
    }
  }
  return others;
}

/** The ids of the assets that are other objects. */
function otherAssets({ assets: before }: Draft, { assets: after }: Draft): ReadonlySet<string> {
  const ids = before === after ? [] : [...before.keys(), ...after.keys()];
  return new Set(ids.filter((id) => before.get(id) !== after.get(id)));
}

/** All that entries are made from, beside their records, models, targets and assets. */
function sharedRules({ draft, languages }: DraftLookup): string {
  const { assetBaseUrl = "", assetTexts = false } = draft.workspace;
  const models = draft.models.map(({ id, key }) => [id, key]);
  return JSON.stringify([languages, assetBaseUrl, assetTexts, draft.blocks, models]);
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
