import { Mark, type Node, type Schema } from "prosemirror-model";
import { pointerKind } from "../../fields/rich-text-tree.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownMember } from "../../workspace/json.ts";
import { nameIn, richSchema, type SchemaChanges } from "./rich-schema.ts";

/** V11f: what a field accepts, and a tree in whose way of naming new nodes are named. */
export interface RichUse {
  readonly nodeTypes?: readonly string[] | undefined;
  readonly marks?: readonly string[] | undefined;
  readonly sample: JsonValue;
}

/** H57: what the editor needs of a dialect. */
export interface Mapping {
  readonly schema: Schema;
  read(value: JsonValue): Node;
  write(doc: Node): JsonValue;
  /** The name of a new node or mark; undefined: the field does not accept one. */
  nameOf(kind: string, level?: number): string | undefined;
  /** Whether the field accepts a block with an entry or an asset. */
  canEmbed(kind: "reference" | "asset"): boolean;
  /** A block with an entry or an asset; undefined: there is none in the dialect. */
  embed?(pointer: JsonObject): JsonValue;
}

/** The names of nodes and marks of a dialect, by those of the schema; new ones get the first. */
export type Names = Readonly<Record<string, readonly string[]>>;

/** Texts with the same marks, or the value of another inline node. */
export interface Run {
  readonly marks: readonly Mark[];
  readonly text?: string;
  readonly json?: JsonValue;
}

/**
 * H57: a dialect of rich text ↔ the document of the editor. What was made of a value has the value in its
 * attribute `of`; as long as nothing of it has changed, that is what is written.
 */
export abstract class RichMapping implements Mapping {
  readonly schema: Schema;
  readonly #names: Names;
  readonly #use: RichUse;
  readonly #inSample: ReadonlySet<string>;
  /** Nodes do not change, so what was written of one is right as long as it is there. */
  readonly #written = new WeakMap<Node, JsonValue>();

  constructor(names: Names, use: RichUse, schema: SchemaChanges) {
    this.schema = richSchema(schema);
    this.#names = names;
    this.#use = use;
    this.#inSample = namesIn(use.sample);
  }

  /** The member with the text of a text node, and that with the nodes in a node. */
  protected abstract readonly textMember: string;
  protected abstract readonly listMember: string;
  /** Whether texts without letters stand around other inline nodes. */
  protected abstract readonly isPadded: boolean;
  protected abstract readonly freshText: JsonObject;
  protected abstract isText(json: JsonObject): boolean;
  protected abstract blocks(tree: JsonValue): readonly Node[];
  protected abstract known(json: JsonObject): Node | undefined;
  protected abstract build(node: Node): JsonValue;
  protected abstract readMark(json: JsonValue, block: JsonObject): Mark;
  /** The value of a mark in the list of a text; undefined: it is written otherwise. */
  protected abstract writeMark(mark: Mark): JsonValue | undefined;
  abstract embed(pointer: JsonObject): JsonValue;

  read(tree: JsonValue): Node {
    const blocks = this.blocks(tree);
    const all = blocks.length > 0 ? blocks : [this.schema.node("paragraph")];
    return this.schema.node("doc", { of: tree }, all);
  }

  write(node: Node): JsonValue {
    let json = this.#written.get(node);
    if (json === undefined) {
      const of: JsonValue = node.attrs.of ?? null;
      json = this.#isOf(node, of) ? of : this.build(node);
      this.#written.set(node, json);
    }
    return json;
  }

  /** Whether a node says what its value does, also after an undo. */
  #isOf(node: Node, of: JsonValue): boolean {
    if (node.type.name.startsWith("opaque")) return true;
    if (node.type.name === "doc") return this.read(of).eq(node);
    return of !== null && this.block(of).eq(node);
  }

  /** A block by its value; what is not known is opaque. */
  protected block(json: JsonValue): Node {
    const known = isJsonObject(json) ? this.known(json) : undefined;
    return known ?? this.schema.node("opaque", { of: json });
  }

  canEmbed(kind: "reference" | "asset"): boolean {
    const id = kind === "asset" ? "assetId" : "contentEntryId";
    return this.#use.nodeTypes?.includes(nameIn(this.embed({ [id]: "" }))) ?? true;
  }

  /** The names that a new node or mark may have. */
  protected namesOf(kind: string, _level?: number): readonly string[] {
    return this.#names[kind] ?? [];
  }

  protected isMark(kind: string): boolean {
    return kind in this.schema.marks;
  }

  nameOf(kind: string, level?: number): string | undefined {
    const { nodeTypes, marks } = this.#use;
    const accepted = this.isMark(kind) ? marks : nodeTypes;
    const names = this.namesOf(kind, level).filter((one) => accepted?.includes(one) ?? true);
    return names.find((one) => this.#inSample.has(one)) ?? this.#wayOf(names);
  }

  /** As the sample writes other names: `bulletList` or `bullet_list`. */
  #wayOf(names: readonly string[]): string | undefined {
    const isCamel = [...this.#inSample].some((one) => /[a-z][A-Z]/.test(one));
    return (isCamel ? names.find((one) => /[A-Z]/.test(one)) : undefined) ?? names[0];
  }

  protected kindOf(name: JsonValue | undefined, kinds: "nodes" | "marks"): string | undefined {
    if (typeof name !== "string") return undefined;
    return Object.keys(this.schema[kinds]).find((kind) => this.#names[kind]?.includes(name));
  }

  protected inlines(list: readonly JsonValue[], block: JsonObject): Node[] {
    return list.flatMap((json) => this.inline(json, block));
  }

  protected inline(json: JsonValue, block: JsonObject): readonly Node[] {
    const opaque = [this.schema.node("opaque_inline", { of: json })];
    if (!isJsonObject(json) || !this.isText(json)) return opaque;
    const text = ownMember(json, this.textMember);
    const marks = this.marksOf(json, block);
    if (typeof text !== "string" || marks === undefined) return opaque;
    if (text === "") return this.isPlainText(json) ? [] : opaque;
    const all = this.schema.mark("leaf", { of: json }).addToSet(marks);
    // The editor takes a line break in a text as a space.
    return text.split(/(\r\n?|\n)/).flatMap((part, at) => {
      if (part === "") return [];
      if (at % 2 === 0) return this.schema.text(part, all);
      return this.schema.node("hard_break", { of: part }, undefined, all);
    });
  }

  /** Whether a text without letters says nothing. */
  protected isPlainText(json: JsonObject): boolean {
    const known = new Set([...Object.keys(this.freshText), this.textMember, "_key"]);
    return Object.entries(json).every(
      ([name, value]) =>
        known.has(name) && (!isJsonObject(value) || Object.keys(value).length === 0),
    );
  }

  protected marksOf(json: JsonObject, block: JsonObject): readonly Mark[] | undefined {
    const list = ownMember(json, "marks") ?? [];
    if (!Array.isArray(list)) return undefined;
    return (list as readonly JsonValue[]).reduce<readonly Mark[]>((marks, one) => {
      const mark = this.readMark(one, block);
      const isThere = marks.some(({ type }) => type === mark.type && type.name !== "opaque_mark");
      return (isThere ? this.opaqueMark(one) : mark).addToSet(marks);
    }, Mark.none);
  }

  protected opaqueMark(of: JsonValue): Mark {
    return this.schema.mark("opaque_mark", { of });
  }

  /** What is in a block of text; neighbours with the same marks are one. */
  protected runs(node: Node): Run[] {
    const runs: Run[] = [];
    for (const child of node.children) {
      const text = this.textIn(child);
      const last = runs.at(-1);
      if (text === undefined) runs.push({ marks: [], json: this.write(child) });
      else if (last?.text !== undefined && Mark.sameSet(last.marks, child.marks)) {
        runs[runs.length - 1] = { ...last, text: last.text + text };
      } else runs.push({ marks: child.marks, text });
    }
    return runs;
  }

  protected textIn({ type, text, attrs }: Node): string | undefined {
    if (type.name !== "hard_break") return text;
    return typeof attrs.of === "string" ? attrs.of : undefined;
  }

  /** A text node as it was, but for its text and its marks; another node is kept. */
  protected leaf({ marks, text = "", json }: Run, block: JsonObject): JsonValue {
    if (json !== undefined) return json;
    const { of } = marks.find(({ type }) => type.name === "leaf")?.attrs ?? {};
    const was = (of ?? undefined) as JsonObject | undefined;
    const own = marks.filter((mark) => this.writeMark(mark) !== undefined);
    const before = was && this.marksOf(was, block);
    const isSame = before !== undefined && Mark.sameSet(before, own);
    if (was && isSame && was[this.textMember] === text) return was;
    const { marks: list, ...others } = was ?? this.freshText;
    const next = isSame ? list : this.#marks((list ?? []) as readonly JsonValue[], own, block);
    const isLeftOut = (next as readonly JsonValue[] | undefined)?.length === 0;
    const isWritten = next !== undefined && !(isLeftOut && this.freshText.marks === undefined);
    return { ...others, [this.textMember]: text, ...(isWritten && { marks: next }) };
  }

  /** Those that were there, in their order, then the new ones. */
  #marks(list: readonly JsonValue[], own: readonly Mark[], block: JsonObject): JsonValue[] {
    const stay = list.filter((one) => own.some((mark) => mark.eq(this.readMark(one, block))));
    const isNew = (mark: Mark) => !stay.some((one) => mark.eq(this.readMark(one, block)));
    return [...stay, ...own.filter(isNew).flatMap((mark) => this.writeMark(mark) ?? [])];
  }

  /** With texts around what is none, as the dialect has them; those that were there first. */
  protected padded(list: readonly JsonValue[], was: JsonValue): readonly JsonValue[] {
    if (!this.isPadded) return list;
    const before = (isJsonObject(was) ? was[this.listMember] : undefined) ?? [];
    const empty = (Array.isArray(before) ? (before as readonly JsonValue[]) : []).filter(
      (one) =>
        isJsonObject(one) &&
        this.isText(one) &&
        one[this.textMember] === "" &&
        this.isPlainText(one),
    );
    const isText = (one: JsonValue | undefined) => isJsonObject(one) && this.isText(one);
    const pad = () => empty.shift() ?? { ...this.freshText, [this.textMember]: "" };
    const all = list.flatMap((one, at) =>
      isText(one) || (at > 0 && isText(list[at - 1])) ? [one] : [pad(), one],
    );
    return isText(all.at(-1)) ? all : [...all, pad()];
  }

  /** A link by the value that it was made of. */
  protected link(of: JsonObject, data: JsonValue | undefined, address: string): Mark | undefined {
    const members = isJsonObject(data) ? data : {};
    const pointer = [members, ...Object.values(members)].find((one) => pointerKind(one));
    const href = members[address];
    if (pointer === undefined && typeof href !== "string") return undefined;
    const isShown = typeof href === "string" && pointer === undefined;
    return this.schema.mark("link", {
      of,
      href: isShown ? href : null,
      pointer: pointer ?? null,
    });
  }
}

/** H57: the value that a node of the editor leads to. */
export function pointerIn(of: JsonValue): JsonObject | undefined {
  if (pointerKind(of)) return of as JsonObject;
  if (!isJsonObject(of)) return undefined;
  const { data = {}, attrs = {} } = of;
  const around = [data, attrs, of].filter(isJsonObject);
  const all = around.flatMap((one) => [one, ...Object.values(one)]);
  return all.find((one) => pointerKind(one as JsonValue)) as JsonObject | undefined;
}

function namesIn(tree: JsonValue, names = new Set<string>()): Set<string> {
  if (Array.isArray(tree)) for (const one of tree) namesIn(one, names);
  else if (isJsonObject(tree)) {
    names.add(nameIn(tree));
    for (const member of ["content", "children", "marks", "markDefs"]) {
      if (Object.hasOwn(tree, member)) namesIn(tree[member] as JsonValue, names);
    }
  } else if (typeof tree === "string") names.add(tree);
  return names;
}
