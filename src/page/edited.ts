import type { AssetText } from "../workspace/asset.ts";
import type { FieldDefinition } from "../workspace/field.ts";
import type { JsonValue } from "../workspace/json.ts";
import type { FileView } from "./file-view.ts";

const STORED = new Set(
  "text select number integer boolean date date-time iso-date url email asset html-asset reference rich-text json".split(
    " ",
  ),
);

/** H42: whether the values of a field are changed on the page; of blocks only the order. */
export function isEditable(type: string, isRepeatable: boolean, hasQuery: boolean): boolean {
  return type === "content-block" ? isRepeatable : STORED.has(type) && !hasQuery;
}

/** H42 to H45, H76 to H79: what changes files, and what Git knows of them, by the names of the actions. */
export const EDITS = [
  "edit-open",
  "edit",
  "edit-publishing",
  "edit-names",
  "edit-add",
  "edit-rename",
  "page-names",
  "page-add",
  "edit-remove",
  "asset-open",
  "asset-edit",
  "asset-put",
  "asset-remove",
  "undo",
  "git-state",
  "git-plan",
  "git-save",
  "git-history",
  "git-compare",
  "git-restore",
] as const;

/** H60: those whose request is the bytes of a file. */
export const UPLOADS: ReadonlySet<string> = new Set(["asset-put"]);

interface Named {
  readonly id: string;
  readonly name: string;
}

/** What a form needs to know of the field that it edits. */
export interface OpenedField {
  /** Of the entry as it is in its file; the change names it. */
  readonly mark: string;
  readonly file: string;
  readonly field: FieldDefinition;
  /** With the locale. */
  readonly path: string;
  /** Of a localized field, and those that it may be changed in. */
  readonly locale: string | null;
  readonly locales: readonly string[];
  /** Of a `json` field its text (H59). */
  readonly value: JsonValue;
  /** H57: a tree in whose dialect new rich text is written. */
  readonly sample?: JsonValue;
  /** Of the entries and assets that the value points at, by id. */
  readonly shown: Readonly<Record<string, PointedAt>>;
  /** Those that a reference may lead to, and the blocks that a list takes. */
  readonly models: readonly Named[];
  readonly blocks: readonly Named[];
}

export interface PointedAt {
  readonly title: string;
  /** The name of the model of an entry. */
  readonly model?: string;
  /** Of an asset. */
  readonly file?: FileView;
}

/** H67: what a new entry is called, as given or as proposed. */
export interface EntryNames {
  readonly id: string;
  /** An id that no other has, where that is another one's; null: it is free itself. */
  readonly free: string | null;
  /** Null: its model has none. */
  readonly title: string | null;
  readonly slugs: readonly {
    readonly path: string;
    readonly name: string;
    readonly text: string;
  }[];
}

/** H70: the same of a new page. */
export interface PageNames extends Pick<EntryNames, "id" | "free"> {
  readonly title: string;
  /** Those that steps may have. */
  readonly layouts: readonly string[];
  readonly steps: readonly { readonly layout: string }[];
}

/** H62: what a form needs to know of an asset. */
export interface OpenedAsset {
  readonly mark: string;
  readonly file: string;
  readonly locales: readonly string[];
  readonly title: AssetText | null;
  readonly description: AssetText | null;
}

/** An asset that may be pointed at. */
export interface PickedAsset {
  readonly id: string;
  readonly title: string;
  readonly file: FileView;
}

export interface Edited {
  /** The record that was made. */
  readonly id?: string;
  /** H60: the asset that was made. */
  readonly added?: PickedAsset;
  /** H60d: an asset with the same bytes, where nothing was made for it. */
  readonly equal?: PickedAsset;
  /** What was undone. */
  readonly undone?: string;
  readonly warnings: readonly string[];
  /** What undo would undo next; null: nothing. */
  readonly undo: string | null;
}
