/** The content of a schema document, independent of JSON Schema: the input of the printer. */
export interface SchemaModel {
  /** T11: of one project, or of several of the workspace. */
  readonly projectIds: readonly string[];
  readonly models: readonly Definition[];
  /** Blocks as served: with `contentBlockId`, `contentBlockKey` and `data`. */
  readonly blocks: readonly Definition[];
  readonly fields: readonly Member[];
  readonly features: readonly Feature[];
  /** Without those that patterns give. */
  readonly steps: readonly Step[];
  /** Without those that patterns give. */
  readonly experienceKeys: readonly string[];
  readonly patterns: KeyPatterns;
  /** T8: sorted by code unit, without those that patterns give; undefined when they are not asked for. */
  readonly experienceIds?: readonly string[] | undefined;
}

/** A content model: the data of its entries. */
export interface Definition {
  readonly key: string;
  /** The name that authors see. */
  readonly title: string | undefined;
  readonly members: readonly Member[];
}

export interface Member {
  readonly name: string;
  readonly title: string | undefined;
  readonly isRequired: boolean;
  readonly type: Type;
}

export interface Feature {
  readonly key: string;
  readonly values: readonly Literal[];
}

export interface Step {
  readonly key: string;
  /** The models that the step's layout entry may be of; empty if the step has none. */
  readonly modelKeys: readonly string[];
}

/** S12: the patterns of the collections, as the schema document has them (`article-*`), sorted. */
export interface KeyPatterns {
  readonly experienceKeys: readonly string[];
  readonly experienceIds: readonly string[];
  /** The keys are patterns. */
  readonly steps: readonly Step[];
}

export type Literal = string | number | boolean | null;

export type Type =
  | { readonly kind: "string" | "number" | "integer" | "boolean" | "null" | "json" | "unknown" }
  | { readonly kind: "literals"; readonly values: readonly Literal[] }
  | { readonly kind: "list"; readonly items: Type }
  | { readonly kind: "object"; readonly members: readonly Member[] }
  /** A pointer to an entry of one of these models; empty: to an entry without a model. */
  | { readonly kind: "pointer"; readonly modelKeys: readonly string[] }
  /** One of these blocks; empty: `never`. */
  | { readonly kind: "block"; readonly blockKeys: readonly string[] }
  /** A tree of JSON with values of these types anywhere in it. */
  | { readonly kind: "rich-text"; readonly pointers: readonly Type[] }
  | { readonly kind: "union"; readonly types: readonly Type[] };
