import type { Mark, Node } from "prosemirror-model";
import { pointerKind } from "../../fields/rich-text-tree.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownMember } from "../../workspace/json.ts";
import { type Names, RichMapping, type RichUse } from "./rich-mapping.ts";

const NAMES: Names = {
  paragraph: ["normal"],
  heading: ["h1", "h2", "h3", "h4", "h5", "h6"],
  blockquote: ["blockquote"],
  bullet_list: ["bullet"],
  ordered_list: ["number"],
  link: ["link"],
  strong: ["strong"],
  em: ["em"],
  underline: ["underline"],
  strike: ["strike-through"],
  code: ["code"],
};

/** Its lists are items with a level, and a quote is a style of a paragraph. */
const FLAT = {
  blockquote: { content: "inline*" },
  list_item: { content: "(paragraph | heading) list* | list+" },
  code_block: null,
  horizontal_rule: null,
};

/** As deep as the reading view shows them. */
const DEEPEST = 50;

/** The key of what is new, until it has one. */
const FRESH = "\0";

/** What makes a block an item of a list. */
interface Item {
  readonly listItem: string;
  readonly level: number;
}

/** Portable Text: a list of blocks; lists are blocks with a level, links are definitions of a block. */
export class PortableMapping extends RichMapping {
  protected readonly textMember = "text";
  protected readonly listMember = "children";
  protected readonly isPadded = true;
  protected readonly freshText = { _type: "span", _key: FRESH, marks: [] };
  readonly #hasKeys: boolean;
  /** Of the definitions of the block that is written. */
  #keys: ReadonlyMap<string, string> = new Map();

  constructor(use: RichUse) {
    super(NAMES, use, FLAT);
    const blocks = Array.isArray(use.sample) ? (use.sample as readonly JsonValue[]) : [];
    this.#hasKeys = blocks.length === 0 || blocks.some((one) => isJsonObject(one) && "_key" in one);
  }

  protected isText({ _type }: JsonObject): boolean {
    return _type === "span";
  }

  /** V11f: all blocks have one name there; which styles there are, the field does not say. */
  override nameOf(kind: string): string | undefined {
    return this.isMark(kind) ? super.nameOf(kind) : NAMES[kind]?.[0];
  }

  protected blocks(tree: JsonValue): readonly Node[] {
    const nodes: Node[] = [];
    let run: { item: Item; node: Node }[] = [];
    const close = () => {
      nodes.push(...this.#lists(run, 1));
      run = [];
    };
    for (const json of (tree ?? []) as readonly JsonValue[]) {
      const item = itemOf(json);
      const node = this.block(json);
      if (item && node.type.name !== "opaque" && node.type.name !== "blockquote") {
        run.push({ item, node });
        continue;
      }
      close();
      // An item that no list can have is shown whole.
      const isItem = item || (isJsonObject(json) && json._type === "block" && "listItem" in json);
      nodes.push(isItem ? this.schema.node("opaque", { of: json }) : node);
    }
    close();
    return nodes;
  }

  /** Items in a row as lists, deeper ones within their items. */
  #lists(run: readonly { item: Item; node: Node }[], level: number): Node[] {
    const lists: { kind: string; items: Node[][] }[] = [];
    for (let at = 0; at < run.length; ) {
      const first = run[at] as (typeof run)[number];
      let next = at;
      const isDeeper = () => (run[next]?.item.level ?? 0) > level;
      if (first.item.level === level) next += 1;
      const start = next;
      while (isDeeper()) next += 1;
      const inner = this.#lists(run.slice(start, next), level + 1);
      const own = first.item.level === level ? [first.node] : [];
      if (lists.at(-1)?.kind !== first.item.listItem) {
        lists.push({ kind: first.item.listItem, items: [] });
      }
      lists.at(-1)?.items.push([...own, ...inner]);
      at = next;
    }
    return lists.map(({ kind, items }) => {
      const inside = items.map((one) => this.schema.node("list_item", null, one));
      return this.schema.node(this.kindOf(kind, "nodes") as string, null, inside);
    });
  }

  protected known(json: JsonObject): Node | undefined {
    const { _type, style = "normal", children, markDefs = [] } = json;
    const isBlock = _type === "block" && typeof style === "string" && Array.isArray(children);
    if (!isBlock || !Array.isArray(markDefs)) return undefined;
    const kind = this.kindOf(style, "nodes") ?? "paragraph";
    const type = this.schema.nodes[kind];
    if (!type?.inlineContent) return undefined;
    const level = kind === "heading" ? Number(style.at(1)) : undefined;
    return type.create({ of: json, level }, this.inlines(children as readonly JsonValue[], json));
  }

  protected readMark(json: JsonValue, { markDefs = [] }: JsonObject): Mark {
    const definition = (markDefs as readonly JsonValue[]).find(
      (one) => typeof json === "string" && keyIn(one) === json,
    );
    if (isJsonObject(definition)) {
      return this.link(definition, definition, "href") ?? this.opaqueMark(definition);
    }
    const kind = this.kindOf(json, "marks");
    return kind === undefined ? this.opaqueMark(json) : this.schema.mark(kind, { of: json });
  }

  /** The key of a definition, or the name. */
  protected writeMark(mark: Mark): JsonValue | undefined {
    if (mark.type.name === "leaf") return undefined;
    const definition = this.#definition(mark);
    if (definition) return this.#keys.get(JSON.stringify(definition)) ?? FRESH;
    return mark.attrs.of ?? this.nameOf(mark.type.name) ?? mark.type.name;
  }

  #definition({ type, attrs }: Mark): JsonObject | undefined {
    const { of, href, pointer } = attrs;
    if (type.name === "leaf") return undefined;
    if (type.name !== "link") return isJsonObject(of) ? of : undefined;
    if (of && this.link(of, of, "href")?.eq(type.create(attrs))) return of;
    const { href: _, ...members } = (isJsonObject(of) ? of : {}) as JsonObject;
    const others = Object.entries(members).filter(([, one]) => !pointerKind(one));
    const to = pointer ? { reference: pointer } : { href };
    const _type = pointer ? "internalLink" : "link";
    const made = { _type, ...Object.fromEntries(others), ...to };
    return { ...made, _key: FRESH };
  }

  protected build(node: Node): JsonValue {
    if (node.type.name !== "doc") return this.#block(node);
    const flat = node.children.flatMap((one) => this.#flat(one, 0));
    return this.#keyed(flat, (node.attrs.of ?? []) as readonly JsonValue[]);
  }

  #flat(node: Node, level: number): readonly JsonValue[] {
    if (!/_list$/.test(node.type.name)) return [this.#asItem(node, undefined)];
    const item = { listItem: this.nameOf(node.type.name) ?? "bullet", level: level + 1 };
    return node.children.flatMap((one) =>
      one.children.flatMap((child) =>
        /_list$/.test(child.type.name) ? this.#flat(child, level + 1) : [this.#asItem(child, item)],
      ),
    );
  }

  /** A block as an item of a list, or as none; the same value where it is that. */
  #asItem(node: Node, item: Item | undefined): JsonValue {
    const json = this.write(node);
    if (!isJsonObject(json) || node.type.name === "opaque") return json;
    const is = itemOf(json);
    if (is?.listItem === item?.listItem && is?.level === item?.level) return json;
    const { listItem: _, level: __, ...block } = json;
    return { ...block, ...item };
  }

  #block(node: Node): JsonValue {
    const was = isJsonObject(node.attrs.of) ? node.attrs.of : undefined;
    const block = was ?? { markDefs: [] };
    const runs = this.runs(node);
    const marks = runs.flatMap((run) => run.marks);
    const used = marks.map((one) => this.#definition(one)).filter((one) => one !== undefined);
    this.#keys = keysOf([...listIn(block, "markDefs"), ...used]);
    const list = runs.map((run) => this.leaf(run, block));
    const children = this.#keyed(this.padded(list, was ?? null), listIn(block, "children"));
    const markDefs = this.#definitions(block, used);
    const isKept = markDefs.length > 0 || was === undefined || "markDefs" in was;
    const style = this.#styleOf(node, was);
    return {
      ...(was ?? { _type: "block", _key: FRESH }),
      ...((style !== "normal" || was === undefined || "style" in was) && { style }),
      children,
      ...(isKept && { markDefs }),
    };
  }

  #styleOf({ type, attrs }: Node, was: JsonObject | undefined): string {
    if (type.name === "heading") return `h${attrs.level}`;
    const style = String(was?.style ?? "normal");
    const isSame = (this.kindOf(style, "nodes") ?? "paragraph") === type.name;
    return isSame ? style : (NAMES[type.name]?.[0] ?? "normal");
  }

  /** Those that were there, but for those that are used no more; then the others. */
  #definitions(block: JsonObject, used: readonly JsonObject[]): JsonValue[] {
    const texts = new Set(used.map((one) => JSON.stringify(one)));
    const wereUsed = new Set(listIn(block, "children").flatMap((one) => listIn(one, "marks")));
    const kept = listIn(block, "markDefs").filter(
      (one) =>
        texts.has(JSON.stringify(one)) || !isJsonObject(one) || !wereUsed.has(one._key ?? ""),
    );
    for (const one of kept) texts.delete(JSON.stringify(one));
    const added = [...texts].map((text) => ({ ...JSON.parse(text), _key: this.#keys.get(text) }));
    return [...kept, ...added];
  }

  /** Each with a key of its own, where this text has keys; what was there stays as it was. */
  #keyed(list: readonly JsonValue[], before: readonly JsonValue[]): readonly JsonValue[] {
    const were = new Set(before);
    const taken = new Set(list.map((one) => (were.has(one) ? keyIn(one) : undefined)));
    return list.map((one) => {
      const had = keyIn(one);
      // Once: a copy of it is another one.
      if (!isJsonObject(one) || had === undefined || were.delete(one)) return one;
      if (!this.#hasKeys && had === FRESH) {
        const { _key: _, ...others } = one;
        return others;
      }
      const key = freeKey(had, "new", taken);
      return key === had ? one : { ...one, _key: key };
    });
  }

  embed(pointer: JsonObject): JsonValue {
    return "assetId" in pointer
      ? { _type: "image", _key: FRESH, asset: pointer }
      : { _type: "reference", _key: FRESH, reference: pointer };
  }
}

/** The key of each definition by its text, so that no two of a block have the same. */
function keysOf(definitions: readonly JsonValue[]): ReadonlyMap<string, string> {
  const keys = new Map<string, string>();
  const taken = new Set<string | undefined>();
  for (const one of definitions) {
    const text = JSON.stringify(one);
    if (keys.has(text)) continue;
    keys.set(text, freeKey(keyIn(one) ?? FRESH, "link", taken));
  }
  return keys;
}

/** The key that it had, unless that is taken; a new one begins with the stem. */
function freeKey(had: string, stem: string, taken: Set<string | undefined>): string {
  let key = had;
  for (let n = 1; key === FRESH || taken.has(key); n += 1) {
    key = `${had === FRESH ? stem : had}-${n}`;
  }
  taken.add(key);
  return key;
}

function keyIn(one: JsonValue): string | undefined {
  return isJsonObject(one) && typeof one._key === "string" ? one._key : undefined;
}

function listIn(value: JsonValue, member: string): readonly JsonValue[] {
  const list = isJsonObject(value) ? ownMember(value, member) : undefined;
  return Array.isArray(list) ? (list as readonly JsonValue[]) : [];
}

function itemOf(json: JsonValue): Item | undefined {
  if (!isJsonObject(json)) return undefined;
  const { _type, listItem, level = 1 } = json;
  const isKnown = _type === "block" && (listItem === "bullet" || listItem === "number");
  const isLevel = typeof level === "number" && Number.isInteger(level);
  if (!isKnown || !isLevel || level < 1 || level > DEEPEST) return undefined;
  return { listItem, level };
}
