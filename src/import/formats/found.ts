import type { JsonValue } from "../../workspace/json.ts";
import type { Language } from "../../workspace/language.ts";
import type { Notes } from "./notes.ts";

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
  /** X3f: the values of one field by locale. `tree` has those of each locale. */
  | { readonly kind: "localized"; readonly values: ReadonlyMap<string, Found> }
  /**
   * Of a field whose type the export states: the values in its locales. `main`: the one that names and
   * addresses are made of; `others`: the locales whose values are left out.
   */
  | {
      readonly kind: "stated";
      readonly values: readonly JsonValue[];
      readonly main: JsonValue | undefined;
      readonly others: readonly string[];
    }
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

export type Kind = Exclude<Found["kind"], "list" | "localized" | "stated">;

/** The values of a field by locale. */
export function localized(values: ReadonlyMap<string, Found>): Found {
  return {
    kind: "localized",
    values,
    get tree() {
      return Object.fromEntries([...values].map(([locale, { tree }]) => [locale, tree]));
    },
  };
}

/** X3c, X3f: the value of the first of these locales that has one; undefined: none has. */
export function foundIn(value: Found | undefined, language: Language): Found | undefined {
  if (value?.kind !== "localized") return value;
  const locale = language.find((one) => value.values.has(one));
  return locale === undefined ? undefined : value.values.get(locale);
}

export type Member = readonly [name: string, value: Found];

/** A record of an export that becomes an entry; ids are those of the export. */
export interface FoundDocument {
  readonly id: string;
  /** What the report calls it. */
  readonly source: string;
  readonly type: string;
  readonly members: readonly Member[];
  /** What texts may call it beside its id and its address (X24c). */
  readonly names?: readonly string[];
  /** Where a member is in the export; undefined: nothing says more than `source`. */
  readonly placeOf?: (member: string, locale: string | undefined) => string;
  readonly draft?: boolean | undefined;
  /** A4: when the source publishes it, and when it is over. */
  readonly publishAt?: string | undefined;
  readonly unpublishAt?: string | undefined;
  /** Whether it was published, and comes with edits that were not (X21). */
  readonly changed?: boolean | undefined;
  /** X3e: the locales in which it is a draft, while it is published in others. */
  readonly draftLocales?: readonly string[];
  /** The locales that it has texts in; undefined: those of its values. */
  readonly inLocales?: readonly string[];
  readonly lost?: Notes;
}

export interface ExcludedRecord {
  readonly id: string;
  readonly reason: string;
  /** What it counts as, if that was not noted. */
  readonly leftOut?: string;
  /** X2: whether it is left out as it is private or archived. */
  readonly isHidden?: boolean;
}

/** Maps ids of an export to those of the workspace. */
export interface Ids {
  entry(id: string): string;
  asset(id: string): string;
}
