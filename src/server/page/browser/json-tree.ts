import type { JsonValue } from "../../../workspace/json.ts";
import { el } from "./element.ts";
import { counted } from "./words.ts";

type IsOpen = (path: readonly string[]) => boolean;

const SHOWN = 100;

/**
 * A JSON value as nested folds, whose contents are created when opened. Open folds stay open when
 * the value changes.
 *
 * @param isOpen which paths are open initially
 */
export function jsonTree(value: JsonValue, name: string, isOpen: IsOpen = () => false) {
  const root = el("div.json", node(value, name, [], isOpen));
  let current = value;
  let shown = JSON.stringify(value);
  const opened = () =>
    new Set([...root.querySelectorAll("details[open]")].map((one) => placeOf(one)));
  const redraw = (open: ReadonlySet<string | null>) =>
    root.replaceChildren(node(current, name, [], (path) => open.has(path.join("\n"))));
  return Object.assign(root, {
    value,
    /** Opens the folds around a value and moves the focus to it. */
    reveal(path: readonly string[]) {
      const inner = path.map((_, length) => path.slice(0, length).join("\n"));
      redraw(new Set([...opened(), ...inner, path.join("\n")]));
      const lines = root.querySelectorAll("[data-json]") as NodeListOf<HTMLElement>;
      const target = [...lines].find((one) => placeOf(one) === path.join("\n"));
      target?.setAttribute("tabindex", "-1");
      target?.focus({ preventScroll: true });
      target?.scrollIntoView({ block: "center", behavior: "instant" });
    },
    adopt(fresh: Element) {
      const next = (fresh as Element & { value: JsonValue }).value;
      const text = JSON.stringify(next);
      if (text === shown) return;
      shown = text;
      current = next;
      redraw(opened());
    },
  });
}

function placeOf(line: Element) {
  return line.getAttribute("data-json");
}

function node(value: JsonValue, name: string, path: readonly string[], isOpen: IsOpen): Element {
  const place = { "data-json": path.join("\n") };
  if (typeof value !== "object" || value === null) {
    return el("div.json-line", { ...place }, key(name), scalar(value));
  }
  const members = Object.entries(value);
  const inside = el("div.json-inside");
  let made = 0;
  const more = () => {
    const until = Math.min(members.length, made + SHOWN);
    inside.querySelector(":scope > button")?.remove();
    for (const [member, child] of members.slice(made, until)) {
      inside.append(node(child, member, [...path, member], isOpen));
    }
    made = until;
    if (made === members.length) return;
    const text = `${members.length - made} more`;
    inside.append(el("button.quiet", { type: "button", onclick: more }, text));
  };
  const open = isOpen(path);
  // Add members up to the last open one.
  if (open) {
    const last = members.findLastIndex(([member]) => isOpen([...path, member]));
    do more();
    while (made <= last);
  }
  const ontoggle = () => {
    if (details.open && made === 0) more();
  };
  const count = Array.isArray(value) ? `[${members.length}]` : `{${members.length}}`;
  const summary = el("summary", key(name), el("span.json-count", count), hint(value));
  const details = el("details", { ...place, open, ontoggle }, summary, inside);
  return details;
}

function key(name: string) {
  return el("span.json-key", name);
}

function scalar(value: null | boolean | number | string) {
  const kind = value === null ? "null" : typeof value;
  return el(`span.json-${kind}`, JSON.stringify(value));
}

function hint(value: object) {
  const { id, contentEntryId, contentBlockKey, key: named } = value as Record<string, unknown>;
  const text = [id, contentEntryId, contentBlockKey, named].find((one) => typeof one === "string");
  return typeof text === "string" && el("span.json-hint", text);
}

type Tree = Element & { reveal(path: readonly string[]): void };

const MOST = 100;

/**
 * An input that searches the values of a JSON value, and lists the matches. Each opens its place in
 * the `jsonTree` that follows.
 */
export function jsonSearch(value: unknown, name: string) {
  let current = value;
  const input = el("input", {
    type: "search",
    placeholder: "Search in the JSON",
    "aria-label": `Search in ${name}`,
    spellcheck: "false",
  });
  const list = el("ol.json-found");
  const count = el("p.soft", { role: "status" });
  input.oninput = () => {
    const words = input.value.trim().toLowerCase();
    const found = words === "" ? [] : matchesIn(current, words);
    count.textContent =
      words === ""
        ? ""
        : found.length > MOST
          ? `More than ${MOST} matches`
          : counted(found.length, "match", "matches");
    list.replaceChildren(
      ...found.slice(0, MOST).map(({ path, text }) => {
        const place = path.map((name) => name.replaceAll("~", "~0").replaceAll("/", "~1"));
        const onclick = () => (root.nextElementSibling as Tree).reveal(path);
        const props = { type: "button", onclick };
        const pointer = el("code", `/${place.join("/")}`);
        return el("li", el("button", props, pointer, el("span", text)));
      }),
    );
  };
  const root = el("search.json-search", input, count, list);
  return Object.assign(root, {
    value,
    adopt(fresh: Element) {
      current = (fresh as Element & { value: unknown }).value;
      input.oninput?.(new InputEvent("input"));
    },
  });
}

/** @param words in lower case */
function matchesIn(value: unknown, words: string) {
  const found: { path: readonly string[]; text: string }[] = [];
  const walk: (value: unknown, path: readonly string[]) => void = (inside, path) => {
    if (found.length > MOST) return;
    if (typeof inside === "object" && inside !== null) {
      for (const [member, child] of Object.entries(inside)) walk(child, [...path, member]);
      return;
    }
    const text = JSON.stringify(inside);
    const at = text.toLowerCase().indexOf(words);
    if (at < 0) return;
    const from = Math.max(0, at - 40);
    found.push({ path, text: `${from > 0 ? "…" : ""}${text.slice(from, from + 160)}` });
  };
  walk(value, []);
  return found;
}
