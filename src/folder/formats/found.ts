import type { JsonValue } from "../../workspace/json.ts";

/**
 * A value of an export, by what its own form tells. `tree` is the value as JSON, with every pointer in
 * its stored form: that is how it is stored where a field holds values of several kinds.
 */
export type Found = { readonly tree: JsonValue } & (
  | { readonly kind: "text"; readonly format?: "markdown" }
  | { readonly kind: "number" | "boolean" | "json" | "rich-text" }
  /**
   * `as`: the block that holds it where other blocks are beside it; `text`: what it is where the field
   * has other texts.
   */
  | { readonly kind: "reference" | "asset"; readonly as: string; readonly text?: string }
  | { readonly kind: "block"; readonly type: string; readonly members: readonly Member[] }
  | { readonly kind: "list"; readonly items: readonly Found[] }
);

/** A list or a block whose tree is made when it is needed: most need none. */
export function withTree(
  found:
    | { readonly kind: "list"; readonly items: readonly Found[] }
    | { readonly kind: "block"; readonly type: string; readonly members: readonly Member[] },
  treeOf: () => JsonValue,
): Found {
  return {
    ...found,
    get tree() {
      return treeOf();
    },
  };
}

export type Kind = Exclude<Found["kind"], "list">;

/** A member of a document or an object. */
export type Member = readonly [name: string, value: Found];

/** A record of an export that becomes an entry. */
export interface FoundDocument {
  readonly id: string;
  /** Its id in the export. */
  readonly source: string;
  readonly type: string;
  readonly members: readonly Member[];
  /** Whether it was never published. */
  readonly draft?: boolean;
  /** Whether it was published, and comes with edits that were not (X21). */
  readonly changed?: boolean;
}

/** Maps ids of an export to those of the workspace. */
export interface Ids {
  entry(id: string): string;
  asset(id: string): string;
}
