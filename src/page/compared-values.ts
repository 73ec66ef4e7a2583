import { alignLists } from "../diff/align-lists.ts";
import { isReordered } from "../diff/compare-values.ts";
import { canonicalJson } from "../documents/canonical-json.ts";
import type { FieldDefinition } from "../workspace/field.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownMember } from "../workspace/json.ts";
import { andMore } from "../workspace/listed.ts";
import type { DraftState } from "./draft-state.ts";
import { type PointerTarget, pointerTarget } from "./entry-summary.ts";
import { type TextPiece, textChanges } from "./text-changes.ts";

/** A rendered value as a person reads it. */
export type Shown =
  | { readonly text: string; readonly isData?: true }
  | { readonly file: string; readonly src?: string; readonly isPicture: boolean }
  | { readonly target: PointerTarget }
  | { readonly list: readonly Shown[] };

/** What values name. */
export interface Names {
  readonly state: DraftState;
  /** The title of an entry that only what is published has. */
  readonly publishedTitle: (id: string) => string | undefined;
}

/** H31: a value that differs; `place`: where it is, in names that authors know. */
export interface ComparedValue {
  readonly place: readonly string[];
  /** Null: there is none; of two texts in `pieces` both. */
  readonly before: Shown | null;
  readonly after: Shown | null;
  readonly pieces?: readonly TextPiece[];
  /** Only the formatting or the order differs. */
  readonly only?: "formatting" | "order";
}

/** How many values of a record are compared, elements of a list shown, and characters of a text. */
const [MOST, LISTED, LONGEST] = [100, 20, 20_000];

/** The values of two rendered records that differ, in the order of their fields. */
export function comparedValues(
  names: Names,
  fields: readonly FieldDefinition[],
  before: JsonObject,
  after: JsonObject,
): ComparedValue[] {
  return inFields(names, fields, before, after, []).slice(0, MOST);
}

/** One value by itself, as of a project's config. */
export function comparedValue(
  names: Names,
  place: readonly string[],
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): ComparedValue {
  const [was, is] = [shown(names, before), shown(names, after)];
  const isText = was !== null && is !== null && "text" in was && "text" in is;
  if (!isText) return { place, before: was, after: is };
  if (was.text === is.text) return { place, before: null, after: is, only: "formatting" };
  return { place, before: null, after: null, pieces: textChanges(was.text, is.text) };
}

function inFields(
  names: Names,
  fields: readonly FieldDefinition[],
  before: JsonObject,
  after: JsonObject,
  place: readonly string[],
): ComparedValue[] {
  const keys = fields.map(({ key }) => key);
  const others = [...Object.keys(before), ...Object.keys(after)].filter(
    (one) => !keys.includes(one),
  );
  return [...keys, ...new Set(others)].flatMap((key) => {
    const field = fields.find((one) => one.key === key);
    const [was, is] = [ownMember(before, key) ?? null, ownMember(after, key) ?? null];
    if (canonicalJson(was) === canonicalJson(is)) return [];
    const where = [...place, field?.name ?? key];
    const isList = Array.isArray(was) || Array.isArray(is);
    return field?.repeatable && isList
      ? inLists(names, listOf(was), listOf(is), where)
      : inValues(names, was, is, where);
  });
}

function listOf(value: JsonValue): readonly JsonValue[] {
  return Array.isArray(value) ? value : value === null ? [] : [value];
}

function inLists(
  names: Names,
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  place: readonly string[],
): ComparedValue[] {
  if (isReordered(before, after)) {
    const [was, is] = [shown(names, [...before]), shown(names, [...after])];
    return [{ place, before: was, after: is, only: "order" }];
  }
  return alignLists(before, after).flatMap(([from, to]) => {
    const [was, is] = [before[from ?? -1] ?? null, after[to ?? -1] ?? null];
    if (canonicalJson(was) === canonicalJson(is)) return [];
    return inValues(names, was, is, [...place, String((to ?? from ?? 0) + 1)]);
  });
}

/** Blocks of one definition are compared by their fields. */
function inValues(
  names: Names,
  was: JsonValue,
  is: JsonValue,
  place: readonly string[],
): ComparedValue[] {
  const [old, now] = [blockOf(was), blockOf(is)];
  if (old === undefined || now === undefined || old.key !== now.key) {
    return [comparedValue(names, place, was ?? undefined, is ?? undefined)];
  }
  const block = blockNamed(names, now.key);
  const where = [...place, block?.name ?? now.key];
  return inFields(names, block?.fields ?? [], old.data, now.data, where);
}

function blockOf(value: JsonValue): { key: string; data: JsonObject } | undefined {
  if (!isJsonObject(value) || !isJsonObject(value.data ?? null)) return undefined;
  const { contentBlockKey: key, data } = value;
  return typeof key === "string" ? { key, data: data as JsonObject } : undefined;
}

function blockNamed({ state }: Names, key: string) {
  return state.draft.blocks.find((one) => one.key === key);
}

function shown(names: Names, value: JsonValue | undefined): Shown | null {
  if (value === undefined || value === null) return null;
  if (typeof value === "boolean") return { text: value ? "yes" : "no" };
  if (typeof value !== "object") return { text: String(value).slice(0, LONGEST * 10) };
  if (Array.isArray(value) && !isTree(value)) {
    const some = value.slice(0, LISTED).flatMap((one: JsonValue) => shown(names, one) ?? []);
    const left = value.length - LISTED;
    return { list: left > 0 ? [...some, { text: andMore(left).trim() }] : some };
  }
  if (isJsonObject(value)) {
    const { contentEntryId, fileName, mimeType, url } = value;
    if (typeof contentEntryId === "string") {
      const target = pointerTarget(names.state, contentEntryId);
      // Rendered with a model: the entry was there.
      const was = target.state === "deleted" && "contentModelKey" in value;
      const text = was ? names.publishedTitle(contentEntryId) : undefined;
      return text === undefined ? { target } : { text };
    }
    if (typeof fileName === "string") {
      // Only of this server: an address of another host loads nothing (H9).
      const path = typeof url === "string" ? /\/assets\/[0-9a-f]{16}\/[^/?#]+$/.exec(url)?.[0] : "";
      const isPicture = String(mimeType).startsWith("image/");
      return { file: fileName, isPicture, ...(path && { src: path }) };
    }
    const block = blockOf(value);
    if (block !== undefined) return { text: blockText(names, block).slice(0, LONGEST) };
  }
  if (isTree(value)) return { text: treeText(names, value).trim() };
  return { text: JSON.stringify(value, null, 1).slice(0, LONGEST), isData: true };
}

/** The block's name, and its fields by their names. */
function blockText(names: Names, { key, data }: { key: string; data: JsonObject }): string {
  const { name = key, fields = [] } = blockNamed(names, key) ?? {};
  const lines = Object.entries(data).map(([member, value]) => {
    const field = fields.find((one) => one.key === member);
    return [fields.indexOf(field as FieldDefinition), field?.name ?? member, lineOf(names, value)];
  });
  const shownLines = lines.filter(([, , line]) => line).sort(([a], [b]) => Number(a) - Number(b));
  return [name, ...shownLines.map(([, label, line]) => `${label}: ${line}`)].join("\n");
}

function lineOf(names: Names, value: JsonValue): string {
  const one = shown(names, value);
  if (one === null || ("text" in one && one.isData)) return "";
  if ("text" in one) return one.text;
  if ("file" in one) return one.file;
  return "target" in one ? one.target.title : "";
}

/** V11: Contentful rich text, Portable Text or ProseMirror. */
function isTree(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every((one: JsonValue) => isNode(one));
  return isNode(value);
}

function isNode(value: JsonValue): value is JsonObject {
  return (
    isJsonObject(value) &&
    ["nodeType", "_type", "type"].some((name) => typeof value[name] === "string")
  );
}

const INLINE = /^(?:.*-?hyperlink|.*inline|link|span|text)$/;

/** As text alone: a line for each paragraph, heading or item. */
function treeText(names: Names, value: JsonValue, depth = 0): string {
  if (depth > 200) return "";
  if (Array.isArray(value))
    return value.map((one: JsonValue) => treeText(names, one, depth + 1)).join("");
  if (!isJsonObject(value)) return "";
  const { text, value: literal, content, children, nodeType, _type, type } = value;
  const name = [nodeType, _type, type].find((one) => typeof one === "string") as string | undefined;
  if (name === undefined) return `[${lineOf(names, value)}]`;
  if (typeof text === "string") return text;
  if (typeof literal === "string") return literal;
  const inside = [content, children].find(Array.isArray) as JsonValue | undefined;
  const embedded = Object.values(value)
    .flatMap((one) => (isJsonObject(one) ? [one, ...Object.values(one)] : []))
    .filter(
      (one) =>
        isJsonObject(one) &&
        ("contentEntryId" in one || "fileName" in one || "contentBlockKey" in one),
    );
  const inner = inside === undefined ? "" : treeText(names, inside, depth + 1);
  const pointers = inner === "" ? embedded.map((one) => `[${lineOf(names, one)}]`).join(" ") : "";
  return inner + pointers + (INLINE.test(name) ? "" : "\n");
}
