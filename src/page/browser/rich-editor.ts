import { baseKeymap, chainCommands, exitCode, toggleMark, wrapIn } from "prosemirror-commands";
import { history, redo, undo } from "prosemirror-history";
import { InputRule, inputRules } from "prosemirror-inputrules";
import { keymap } from "prosemirror-keymap";
import type { MarkType, Node, NodeType } from "prosemirror-model";
import { liftListItem, sinkListItem, splitListItem } from "prosemirror-schema-list";
import { type Command, EditorState, NodeSelection } from "prosemirror-state";
import { EditorView, type NodeView } from "prosemirror-view";
import type { JsonObject, JsonValue } from "../../workspace/json.ts";
import { move, setBlock, setList } from "./rich-commands.ts";
import { mappingOf } from "./rich-dialects.ts";
import { type Mapping, pointerIn } from "./rich-mapping.ts";
import { MarkdownMapping } from "./rich-markdown.ts";
import { clipboard } from "./rich-paste.ts";
import { nameIn } from "./rich-schema.ts";
import { made, type RichOptions, richToolbar, type Tool } from "./rich-toolbar.ts";

export interface RichEditor {
  destroy(): void;
  focus(): void;
  /** Puts an entry or an asset at the cursor; undefined: the text takes no asset. */
  readonly insert?: (pointer: JsonObject) => void;
}

/** H57: an editor of rich text in this place; undefined: its dialect is not known. */
export function richEditor(place: HTMLElement, options: RichOptions): RichEditor | undefined {
  const { markdown, value } = options;
  const mapping: Mapping | undefined = markdown
    ? new MarkdownMapping(markdown)
    : mappingOf(value, options);
  if (mapping === undefined) return undefined;
  const { schema } = mapping;
  const { label, lang, changed } = options;
  const hasEntries = mapping.embed !== undefined;
  const toolbar = richToolbar(tools(mapping, options), { ...options, hasEntries }, () => view);
  const view: EditorView = new EditorView(
    { mount: place.appendChild(document.createElement("div")) },
    {
      ...clipboard(schema),
      state: EditorState.create({
        doc: mapping.read(value),
        plugins: [
          rules(mapping),
          keymap(toolbar.keys),
          keymap(keys(mapping)),
          keymap(baseKeymap),
          history(),
        ],
      }),
      attributes: {
        class: "prose",
        role: "textbox",
        "aria-multiline": "true",
        "aria-label": label,
        dir: "auto",
        ...(lang !== undefined && { lang }),
      },
      nodeViews: {
        opaque: (node) => opaqueView(node, "div", options),
        opaque_inline: (node) => opaqueView(node, "span", options),
      },
      dispatchTransaction(transaction) {
        view.updateState(view.state.apply(transaction));
        toolbar.update();
        if (transaction.docChanged) changed(mapping.write(view.state.doc));
      },
    },
  );
  place.prepend(toolbar.dom);
  toolbar.update();
  // Of the page, Ctrl+Z undoes what was saved, and Ctrl+K searches.
  place.onkeydown = (event) => {
    const isOwn = (event.ctrlKey || event.metaKey) && /^[zyk]$/i.test(event.key);
    if (!isOwn || event.target instanceof HTMLInputElement) return;
    if (!event.defaultPrevented && /^[zy]$/i.test(event.key)) {
      const isUndo = event.key === "z" && !event.shiftKey;
      (isUndo ? undo : redo)(view.state, view.dispatch);
      event.preventDefault();
    }
    event.stopPropagation();
  };
  const insert = (pointer: JsonObject) => embed(view, mapping, pointer);
  return {
    destroy: () => view.destroy(),
    focus: () => view.focus(),
    ...(mapping.canEmbed("asset") && { insert }),
  };
}

function embed(view: EditorView, mapping: Mapping, pointer: JsonObject): void {
  const of = mapping.embed?.(pointer);
  view.focus();
  if (of === undefined) return;
  const node = (mapping.schema.nodes.opaque as NodeType).create({ of });
  const { tr, selection } = view.state;
  // What is selected as a whole, as the picture before, stays.
  const isNode = selection instanceof NodeSelection;
  const added = isNode ? tr.insert(selection.to, node) : tr.replaceSelectionWith(node);
  view.dispatch(added.scrollIntoView());
}

/** Those that its dialect and its field have. */
function tools(mapping: Mapping, { pick }: RichOptions): Tool[] {
  const { nodes, marks } = mapping.schema;
  const node = (kind: string) => nodes[kind] as NodeType;
  const style = (kind: string, label: string, key: string, level?: number): Tool => ({
    ...{ kind, label, key, level, isStyle: true },
    run: setBlock(node(kind), level ? { level } : {}),
  });
  const mark = (kind: string, label: string, sign: string, key: string): Tool => ({
    ...{ kind, label, sign, key },
    run: toggleMark(marks[kind] as MarkType),
  });
  const block = (kind: string, label: string, sign: string, key: string, how: typeof wrapIn) => ({
    ...{ kind, label, sign, key },
    run: how(node(kind)),
  });
  const embedded = (kind: "reference" | "asset", label: string, sign: string): Tool[] => {
    if (!mapping.canEmbed(kind)) return [];
    const choose: Command = (_state, _dispatch, view) => {
      if (view === undefined) return true;
      void pick(kind).then((pointer) => {
        if (pointer === undefined) view.focus();
        else embed(view, mapping, pointer);
      });
      return true;
    };
    return [{ label, sign, run: choose }];
  };
  const quote = nodes.blockquote?.isTextblock ? setBlock : wrapIn;
  const item = node("list_item");
  const all: Tool[] = [
    style("paragraph", "Paragraph", "Mod-Alt-0"),
    ...[1, 2, 3, 4, 5, 6].map((level) =>
      style("heading", `Heading ${level}`, `Mod-Alt-${level}`, level),
    ),
    style("code_block", "Code", "Mod-Alt-c"),
    mark("strong", "Bold", "B", "Mod-b"),
    mark("em", "Italic", "I", "Mod-i"),
    mark("code", "Code in a line", "<>", "Mod-e"),
    { kind: "link", label: "Link", key: "Mod-k" },
    block("bullet_list", "List", "•", "Mod-Shift-8", setList),
    block("ordered_list", "Numbered list", "1.", "Mod-Shift-7", setList),
    { label: "Deeper in the list", sign: "⇥", key: "Mod-]", run: sinkListItem(item) },
    { label: "Less deep in the list", sign: "⇤", key: "Mod-[", run: liftListItem(item) },
    block("blockquote", "Quote", "❝", "Mod-Shift-9", quote),
    { kind: "horizontal_rule", label: "Line", sign: "―", run: added(node("horizontal_rule")) },
    ...embedded("reference", "Add an entry", "▤"),
    ...embedded("asset", "Add a picture or file", "▣"),
    { label: "Move up", sign: "↑", key: "Alt-ArrowUp", run: move(-1) },
    { label: "Move down", sign: "↓", key: "Alt-ArrowDown", run: move(1) },
    { label: "Undo", sign: "↶", key: "Mod-z", run: undo },
    { label: "Redo", sign: "↷", key: "Mod-y", run: redo },
  ];
  return all.filter(({ kind, level }) => {
    if (kind === undefined) return true;
    return (kind in nodes || kind in marks) && mapping.nameOf(kind, level) !== undefined;
  });
}

/** Puts a node without content at the cursor. */
const added =
  (type: NodeType): Command =>
  ({ tr }, dispatch) => {
    dispatch?.(tr.replaceSelectionWith(type.create()).scrollIntoView());
    return true;
  };

function keys({ schema: { nodes } }: Mapping): Record<string, Command> {
  return {
    Enter: splitListItem(nodes.list_item as NodeType),
    "Shift-Enter": chainCommands(exitCode, added(nodes.hard_break as NodeType)),
    "Mod-Shift-z": redo,
    // Ctrl+Enter saves the form.
    "Mod-Enter": () => true,
  };
}

/** What is typed at the beginning of a line, as in Markdown. */
function rules({ schema: { nodes } }: Mapping) {
  const rule = (pattern: RegExp, run: (match: RegExpMatchArray) => Command) =>
    new InputRule(pattern, (state, match, start, end) => {
      const deleted = state.apply(state.tr.delete(start, end));
      let done = state.tr.delete(start, end);
      const isDone = run(match)(deleted, ({ steps }) => {
        for (const step of steps) done = done.step(step);
      });
      return isDone ? done : null;
    });
  const list = (kind: string) => () => setList(nodes[kind] as NodeType);
  return inputRules({
    rules: [
      rule(/^(#{1,6})\s$/, ([, signs]) =>
        setBlock(nodes.heading as NodeType, { level: signs?.length }),
      ),
      rule(/^[-*]\s$/, list("bullet_list")),
      rule(/^1[.)]\s$/, list("ordered_list")),
    ],
  });
}

/** What the editor does not know, or an entry or a file: it is moved, deleted, and not changed. */
function opaqueView(node: Node, tag: "div" | "span", { shown }: RichOptions): NodeView {
  const dom = made(tag, { className: "opaque" });
  const { of } = node.attrs;
  const pointer = pointerIn(of);
  const { title, src } = pointer ? shown(pointer) : { title: excerpt(of), src: undefined };
  if (src !== undefined && tag === "div") dom.append(made("img", { src, alt: "" }));
  dom.append(made("strong", { textContent: nameIn(of) }), title === "" ? "" : ` ${title}`);
  return { dom };
}

/** The first words in a value. */
function excerpt(of: JsonValue): string {
  const texts: string[] = [];
  const walk = (value: JsonValue, name = "") => {
    if (typeof value === "string") {
      if (/^(?:text|value|title|code|alt|src|name|)$/.test(name)) texts.push(value);
    } else if (typeof value === "object" && value !== null) {
      for (const [key, one] of Object.entries(value)) walk(one, Array.isArray(value) ? name : key);
    }
  };
  if (typeof of === "object") walk(of, "-");
  const text = texts.join(" ");
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
