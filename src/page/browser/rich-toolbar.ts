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

/** The buttons above a text; arrow keys go from one to the next, Ctrl+. leads to them. */
export class Toolbar {
  readonly dom = document.createElement("div");
  readonly keys: Record<string, Command> = { "Mod-.": () => this.#focusFirst() };
  readonly #tools: readonly Tool[];
  readonly #styles = made("select", { ariaLabel: "Style" });
  readonly #buttons: (readonly [HTMLButtonElement, Tool])[];
  readonly #link: HTMLElement;
  readonly #address = made("input", {
    ...{ type: "text", inputMode: "url", placeholder: "https://…" },
    ariaLabel: "Address of the link",
  });
  readonly #fault = made("span", { role: "alert" });
  #view: EditorView | undefined;

  constructor(
    tools: readonly Tool[],
    label: string,
    options: RichOptions & { readonly hasEntries: boolean },
  ) {
    this.#tools = tools;
    for (const tool of tools) if (tool.key) this.keys[tool.key] = this.#commandOf(tool);
    const named = { className: "rich-toolbar", role: "toolbar", ariaLabel: `Format ${label}` };
    const bar = this.dom.appendChild(made("div", named));
    bar.onkeydown = (event) => this.#walk(event);
    this.#styles.onchange = () => this.#run(this.#stylesOf()[this.#styles.selectedIndex]);
    for (const { label: name } of this.#stylesOf()) this.#styles.add(new Option(name));
    bar.append(this.#styles);
    this.#buttons = tools.flatMap((tool) => {
      if (tool.isStyle) return [];
      const button = bar.appendChild(
        this.#button(tool.sign ?? "", tool.label, () => this.#run(tool)),
      );
      button.tabIndex = -1;
      if (tool.key) button.title = `${tool.label} (${spokenKey(tool.key)})`;
      return [[button, tool] as const];
    });
    this.#link = this.dom.appendChild(this.#linkBar(options));
  }

  attach(view: EditorView): HTMLElement {
    this.#view = view;
    this.update();
    return this.dom;
  }

  update() {
    const { state } = this.#view ?? {};
    if (state === undefined) return;
    const styles = this.#stylesOf();
    this.#styles.selectedIndex = styles.findIndex((tool) => isOn(tool, state));
    this.#styles.disabled = !styles.some(({ run }) => run?.(state));
    for (const [button, tool] of this.#buttons) {
      const is = isOn(tool, state);
      if (is !== undefined) button.ariaPressed = String(is);
      button.disabled = tool.run !== undefined && !tool.run(state);
    }
  }

  #stylesOf() {
    return this.#tools.filter(({ isStyle }) => isStyle);
  }

  #commandOf({ run }: Tool): Command {
    if (run) return run;
    return (_state, dispatch) => {
      if (dispatch) this.#openLink();
      return true;
    };
  }

  #run(tool: Tool | undefined) {
    const view = this.#view;
    if (tool === undefined || view === undefined) return;
    this.#commandOf(tool)(view.state, view.dispatch, view);
    if (tool.run) view.focus();
  }

  #button(sign: string, label: string, act: () => void): HTMLButtonElement {
    const button = made("button", { type: "button", className: "quiet", onclick: act });
    if (sign === "") button.textContent = label;
    else {
      button.dataset.sign = sign;
      button.ariaLabel = label;
    }
    // The selection stays in the text.
    button.onmousedown = (event) => event.preventDefault();
    return button;
  }

  #focusFirst(): boolean {
    this.#styles.focus();
    if (document.activeElement !== this.#styles) this.#controls()[0]?.focus();
    return true;
  }

  #controls() {
    const all = [this.#styles, ...this.#buttons.map(([button]) => button)];
    return all.filter(({ disabled }) => !disabled);
  }

  #walk(event: KeyboardEvent) {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (event.key === "Escape") this.#view?.focus();
    else if (by !== undefined) {
      const all = this.#controls();
      all.at((all.indexOf(event.target as HTMLButtonElement) + by) % all.length)?.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #linkBar({
    pick,
    hasEntries,
  }: Pick<RichOptions, "pick"> & { readonly hasEntries: boolean }): HTMLElement {
    const bar = made("div", { className: "rich-link", hidden: true });
    const set = () => {
      const href = this.#address.value.trim();
      if (href !== "" && isSafeAddress(href)) this.#closeLink({ href }, href);
      else this.#fault.textContent = "An address begins with https:, http:, mailto:, tel:, / or #.";
    };
    const toEntry = async () => {
      const pointer = await pick("reference");
      if (pointer) this.#closeLink({ pointer }, String(pointer.contentEntryId));
    };
    bar.onkeydown = (event) => {
      if (event.key === "Escape") this.#hideLink();
      else if (event.key === "Enter" && event.target === this.#address) set();
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    bar.append(
      this.#address,
      this.#button("", "Set", set),
      ...(hasEntries ? [this.#button("", "To an entry…", () => void toEntry())] : []),
      this.#button("", "Remove the link", () => this.#closeLink(undefined, "")),
      this.#fault,
    );
    return bar;
  }

  #openLink() {
    if (this.#view === undefined) return;
    this.#address.value = linkAt(this.#view.state).mark?.attrs.href ?? "";
    this.#fault.textContent = "";
    this.#link.hidden = false;
    this.#address.focus();
  }

  #hideLink() {
    this.#link.hidden = true;
    this.#view?.focus();
  }

  #closeLink(to: Parameters<typeof setLink>[0], text: string) {
    const view = this.#view;
    if (view) setLink(to, text)(view.state, view.dispatch, view);
    this.#hideLink();
  }
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
