import { NAME_MEMBERS, NODE_LISTS } from "../fields/rich-text-tree.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownMember } from "../workspace/json.ts";
import { andMore } from "../workspace/listed.ts";
import { blockNamed, blockOf, type Definitions } from "./names.ts";

/** A served value as a person reads it. */
export type Shown<Target> =
  | { readonly text: string; readonly isData?: true }
  | { readonly file: string; readonly url: string; readonly isPicture: boolean }
  | { readonly target: Target; readonly title: string }
  | { readonly list: readonly Shown<Target>[] };

/** D7: a value that differs, as a person reads it; null: there is none. */
export interface ShownChange<Target> {
  /** In names that authors know. */
  readonly place: readonly string[];
  readonly before: Shown<Target> | null;
  readonly after: Shown<Target> | null;
  /** Only the formatting, with the same words, or the order differs. */
  readonly only?: "formatting" | "order";
}

export interface ServedChange {
  readonly place: readonly string[];
  readonly before?: JsonValue | undefined;
  readonly after?: JsonValue | undefined;
}

/** What values name. */
export interface ShownNames<Target> {
  readonly definitions: Definitions;
  /** What a pointer leads to. @param wasThere whether there was such an entry when it was served */
  target(id: string, wasThere: boolean): Shown<Target>;
}

/** How many elements of a list are shown, and characters of data. */
const [LISTED, LONGEST] = [20, 20_000];

export function shownChange<Target>(
  names: ShownNames<Target>,
  { place, before, after }: ServedChange,
): ShownChange<Target> {
  const [was, is] = [shown(names, before), shown(names, after)];
  const isText = was !== null && is !== null && "text" in was && "text" in is;
  if (isText && was.text === is.text)
    return { place, before: null, after: null, only: "formatting" };
  // A list is one change where only its order differs.
  const isOrder = Array.isArray(before) && Array.isArray(after) && !isText;
  return { place, before: was, after: is, ...(isOrder && { only: "order" }) };
}

function shown<T>(names: ShownNames<T>, value: JsonValue | undefined): Shown<T> | null {
  if (value === undefined || value === null) return null;
  if (typeof value === "boolean") return { text: value ? "yes" : "no" };
  if (typeof value !== "object") return { text: String(value).slice(0, LONGEST * 10) };
  const data = () => JSON.stringify(value, null, 1).slice(0, LONGEST);
  if (isRichText(value)) {
    const text = richText(names, value).trim();
    return text === "" ? { text: data(), isData: true } : { text };
  }
  if (Array.isArray(value)) {
    const some = value.slice(0, LISTED).flatMap((one: JsonValue) => shown(names, one) ?? []);
    const left = andMore(value.length - LISTED).trim();
    return { list: left === "" ? some : [...some, { text: left }] };
  }
  const { contentEntryId, fileName, mimeType, url } = value as JsonObject;
  if (typeof contentEntryId === "string") {
    // Served with a model: the entry was there.
    return names.target(contentEntryId, "contentModelKey" in value);
  }
  if (typeof fileName === "string") {
    return { file: fileName, url: String(url), isPicture: String(mimeType).startsWith("image/") };
  }
  const block = blockOf(value as JsonObject);
  if (block !== undefined) return { text: blockText(names, block).slice(0, LONGEST) };
  return { text: data(), isData: true };
}

/** As text alone. */
export function textOf<T>(one: Shown<T> | null): string {
  if (one === null) return "";
  if ("text" in one) return one.text;
  if ("list" in one) return one.list.map(textOf).join(", ");
  return "file" in one ? one.file : one.title;
}

/** In a text; data is not shown in it. */
function lineOf<T>(one: Shown<T> | null): string {
  return one !== null && "text" in one && one.isData ? "" : textOf(one);
}

/** The block's name, and its fields by their names. */
function blockText<T>(
  names: ShownNames<T>,
  { key, data }: { readonly key: string; readonly data: JsonObject },
): string {
  const { name = key, fields = [] } = blockNamed(names.definitions, key) ?? {};
  const known = fields.map((field) => field.key);
  const others = Object.keys(data).filter((member) => !known.includes(member));
  const lines = [...known, ...others].flatMap((member) => {
    const line = lineOf(shown(names, ownMember(data, member)));
    const label = fields.find((field) => field.key === member)?.name ?? member;
    return line === "" ? [] : `${label}: ${line}`;
  });
  return [name, ...lines].join("\n");
}

/** V11: Contentful rich text, Portable Text or ProseMirror. */
export function isRichText(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.length > 0 && value.every((one: JsonValue) => isNode(one));
  return isNode(value);
}

function isNode(value: JsonValue): boolean {
  if (!isJsonObject(value)) return false;
  if (typeof value.nodeType === "string" || typeof value._type === "string") return true;
  // Data often has a type.
  return typeof value.type === "string" && ["text", ...NODE_LISTS].some((name) => name in value);
}

function nodeName(node: JsonObject): string | undefined {
  return NAME_MEMBERS.map((name) => node[name]).find((name) => typeof name === "string");
}

const INLINE = /^(?:.*-?hyperlink|.*inline|link|span|text)$/;

/** As text alone: a line for each paragraph, heading or item. */
function richText<T>(names: ShownNames<T>, value: JsonValue, depth = 0): string {
  if (depth > 200) return "";
  const inside = (nodes: JsonValue) => richText(names, nodes, depth + 1);
  if (Array.isArray(value)) return value.map(inside).join("");
  if (!isJsonObject(value)) return "";
  const name = nodeName(value);
  if (name === undefined) return `[${lineOf(shown(names, value))}]`;
  const literal = [value.text, value.value].find((one) => typeof one === "string");
  if (literal !== undefined) return literal as string;
  const nodes = NODE_LISTS.map((list) => value[list]).find((list) => Array.isArray(list));
  const inner = nodes === undefined ? "" : inside(nodes);
  const embedded = inner === "" ? embeddedIn(value) : [];
  const pointers = embedded.map((one) => `[${lineOf(shown(names, one))}]`).join(" ");
  return inner + pointers + (INLINE.test(name) ? "" : "\n");
}

/** The served pointers, assets and blocks of a node. */
function embeddedIn(node: JsonObject): JsonObject[] {
  const members = Object.values(node).filter(isJsonObject);
  const all = members.flatMap((one) => [one, ...Object.values(one).filter(isJsonObject)]);
  const marks = ["contentEntryId", "fileName", "contentBlockKey"];
  return all.filter((one) => marks.some((name) => name in one));
}
