import { Fragment, type Mark, type Node, type NodeType } from "prosemirror-model";
import { pointerKind } from "../../fields/rich-text-tree.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownMember } from "../../workspace/json.ts";
import { type Names, RichMapping, type RichUse, type Run } from "./rich-mapping.ts";

const levels = (prefix: string) => [1, 2, 3, 4, 5, 6].map((level) => `${prefix}${level}`);

const CONTENTFUL: Names = {
  paragraph: ["paragraph"],
  heading: levels("heading-"),
  blockquote: ["blockquote"],
  bullet_list: ["unordered-list"],
  ordered_list: ["ordered-list"],
  list_item: ["list-item"],
  horizontal_rule: ["hr"],
  link: ["hyperlink"],
  strong: ["bold"],
  em: ["italic"],
  underline: ["underline"],
  strike: ["strikethrough"],
  code: ["code"],
};

const PROSEMIRROR: Names = {
  paragraph: ["paragraph"],
  heading: ["heading"],
  blockquote: ["blockquote"],
  code_block: ["code_block", "codeBlock"],
  bullet_list: ["bullet_list", "bulletList"],
  ordered_list: ["ordered_list", "orderedList"],
  list_item: ["list_item", "listItem"],
  horizontal_rule: ["horizontal_rule", "horizontalRule"],
  hard_break: ["hard_break", "hardBreak"],
  link: ["link"],
  strong: ["bold", "strong"],
  em: ["italic", "em"],
  underline: ["underline"],
  strike: ["strike", "strikethrough"],
  code: ["code"],
};

/** Trees whose nodes have their nodes in `content`. */
abstract class TreeMapping extends RichMapping {
  protected abstract readonly nameMember: string;
  protected abstract readonly freshNode: JsonObject;
  protected readonly listMember = "content";

  protected blocks(tree: JsonValue): readonly Node[] {
    const list = isJsonObject(tree) ? (tree.content ?? []) : (tree ?? []);
    return (list as readonly JsonValue[]).map((one) => this.block(one));
  }

  protected isText(json: JsonObject): boolean {
    return json[this.nameMember] === "text";
  }

  protected levelOf({ attrs }: JsonObject): unknown {
    return isJsonObject(attrs) ? attrs.level : undefined;
  }

  protected known(json: JsonObject): Node | undefined {
    const kind = this.kindOf(ownMember(json, this.nameMember), "nodes");
    const type = this.schema.nodes[kind ?? ""];
    const list = ownMember(json, "content") ?? [];
    if (type === undefined || !Array.isArray(list)) return undefined;
    const level = type.name === "heading" ? this.levelOf(json) : undefined;
    if (type.name === "heading" && !levels("").includes(String(level))) return undefined;
    const inside = Fragment.from(this.#children(type, list, json));
    return type.validContent(inside) ? type.create({ of: json, level }, inside) : undefined;
  }

  #children(type: NodeType, list: readonly JsonValue[], json: JsonObject): readonly Node[] {
    if (!type.inlineContent) return list.map((one) => this.block(one));
    const inlines = this.inlines(list, json);
    // Code has lines, and neither marks nor nodes that must be kept.
    const isCode =
      type.spec.code && list.every((one) => isJsonObject(one) && this.isPlainText(one));
    if (!isCode) return inlines;
    const text = inlines.map((one) => this.textIn(one) ?? "").join("");
    return text === "" ? [] : [this.schema.text(text)];
  }

  protected build(node: Node): JsonValue {
    if (node.type.name === "doc") {
      const list = node.children.map((one) => this.write(one));
      const { of } = node.attrs;
      return Array.isArray(of) ? list : { ...(of ?? this.freshDocument), content: list };
    }
    const was = isJsonObject(node.attrs.of) ? node.attrs.of : undefined;
    const content = node.inlineContent
      ? this.padded(this.texts(this.runs(node), was ?? {}), node.attrs.of)
      : node.children.map((one) => this.write(one));
    const made: Record<string, JsonValue> = {
      ...(was ?? this.freshNode),
      [this.nameMember]: this.named(node, was),
      content,
    };
    const isKept = was !== undefined ? "content" in was : "content" in this.freshNode;
    if (content.length === 0 && !isKept) delete made.content;
    return this.leveled(made, node);
  }

  protected abstract readonly freshDocument: JsonObject;

  protected readMark(json: JsonValue): Mark {
    const kind = isJsonObject(json) ? this.kindOf(json.type, "marks") : undefined;
    return kind === undefined ? this.opaqueMark(json) : this.schema.mark(kind, { of: json });
  }

  /** The name that it had, if that still says what it is. */
  protected named({ type }: Node, was: JsonObject | undefined): string {
    const had = was?.[this.nameMember];
    const isSame = this.kindOf(had, "nodes") === type.name;
    return isSame ? String(had) : (this.nameOf(type.name) ?? type.name);
  }

  protected leveled(made: JsonObject, { type, attrs: { level } }: Node): JsonObject {
    const { attrs, ...others } = made;
    const { level: _, ...rest } = isJsonObject(attrs) ? attrs : {};
    if (type.name === "heading") return { ...made, attrs: { ...(attrs as JsonObject), level } };
    const isTextblock = type.inlineContent && isJsonObject(attrs) && "level" in attrs;
    if (!isTextblock) return made;
    return Object.keys(rest).length > 0 ? { ...made, attrs: rest } : others;
  }

  protected texts(runs: readonly Run[], block: JsonObject): JsonValue[] {
    return runs.map((run) => this.leaf(run, block));
  }
}

/** ProseMirror, as Tiptap and Storyblok have it. */
export class ProseMirrorMapping extends TreeMapping {
  protected readonly nameMember = "type";
  protected readonly textMember = "text";
  protected readonly isPadded = false;
  protected readonly freshText = { type: "text" };
  protected readonly freshNode = {};
  protected readonly freshDocument = { type: "doc" };

  constructor(use: RichUse) {
    super(PROSEMIRROR, use, {});
  }

  protected override readMark(json: JsonValue): Mark {
    const mark = super.readMark(json);
    if (mark.type.name !== "link" || !isJsonObject(json)) return mark;
    return this.link(json, json.attrs, "href") ?? this.opaqueMark(json);
  }

  protected writeMark({ type, attrs }: Mark): JsonValue | undefined {
    const { of, href, pointer } = attrs;
    if (type.name === "leaf") return undefined;
    if (type.name !== "link") return of ?? { type: this.nameOf(type.name) ?? type.name };
    const before = of && this.link(of, of.attrs, "href");
    if (before?.eq(type.create(attrs))) return of;
    const { href: _, ...members } = isJsonObject(of?.attrs) ? of.attrs : {};
    const others = Object.entries(members).filter(([, one]) => !pointerKind(one as JsonValue));
    const to = pointer ? { [memberOf(pointer)]: pointer } : { href };
    return { ...(of ?? { type: "link" }), attrs: { ...Object.fromEntries(others), ...to } };
  }

  embed(pointer: JsonObject): JsonValue {
    const member = memberOf(pointer);
    const type = member === "asset" ? "image" : "entry";
    return { type, attrs: { [member]: pointer } };
  }
}

const memberOf = (pointer: JsonObject) => ("assetId" in pointer ? "asset" : "entry");

/** Contentful's rich text, in which a link is a node around its text. */
export class ContentfulMapping extends TreeMapping {
  protected readonly nameMember = "nodeType";
  protected readonly textMember = "value";
  protected readonly isPadded = true;
  protected readonly freshText = { nodeType: "text", marks: [], data: {} };
  protected readonly freshNode = { data: {}, content: [] };
  protected readonly freshDocument = { nodeType: "document", data: {} };

  constructor(use: RichUse) {
    super(CONTENTFUL, use, { code_block: null, blockquote: { content: "paragraph+" } });
  }

  /** A link is a node there. */
  protected override isMark(kind: string): boolean {
    return kind !== "link" && super.isMark(kind);
  }

  protected override namesOf(kind: string, level?: number): readonly string[] {
    const names = super.namesOf(kind);
    return level === undefined ? names : names.slice(level - 1, level);
  }

  protected override levelOf({ nodeType }: JsonObject): unknown {
    return Number(String(nodeType).at(-1));
  }

  protected override named(node: Node, was: JsonObject | undefined): string {
    return node.type.name === "heading" ? `heading-${node.attrs.level}` : super.named(node, was);
  }

  protected override leveled(made: JsonObject): JsonObject {
    return made;
  }

  protected override textIn(node: Node): string | undefined {
    return node.type.name === "hard_break" ? (node.attrs.of ?? "\n") : node.text;
  }

  protected override inline(json: JsonValue, block: JsonObject): readonly Node[] {
    if (!isJsonObject(json) || !LINK.test(String(json.nodeType))) return super.inline(json, block);
    const link = this.link(json, json.data, "uri");
    const list = json.content;
    if (link && Array.isArray(list)) {
      const inside = this.inlines(list, block);
      const isText = inside.every((one) => this.textIn(one) !== undefined);
      if (isText && inside.length > 0)
        return inside.map((one) => one.mark(link.addToSet(one.marks)));
    }
    return [this.schema.node("opaque_inline", { of: json })];
  }

  protected writeMark({ type, attrs: { of } }: Mark): JsonValue | undefined {
    if (type.name === "leaf" || type.name === "link") return undefined;
    return of ?? { type: this.nameOf(type.name) ?? type.name };
  }

  protected override texts(runs: readonly Run[], block: JsonObject): JsonValue[] {
    const made: JsonValue[] = [];
    const open: { link: Mark | undefined; inside: JsonValue[] } = { link: undefined, inside: [] };
    const close = () => {
      if (open.link) made.push(this.#linkNode(open.link, open.inside));
      open.link = undefined;
    };
    for (const run of runs) {
      const link = run.marks.find(({ type }) => type.name === "link");
      if (!link || !open.link?.eq(link)) {
        close();
        open.inside = [];
      }
      open.link = link;
      (link ? open.inside : made).push(this.leaf(run, block));
    }
    close();
    return made;
  }

  #linkNode({ type, attrs }: Mark, content: readonly JsonValue[]): JsonValue {
    const { of, href, pointer } = attrs;
    const isSame = of && this.link(of, of.data, "uri")?.eq(type.create(attrs));
    if (isSame)
      return JSON.stringify(of.content) === JSON.stringify(content) ? of : { ...of, content };
    const { uri: _, target: __, ...others } = isJsonObject(of?.data) ? of.data : {};
    const nodeType = pointer ? `${memberOf(pointer)}-hyperlink` : "hyperlink";
    const data = { ...others, ...(pointer ? { target: pointer } : { uri: href }) };
    return { ...of, nodeType, data, content };
  }

  embed(pointer: JsonObject): JsonValue {
    const nodeType = `embedded-${memberOf(pointer)}-block`;
    return { nodeType, data: { target: pointer }, content: [] };
  }
}

const LINK = /^(?:hyperlink|(?:entry|asset)-hyperlink)$/;
