import type { Conditions, Sort } from "./conditions.ts";
import type { FieldDefinition } from "./field.ts";
import type { JsonObject } from "./json.ts";

/** The settings of a workspace: `workspace.json` without the preview token. */
export interface Workspace {
  readonly id: string;
  readonly name: string;
  /** V4b; absent or empty: urls are root-relative. */
  readonly assetBaseUrl?: string;
  /** V4c: whether titles and descriptions of assets are served. */
  readonly assetTexts?: boolean;
  /** The definitions of the project fields. */
  readonly fields?: readonly FieldDefinition[];
  readonly import?: ImportChoices;
}

/** What the next import of an export of another system begins with (X1a). */
export interface ImportChoices {
  /** The format. */
  readonly from: string;
  /** The types of the other system whose entries are experiences. */
  readonly roots?: readonly string[];
  /** The only locale that was imported, if it was named (X3c, X18). */
  readonly locale?: string;
  /** Whether collections are made where they can be (Q23). */
  readonly collections?: boolean;
  /** Whether entries are hidden in languages that they are not translated into (X23g). */
  readonly onlyTranslated?: boolean;
  /** The languages of texts as they were named, or as they were found, the main one first (X25d). */
  readonly locales?: readonly string[];
  readonly foundLocales?: readonly string[];
  /** The types of fields as they were named: `posts.tags=text[]` (X24d). */
  readonly types?: readonly string[];
}

export interface Model {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly fields: readonly FieldDefinition[];
}

export interface Block extends Model {
  readonly category?: string;
}

export interface Variant {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly value?: false;
}

export interface Feature {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly type: "boolean" | "text";
  readonly variants?: readonly Variant[];
}

export interface Step {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly layoutName: string;
  readonly layoutContentId?: string;
}

export interface Experience {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly stepIds: readonly string[];
}

export interface Project extends ProjectLocales {
  readonly id: string;
  readonly name: string;
  /** Stored values of the project fields. */
  readonly fields?: JsonObject;
  readonly steps: readonly Step[];
  readonly experiences: readonly Experience[];
  readonly collections?: readonly AnyCollection[];
}

/**
 * Q10: each entry of a model makes a step and an experience. Patterns are texts with `{id}` and
 * `{<key of a field>}`.
 */
export interface Collection {
  /** The key of the model. */
  readonly model: string;
  /** Patterns, of the experience and of the step. */
  readonly id: string;
  readonly key?: string;
  readonly name?: string;
  readonly stepId?: string;
  readonly stepKey?: string;
  readonly layoutName: string;
  /** Q3: the conditions that its entries meet. */
  readonly where?: Conditions;
  /** Q26: the ids of entries that it leaves out. */
  readonly except?: readonly string[];
  /** The step ids of each experience, `{step}` for its own; default: that alone. `[]`: no experience (Q10a). */
  readonly steps?: readonly string[];
  readonly list?: CollectionList;
}

/** Q15: pages of a collection's entries: patterns with `{page}`, which counts from 1. */
export interface CollectionList {
  readonly id: string;
  readonly key?: string;
  readonly name?: string;
  /** Of entries on a page. */
  readonly size: number;
  readonly sort?: Sort;
}

/** Q17: pages of the entries that have a value, for each value: patterns with `{value}` and `{page}`. */
export interface ValueCollection extends CollectionList {
  /** `<key of a model>.<key of a field>` */
  readonly by: string;
  readonly where?: Conditions;
  readonly except?: readonly string[];
}

/** Q17: the keys of a model and of its field, `article.tags`; without a dot the field is "". */
export function byParts(by: string): [model: string, field: string] {
  const [model = "", ...field] = by.split(".");
  return [model, field.join(".")];
}

export type AnyCollection = Collection | ValueCollection;

export function isByValue(one: AnyCollection): one is ValueCollection {
  return "by" in one;
}

/** B1: the locales of a project, in which its documents are. */
export interface ProjectLocales {
  readonly locale?: string;
  /** In the order in which they are tried. */
  readonly fallbackLocales?: readonly string[];
}

/** A1, A4, A7: what an entry says about whether it is published. */
export interface Publishing {
  /** In all projects, or by locale. */
  readonly draft?: boolean | Readonly<Record<string, boolean>>;
  /** RFC 3339. */
  readonly publishAt?: string;
  readonly unpublishAt?: string;
}

export interface Entry extends Publishing {
  readonly id: string;
  readonly modelId: string;
  /** Stored values by field key. */
  readonly data: JsonObject;
}

/** The kinds of records, in the order in which they are read, written and counted. */
export const KINDS = ["models", "blocks", "features", "projects", "entries", "assets"] as const;

export type Kind = (typeof KINDS)[number];

/** "entry" of `entries`. */
export function singular(kind: Kind): string {
  return kind === "entries" ? "entry" : kind.slice(0, -1);
}

/** How many records of each kind a workspace has. */
export type Counts = Record<Kind, number>;
