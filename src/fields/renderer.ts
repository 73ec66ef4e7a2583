import type { AssetFile, HeldFile } from "../workspace/asset.ts";
import type { Scalar } from "../workspace/conditions.ts";
import type { Draft, EntryHead } from "../workspace/draft.ts";
import type { FieldDefinition } from "../workspace/field.ts";
import type { JsonObject, JsonValue } from "../workspace/json.ts";
import type { Language } from "../workspace/language.ts";
import type { Problem, ProblemArguments, ProblemCode, ProblemPlace } from "../workspace/problem.ts";
import type { Hidden } from "../workspace/problem-catalogue.ts";
import type { Block } from "../workspace/records.ts";

/** What values are resolved against: a draft, its blocks, and the entries that documents show. */
export interface Lookup {
  readonly draft: Draft;
  readonly blocks: ReadonlyMap<string, Block>;
  /** The entry with this id; undefined when the workspace has none, or hides it in this locale. */
  find(entryId: string, locale?: string): EntryHead | undefined;
  /**
   * A1, A7: why the workspace has the entry, but not published; undefined: it is not hidden.
   *
   * @param locale of a project; undefined: in all projects
   */
  hiddenBy(entryId: string, locale?: string): Hidden | undefined;
  /** The first text that equals this one: the same is kept for many entries. */
  shared(text: string): string;
  /** B5: the locales of all projects. */
  readonly locales: ReadonlySet<string>;
  /** The key of an entry's model; undefined when there is no such model. */
  modelKeyOf(entry: EntryHead): string | undefined;
  /** Where the definition of a field is. */
  placeOf(field: FieldDefinition): ProblemPlace;
  /** Q1: what the query of a field finds for a record in a language. */
  found(field: FieldDefinition, asker: Asker, language: Language): Found;
  /** P3: the problems of fields whose options name models or categories that do not exist. */
  readonly optionProblems: OptionProblems;
}

/** The record in which a query stands. */
export interface Asker {
  /** Of its entry; undefined: it stands in a field of a project. */
  readonly id: string | undefined;
  /** Q4: the values of a field of the record. */
  readonly valuesOf: (key: string) => readonly Scalar[];
}

/** What a query asks for, so that it can be asked again. */
export interface Asked {
  /** The query, and the number of the language. */
  readonly query: string;
  readonly language: number;
  /** The id of the entry in which it stands. */
  readonly id: string | undefined;
  /** Its values, by condition of Q4. */
  readonly values: readonly (readonly Scalar[])[];
}

/** What a query finds. */
export interface Found {
  readonly asked: Asked;
  /** The entries, in order. */
  readonly ids: readonly string[];
  /** Q9: not all entries were tested. */
  readonly isExceeded: boolean;
}

export type OptionProblem = Extract<Problem, { code: "option-unknown" }>;

/** By field; none for most. */
export type OptionProblems = ReadonlyMap<FieldDefinition, readonly OptionProblem[]>;

export interface Pointer {
  /** JSON Pointer into the entry's stored data. */
  readonly path: string;
  /** The id of an entry, whether or not the workspace has it. */
  readonly target: string;
  /** Q2: it was found by the query of the field at the path. */
  readonly isFound?: true;
}

/** A walk through the stored data of one record, which renders it and collects what it refers to. */
export interface Renderer {
  readonly lookup: Lookup;
  /** That of the projects that it renders for. */
  readonly language: Language;
  /** E3: every reference, inside blocks too. */
  readonly pointers: readonly Pointer[];
  /** The ids of the assets that it names, whether or not they exist. */
  readonly assets: readonly string[];
  readonly files: readonly HeldFile[];
  /** Q8: what its queries have found. */
  readonly found: readonly Found[];
  readonly problems: readonly Problem[];
  /** The served data of stored data with these fields, at the current path. */
  data(fields: readonly FieldDefinition[], stored: JsonObject): JsonObject;
  /** Moves one step down the stored data, until `leave`. */
  enter(segment: string | number): void;
  leave(): void;
  report<C extends ProblemCode>(code: C, args: ProblemArguments[C]): void;
  /**
   * B5a: whether a value, an element of one or a node is none for each locale, as a localized field has
   * it, or the type of the field takes that too. Reported once, at the definition.
   */
  isServed(field: FieldDefinition, stored: JsonValue | undefined, isElement?: boolean): boolean;
  /** Adds these problems of the definition as errors, in place of one for each refused value. */
  refuseBy(unknown: readonly OptionProblem[]): void;
  /** Adds a pointer. Returns the entry; undefined when the workspace has none such, or hides it. */
  pointTo(target: string): EntryHead | undefined;
  publishFile(file: HeldFile): void;
  /** The asset, or the version of it, that a stored value names; undefined when it is missing. */
  asset(stored: { readonly assetId: string; readonly versionId?: string }): AssetFile | undefined;
}
