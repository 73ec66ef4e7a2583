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
import { type RichOptions, type Tool, Toolbar } from "./rich-toolbar.ts";

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
  const toolbar = new Toolbar(tools(mapping, options), label, {
    ...options,
    hasEntries: mapping.embed !== undefined,
  });
  const view = new EditorView(
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
  place.prepend(toolbar.attach(view));
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
  const mark = (name: string, label: string, sign: string, key?: string): Tool[] =>
    mapping.nameOf(name) === undefined
      ? []
      : [{ label, sign, key, run: toggleMark(marks[name] as MarkType), mark: marks[name] }];
  const block = (name: string, label: string, sign: string, key: string, how: typeof wrapIn) =>
    nodes[name] === undefined || mapping.nameOf(name) === undefined
      ? []
      : [{ label, sign, key, run: how(nodes[name]), node: nodes[name] } as Tool];
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
  const { horizontal_rule: rule } = nodes;
  const addRule: Command = ({ tr }, dispatch) => {
    if (rule) dispatch?.(tr.replaceSelectionWith(rule.create()).scrollIntoView());
    return rule !== undefined;
  };
  const line =
    rule && mapping.nameOf(rule.name) !== undefined
      ? [{ label: "Line", sign: "―", run: addRule }]
      : [];
  const quote = nodes.blockquote?.isTextblock ? setBlock : wrapIn;
  const item = nodes.list_item as NodeType;
  return [
    ...styles(mapping),
    ...mark("strong", "Bold", "B", "Mod-b"),
    ...mark("em", "Italic", "I", "Mod-i"),
    ...mark("code", "Code in a line", "<>", "Mod-e"),
    ...(mapping.nameOf("link") === undefined
      ? []
      : [{ label: "Link", key: "Mod-k", mark: marks.link, isLink: true as const }]),
    ...block("bullet_list", "List", "•", "Mod-Shift-8", setList),
    ...block("ordered_list", "Numbered list", "1.", "Mod-Shift-7", setList),
    { label: "Deeper in the list", sign: "⇥", key: "Mod-]", run: sinkListItem(item) },
    { label: "Less deep in the list", sign: "⇤", key: "Mod-[", run: liftListItem(item) },
    ...block("blockquote", "Quote", "❝", "Mod-Shift-9", quote),
    ...line,
    ...embedded("reference", "Add an entry", "▤"),
    ...embedded("asset", "Add a picture or file", "▣"),
    { label: "Move up", sign: "↑", key: "Alt-ArrowUp", run: move(-1) },
    { label: "Move down", sign: "↓", key: "Alt-ArrowDown", run: move(1) },
    { label: "Undo", sign: "↶", key: "Mod-z", run: undo },
    { label: "Redo", sign: "↷", key: "Mod-y", run: redo },
  ];
}

function styles(mapping: Mapping): Tool[] {
  const { paragraph, heading, code_block: code } = mapping.schema.nodes;
  const style = (label: string, type: NodeType | undefined, key: string, level?: number): Tool[] =>
    type === undefined || mapping.nameOf(type.name, level) === undefined
      ? []
      : [
          {
            label,
            key,
            run: setBlock(type, level ? { level } : {}),
            node: type,
            level,
            isStyle: true,
          },
        ];
  return [
    ...style("Paragraph", paragraph, "Mod-Alt-0"),
    ...[1, 2, 3, 4, 5, 6].flatMap((level) =>
      style(`Heading ${level}`, heading, `Mod-Alt-${level}`, level),
    ),
    ...style("Code", code, "Mod-Alt-c"),
  ];
}

function keys({ schema }: Mapping): Record<string, Command> {
  const { hard_break: br, list_item: item } = schema.nodes;
  const line: Command = (state, dispatch) => {
    dispatch?.(state.tr.replaceSelectionWith((br as NodeType).create()).scrollIntoView());
    return true;
  };
  return {
    Enter: splitListItem(item as NodeType),
    "Shift-Enter": chainCommands(exitCode, line),
    "Mod-Shift-z": redo,
    // Ctrl+Enter saves the form.
    "Mod-Enter": () => true,
  };
}

/** What is typed at the beginning of a line, as in Markdown. */
function rules({ schema }: Mapping) {
  const rule = (pattern: RegExp, run: (match: RegExpMatchArray) => Command) =>
    new InputRule(pattern, (state, match, start, end) => {
      const deleted = state.apply(state.tr.delete(start, end));
      let done = state.tr.delete(start, end);
      const isDone = run(match)(deleted, ({ steps }) => {
        for (const step of steps) done = done.step(step);
      });
      return isDone ? done : null;
    });
  const { heading, bullet_list: bullets, ordered_list: numbers } = schema.nodes;
  return inputRules({
    rules: [
      ...(heading
        ? [rule(/^(#{1,6})\s$/, (match) => setBlock(heading, { level: match[1]?.length }))]
        : []),
      ...(bullets ? [rule(/^[-*]\s$/, () => setList(bullets))] : []),
      ...(numbers ? [rule(/^1[.)]\s$/, () => setList(numbers))] : []),
    ],
  });
}

/** What the editor does not know, or an entry or a file: it is moved, deleted, and not changed. */
function opaqueView(node: Node, tag: string, { shown }: RichOptions): NodeView {
  const dom = document.createElement(tag);
  dom.className = "opaque";
  const { of } = node.attrs;
  const pointer = pointerIn(of);
  const { title, src } = pointer ? shown(pointer) : { title: excerpt(of), src: undefined };
  if (src !== undefined && tag === "div") {
    const picture = dom.appendChild(document.createElement("img"));
    picture.src = src;
    picture.alt = "";
  }
  const name = dom.appendChild(document.createElement("strong"));
  name.textContent = nameIn(of);
  dom.append(title === "" ? "" : ` ${title}`);
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
