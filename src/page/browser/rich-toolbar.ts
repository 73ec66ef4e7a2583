import type { MarkdownIt } from "markdown-it";
import type { Command, EditorState } from "prosemirror-state";
import type { EditorView } from "prosemirror-view";
import type { JsonObject, JsonValue } from "../../workspace/json.ts";
import { linkAt, listAround, setLink } from "./rich-commands.ts";
import type { RichUse } from "./rich-mapping.ts";
import { isSafeAddress } from "./rich-schema.ts";

export interface RichOptions extends RichUse {
  /** H57b: what reads the text, where that is Markdown. */
  readonly markdown?: MarkdownIt | undefined;
  readonly value: JsonValue;
  readonly label: string;
  readonly lang: string | undefined;
  readonly changed: (value: JsonValue) => void;
  /** Lets one choose an entry or an asset; undefined: none was chosen. */
  readonly pick: (kind: "reference" | "asset") => Promise<JsonObject | undefined>;
  /** What is shown of a pointer. */
  readonly shown: (pointer: JsonObject) => { readonly title: string; readonly src?: string };
}

/** What the toolbar does, by a button or a choice of its list of styles. */
export interface Tool {
  /** The node or mark that it makes, by its name in the schema. */
  readonly kind?: string;
  readonly label: string;
  readonly sign?: string;
  readonly key?: string;
  /** Absent: it opens the form of a link. */
  readonly run?: Command;
  readonly level?: number | undefined;
  readonly isStyle?: boolean;
}

type Members = Partial<HTMLElement> &
  Partial<Pick<HTMLInputElement, "type" | "placeholder" | "src" | "alt">>;

/** An element with these members. */
export const made = <Tag extends keyof HTMLElementTagNameMap>(tag: Tag, members: Members) =>
  Object.assign<HTMLElementTagNameMap[Tag], object>(document.createElement(tag), members);

/** A button that leaves the selection in the text. */
function button(label: string, onclick: () => void) {
  const one = made("button", { type: "button", className: "quiet", textContent: label, onclick });
  one.onmousedown = (event) => event.preventDefault();
  return one;
}

/** The buttons above a text; arrow keys go from one to the next, Ctrl+. leads to them. */
export function richToolbar(
  tools: readonly Tool[],
  options: RichOptions & { readonly hasEntries: boolean },
  view: () => EditorView,
) {
  const dom = document.createElement("div");
  const link = linkBar(options, view);
  const commandOf = (tool: Tool) => tool.run ?? link.open;
  const run = (tool: Tool) => {
    commandOf(tool)(view().state, view().dispatch, view());
    if (tool.run) view().focus();
  };
  const styles = tools.filter(({ isStyle }) => isStyle);
  const select = made("select", { ariaLabel: "Style" });
  select.onchange = () => run(styles[select.selectedIndex] as Tool);
  for (const one of styles) select.add(new Option(one.label));
  const buttons = tools.flatMap((tool) => {
    if (tool.isStyle) return [];
    const one = button(tool.sign ? "" : tool.label, () => run(tool));
    if (tool.sign) one.dataset.sign = tool.sign;
    const title = tool.key ? `${tool.label} (${spokenKey(tool.key)})` : "";
    return [[Object.assign(one, { ariaLabel: tool.label, tabIndex: -1, title }), tool] as const];
  });
  const controls = [select, ...buttons.map(([one]) => one)];
  const bar = made("div", { className: "rich-toolbar", role: "toolbar" });
  bar.ariaLabel = `Format ${options.label}`;
  bar.onkeydown = (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const all = controls.filter(({ disabled }) => !disabled);
    if (event.key === "Escape") view().focus();
    else if (by === undefined) return;
    else all.at((all.indexOf(event.target as (typeof all)[number]) + by) % all.length)?.focus();
    event.preventDefault();
    event.stopPropagation();
  };
  bar.append(...controls);
  dom.append(bar, link.dom);
  const focusFirst: Command = () => {
    controls.find(({ disabled }) => !disabled)?.focus();
    return true;
  };
  const keyed = tools.flatMap((tool) => (tool.key ? [[tool.key, commandOf(tool)] as const] : []));
  const update = () => {
    const { state } = view();
    select.selectedIndex = styles.findIndex((tool) => isOn(tool, state));
    select.disabled = !styles.some(({ run }) => run?.(state));
    for (const [one, tool] of buttons) {
      const is = isOn(tool, state);
      if (is !== undefined) one.ariaPressed = String(is);
      one.disabled = !commandOf(tool)(state);
    }
  };
  return { dom, keys: { "Mod-.": focusFirst, ...Object.fromEntries(keyed) }, update };
}

/** The form of the link at the selection, which `open` shows. */
function linkBar(
  { pick, hasEntries }: Parameters<typeof richToolbar>[1],
  view: () => EditorView,
): { dom: HTMLElement; open: Command } {
  const dom = made("div", { className: "rich-link", hidden: true });
  const address = made("input", {
    ...{ type: "text", inputMode: "url", placeholder: "https://…" },
    ariaLabel: "Address of the link",
  });
  const fault = made("span", { role: "alert" });
  const hide = () => {
    dom.hidden = true;
    view().focus();
  };
  const close = (to: Parameters<typeof setLink>[0], text: string) => {
    setLink(to, text)(view().state, view().dispatch);
    hide();
  };
  const set = () => {
    const href = address.value.trim();
    if (href !== "" && isSafeAddress(href)) close({ href }, href);
    else fault.textContent = "An address begins with https:, http:, mailto:, tel:, / or #.";
  };
  const toEntry = async () => {
    const pointer = await pick("reference");
    if (pointer) close({ pointer }, String(pointer.contentEntryId));
  };
  dom.onkeydown = (event) => {
    if (event.key === "Escape") hide();
    else if (event.key === "Enter" && event.target === address) set();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  dom.append(
    address,
    button("Set", set),
    ...(hasEntries ? [button("To an entry…", () => void toEntry())] : []),
    button("Remove the link", () => close(undefined, "")),
    fault,
  );
  const open: Command = (state, dispatch) => {
    if (!dispatch) return true;
    address.value = linkAt(state).mark?.attrs.href ?? "";
    fault.textContent = "";
    dom.hidden = false;
    address.focus();
    return true;
  };
  return { dom, open };
}

/** Whether the selection is what a tool makes; undefined: it makes nothing that stays. */
function isOn({ kind = "", level, isStyle }: Tool, state: EditorState): boolean | undefined {
  const { schema, selection, storedMarks, doc } = state;
  const { $from, from, to, empty } = selection;
  const [mark, node] = [schema.marks[kind], schema.nodes[kind]];
  if (kind === "link") return linkAt(state).mark !== undefined;
  if (mark && empty) return mark.isInSet(storedMarks ?? $from.marks()) !== undefined;
  if (mark) return doc.rangeHasMark(from, to, mark);
  if (!node || node.isLeaf) return undefined;
  const { type, attrs } = $from.parent;
  if (isStyle) return type === node && (level === undefined || level === attrs.level);
  if (/_list$/.test(kind)) return listAround(state)?.node.type === node;
  return Array.from({ length: $from.depth }, (_, at) => $from.node(at + 1).type).includes(node);
}

const spokenKey = (key: string) => key.replace("Mod", "Ctrl").replaceAll("-", "+");
