import type { AssetText } from "../workspace/asset.ts";
import type { FieldDefinition } from "../workspace/field.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownMember } from "../workspace/json.ts";
import type { DescribedProblem } from "../workspace/problem-messages.ts";
import type { Block } from "../workspace/records.ts";
import type { ChangedValue } from "./changes.ts";
import type { FileView } from "./file-view.ts";

const STORED = new Set(
  "text select number integer boolean date date-time iso-date url email asset html-asset reference rich-text json content-block".split(
    " ",
  ),
);

/** H42: whether the values of a field are changed on the page. */
export function isEditable(type: string, hasQuery: boolean): boolean {
  return STORED.has(type) && !hasQuery;
}

/** H42 to H45, H76 to H79: what changes files, and what Git knows of them, by the names of the actions. */
export const EDITS = [
  "edit-open",
  "edit-check",
  "edit",
  "edit-publishing",
  "edit-names",
  "edit-add",
  "edit-rename",
  "page-names",
  "page-add",
  "edit-remove",
  "edit-drop",
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

/** H63: what a form needs to know of the fields that it edits: one, or all of an entry or of a block in it. */
export interface OpenedForm {
  /** Of the entry as it is in its file. */
  readonly mark: string;
  /** H81: what the values of the form are now, which its change gives back. */
  readonly was: JsonValue;
  /** H81: of what was typed in a form that was opened before. */
  readonly conflicts: readonly Conflict[];
  readonly file: string;
  /** Of what has the fields: "" of an entry, with `/data` at its end of a block. */
  readonly path: string;
  readonly fields: readonly FieldDefinition[];
  /** Where the title of an entry is (W6c). */
  readonly title: string | null;
  /** Their stored values; of `json` fields their texts (H59). */
  readonly data: JsonObject;
  /** In which localized fields are changed, and the others. */
  readonly locale: string | null;
  readonly locales: readonly string[];
  /** H57: a tree in whose dialect new rich text is written. */
  readonly sample?: JsonValue;
  /** Of the entries and assets that the values point at, by id. */
  readonly shown: Readonly<Record<string, PointedAt>>;
  readonly models: readonly { readonly id: string; readonly key: string; readonly name: string }[];
  /** Those that the fields may have, at any depth. */
  readonly blocks: readonly Block[];
  readonly problems: readonly DescribedProblem[];
}

/** H64: what the check says of a form. */
export type Checked = Pick<OpenedForm, "problems">;

/** What a form changes: each is written as `withValueAt` says. */
export interface FieldChange {
  readonly path: string;
  readonly value: JsonValue;
}

/** H81: a value that was changed by others too: theirs and what was typed. */
export interface Conflict {
  readonly path: string;
  readonly change: ChangedValue;
}

/** What an input needs to know of its field. */
export interface OpenedField extends Pick<OpenedForm, "sample" | "shown"> {
  readonly field: FieldDefinition;
  /** Those that a reference may lead to, and the blocks that the field takes. */
  readonly models: readonly { readonly id: string; readonly name: string }[];
  readonly blocks: readonly Block[];
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
  /** Of the fields of its title and slugs. */
  readonly keys: readonly string[];
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
  /** What was done, where only the server has the words. */
  readonly done?: string;
  /** What was undone. */
  readonly undone?: string;
  readonly warnings: readonly string[];
  /** What undo would undo next; null: nothing. */
  readonly undo: string | null;
}

export function valueAt(data: JsonValue, path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((holder, segment) => {
    if (Array.isArray(holder)) return (holder as readonly JsonValue[])[Number(segment)];
    return isJsonObject(holder) ? ownMember(holder, segment) : undefined;
  }, data);
}

/**
 * Data with another value at a path. Null removes it, and the object of a locale that was its last.
 *
 * @param path with the locale behind a localized field
 */
export function withValueAt(
  data: JsonObject,
  path: readonly string[],
  value: JsonValue,
  isLocalized: boolean,
): JsonObject {
  const after = placed(data, path, value) as JsonObject;
  const around = path.slice(0, -1);
  const isEmpty = (one: JsonValue | undefined) =>
    isJsonObject(one ?? null) && Object.keys(one as JsonObject).length === 0;
  const isLast = isLocalized && value === null && isEmpty(valueAt(after, around));
  return isLast ? (placed(after, around, null) as JsonObject) : after;
}

function placed(
  holder: JsonValue | undefined,
  [segment, ...path]: readonly string[],
  value: JsonValue,
): JsonValue {
  if (segment === undefined) return value;
  if (Array.isArray(holder)) {
    const list = holder as readonly JsonValue[];
    return list.with(Number(segment), placed(list[Number(segment)], path, value));
  }
  const object = isJsonObject(holder ?? null) ? (holder as JsonObject) : {};
  if (path.length > 0 || value !== null) {
    return { ...object, [segment]: placed(ownMember(object, segment), path, value) };
  }
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== segment));
}
