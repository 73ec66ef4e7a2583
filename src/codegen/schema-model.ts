/** What a schema document says, free of JSON Schema: what the types are printed from. */
export interface SchemaModel {
  readonly projectId: string;
  readonly models: readonly Definition[];
  /** As served: with `contentBlockId`, `contentBlockKey` and `data`. */
  readonly blocks: readonly Definition[];
  readonly fields: readonly Member[];
  readonly features: readonly Feature[];
  readonly steps: readonly Step[];
  readonly experienceKeys: readonly string[];
}

/** A content model: the data of its entries. */
export interface Definition {
  readonly key: string;
  /** As authors call it. */
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
  /** What it can serve. */
  readonly values: readonly Literal[];
}

export interface Step {
  readonly key: string;
  /** The key of the model behind its layout; undefined: no entry is behind it. */
  readonly modelKey: string | undefined;
}

export type Literal = string | number | boolean | null;

/** The type of a value. */
export type Type =
  | { readonly kind: "string" | "number" | "boolean" | "null" | "json" | "unknown" }
  | { readonly kind: "literals"; readonly values: readonly Literal[] }
  | { readonly kind: "list"; readonly items: Type }
  | { readonly kind: "object"; readonly members: readonly Member[] }
  /** A pointer to an entry of one of these models. */
  | { readonly kind: "pointer"; readonly modelKeys: readonly string[] }
  /** One of these blocks; none: no value is possible. */
  | { readonly kind: "block"; readonly blockKeys: readonly string[] }
  | { readonly kind: "union"; readonly types: readonly Type[] };
