import { valueIn } from "../fields/localized.ts";
import { RecordRenderer } from "../fields/record-renderer.ts";
import { fieldType } from "../fields/registry.ts";
import type {
  Asker,
  Found,
  Lookup,
  OptionProblems,
  Pointer,
  Renderer,
} from "../fields/renderer.ts";
import type { HeldFile } from "../workspace/asset.ts";
import { suggestedId } from "../workspace/did-you-mean.ts";
import type { Draft, EntryHead } from "../workspace/draft.ts";
import type { FieldDefinition } from "../workspace/field.ts";
import { byCodeUnit, type JsonObject, ownMember } from "../workspace/json.ts";
import { type Language, languageKey, languagesOf, NO_LANGUAGE } from "../workspace/language.ts";
import type { Problem, ProblemPlace } from "../workspace/problem.ts";
import type { Hidden } from "../workspace/problem-catalogue.ts";
import type { Block, Model } from "../workspace/records.ts";
import { breaksSchema } from "../workspace/severity.ts";
import { canonicalJson } from "./canonical-json.ts";
import { fieldPlaces, optionProblems } from "./definition-problems.ts";
import type { ByteHolder, HeldBytes } from "./held-bytes.ts";
import {
  type HiddenEntries,
  hiddenEntries,
  hiddenIn,
  shownLanguage,
  type View,
} from "./hidden-entries.ts";
import type { SchemaValidator } from "./schema-validator.ts";

/**
 * An entry as documents show it in one language, with all that depends on no other entry's values. Its
 * bytes are canonical JSON of `{ contentModelKey, data, id }`.
 */
export interface RenderedEntry extends HeldBytes {
  readonly head: EntryHead;
  /** E3: its pointers, inside blocks and rich text too. */
  readonly pointers: readonly Pointer[];
  /** The ids of the assets that it names, each once, whether or not they exist. */
  readonly assets: readonly string[];
  /** The files that its urls lead to. */
  readonly files: readonly HeldFile[];
  readonly uniqueValues: readonly UniqueValue[];
  /** Q8: what its queries have found. */
  readonly found: readonly Found[];
  readonly problems: readonly Problem[];
  /** S4: why its data violates the schema although no problem says so; undefined: it does not. */
  readonly fault: string | undefined;
}

/** V10a: a value of a unique field. Values that may not be the same have the same `text`. */
export interface UniqueValue {
  readonly field: FieldDefinition;
  readonly text: string;
  /** B4: of a localized field the number of the language, else the first. */
  readonly language: number;
}

/** One state of a draft in one view: what the values of its records are resolved against. */
export class DraftLookup implements Lookup {
  readonly draft: Draft;
  readonly view: View;
  /** A1: the entries that are not published. */
  readonly hidden: HiddenEntries;
  readonly blocks: ReadonlyMap<string, Block>;
  /** By id, their fields in the order of canonical JSON (F2). */
  readonly models: ReadonlyMap<string, Model>;
  /** B1: by number. */
  readonly languages: readonly Language[];
  readonly locales: ReadonlySet<string>;
  readonly #languageNumbers: ReadonlyMap<string, number>;
  readonly #shared = new Map<string, string>();
  /** Set by the rendering that it belongs to. */
  queries: Finder | undefined;
  #optionProblems: OptionProblems | undefined;
  #fieldPlaces: ReadonlyMap<FieldDefinition, ProblemPlace> | undefined;

  constructor(draft: Draft, view: View) {
    this.draft = draft;
    this.view = view;
    this.hidden = hiddenEntries(draft, view.at);
    this.models = new Map(draft.models.map((model) => [model.id, inRenderedOrder(model)]));
    this.blocks = new Map(draft.blocks.map((block) => [block.id, inRenderedOrder(block)]));
    this.languages = languagesOf(draft.projects);
    this.locales = new Set(this.languages.flat());
    const numbered = this.languages.map((one, number) => [languageKey(one), number] as const);
    this.#languageNumbers = new Map(numbered);
  }

  get optionProblems(): OptionProblems {
    this.#optionProblems ??= optionProblems(this.draft);
    return this.#optionProblems;
  }

  placeOf(field: FieldDefinition): ProblemPlace {
    this.#fieldPlaces ??= fieldPlaces(this.draft);
    return this.#fieldPlaces.get(field) as ProblemPlace;
  }

  find(id: string, locale?: string): EntryHead | undefined {
    return this.hiddenBy(id, locale) === undefined ? this.draft.entries.get(id) : undefined;
  }

  hiddenBy(id: string, locale?: string): Hidden | undefined {
    return this.view.showsHidden ? undefined : hiddenIn(this.hidden, id, locale);
  }

  /** A1, A7: whether an entry is not published in a language, also where it is previewed. */
  isHidden(id: string, language: number): boolean {
    return hiddenIn(this.hidden, id, this.localeOf(language)) !== undefined;
  }

  /** Whether not all languages show the same entries. */
  get differsByLanguage(): boolean {
    return !this.view.showsHidden && this.hidden.inLocales.size > 0;
  }

  /** B1: the number of a language; of one that no project has, the first. */
  languageNumber(language: Language): number {
    return this.#languageNumbers.get(languageKey(language)) ?? 0;
  }

  /** The locale of a language, by number. */
  localeOf(language: number): string | undefined {
    return this.languages[language]?.[0];
  }

  /** A7a: the locales of which an entry has values in a language, by number. */
  languageOf({ publishing }: EntryHead, language: number): Language {
    return shownLanguage(publishing, this.languages[language] ?? NO_LANGUAGE);
  }

  shared(text: string): string {
    const known = this.#shared.get(text);
    if (known === undefined) this.#shared.set(text, text);
    return known ?? text;
  }

  found(field: FieldDefinition, asker: Asker, language: Language): Found {
    return (this.queries as Finder).find(field, asker, this.languageNumber(language));
  }

  modelKeyOf({ modelId }: EntryHead): string | undefined {
    return this.models.get(modelId)?.key;
  }
}

interface Finder {
  find(field: FieldDefinition, asker: Asker, language: number): Found;
}

/** With the fields in the order of canonical JSON (F2). */
function inRenderedOrder<M extends Model>(model: M): M {
  return { ...model, fields: [...model.fields].sort((a, b) => byCodeUnit(a.key, b.key)) };
}

/** The data of an entry as documents show it, with the walk that collected its pointers and problems. */
export function renderData(
  lookup: DraftLookup,
  head: EntryHead,
  stored: JsonObject,
  language: number,
): { data: JsonObject; renderer: Renderer } {
  const { id, modelId } = head;
  const model = lookup.models.get(modelId);
  const place = { kind: "entry", id } as const;
  const values = lookup.languageOf(head, language);
  const own = lookup.languages[language] ?? NO_LANGUAGE;
  const renderer = new RecordRenderer(lookup, place, own, { values });
  if (model !== undefined) return { data: renderer.data(model.fields, stored), renderer };
  // V9.
  const meant = suggestedId(modelId, lookup.models);
  renderer.report("model-missing", { modelId, ...meant });
  return { data: {}, renderer };
}

const NONE: readonly never[] = [];

/** @param validator proves that the data fits the schema; undefined: that is not asked for. */
export function renderEntry(
  lookup: DraftLookup,
  head: EntryHead,
  language: number,
  texts: ByteHolder,
  validator: SchemaValidator | undefined,
): RenderedEntry {
  const stored = lookup.draft.dataOf(head);
  const { data, renderer } = renderData(lookup, head, stored, language);
  const { pointers, assets, files, found, problems } = renderer;
  const model = lookup.models.get(head.modelId);
  const isProvable = model !== undefined && !problems.some(breaksSchema);
  const fault = isProvable && validator?.fault(`contentModels/${model.key}`, data);
  const text = canonicalJson({ contentModelKey: model?.key ?? null, data, id: head.id });
  const { chunk, at, size } = texts.addText(text);
  return {
    head,
    chunk,
    at,
    size,
    pointers: exact(pointers),
    assets: assets.length > 1 ? [...new Set(assets)] : assets,
    files: exact(files),
    uniqueValues: uniqueValues(model, stored, lookup.languageOf(head, language), language),
    found: exact(found),
    problems: exact(problems),
    fault: fault ? `entry "${head.id}": ${fault}` : undefined,
  };
}

/** Without the room that a list has for further elements. */
function exact<T>(list: readonly T[]): readonly T[] {
  return list.length > 1 ? list.slice() : list;
}

/** B4: the values of a localized field are compared in each language, others in the first only. */
function uniqueValues(
  model: Model | undefined,
  stored: JsonObject,
  inLanguage: Language,
  language: number,
): readonly UniqueValue[] {
  const fields = model?.fields.filter(({ unique }) => unique === true) ?? NONE;
  if (fields.length === 0) return NONE;
  return fields.flatMap((field) => {
    const { key, type, localized } = field;
    const own = ownMember(stored, key) ?? null;
    const value = localized ? valueIn(own, inLanguage)?.value : own;
    if ((!localized && language > 0) || value == null || !fieldType(type).hasShape(value))
      return [];
    return { field, text: JSON.stringify(value), language };
  });
}
