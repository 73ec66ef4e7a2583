import type { JsonValue } from "../../../workspace/json.ts";
import { el } from "./element.ts";

export type IsOpen = (path: readonly string[]) => boolean;

/** How many members of an array or object are added at a time. */
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

/** The id or key that identifies a folded value. */
function hint(value: object) {
  const { id, contentEntryId, contentBlockKey, key: named } = value as Record<string, unknown>;
  const text = [id, contentEntryId, contentBlockKey, named].find((one) => typeof one === "string");
  return typeof text === "string" && el("span.json-hint", text);
}
