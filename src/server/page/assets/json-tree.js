import { el } from "./element.js";

/** @typedef {import("../../../workspace/json.ts").JsonValue} JsonValue */
/** @typedef {(path: readonly string[]) => boolean} IsOpen */

/** How many members of an array or object are added at a time. */
const SHOWN = 100;

/**
 * A JSON value as nested folds, whose contents are created when opened. Open folds stay open when
 * the value changes.
 *
 * @param {JsonValue} value
 * @param {string} name
 * @param {IsOpen} [isOpen] which paths are open initially
 */
export function jsonTree(value, name, isOpen = () => false) {
  const root = el("div", { class: "json" }, node(value, name, [], isOpen));
  let current = value;
  let shown = JSON.stringify(value);
  const opened = () =>
    new Set([...root.querySelectorAll("details[open]")].map((one) => placeOf(one)));
  /** @param {ReadonlySet<string | null>} open */
  const redraw = (open) =>
    root.replaceChildren(node(current, name, [], (path) => open.has(path.join("\n"))));
  return Object.assign(root, {
    value,
    /**
     * Opens the folds around a value and moves the focus to it.
     *
     * @param {readonly string[]} path
     */
    reveal(path) {
      const inner = path.map((_, length) => path.slice(0, length).join("\n"));
      redraw(new Set([...opened(), ...inner, path.join("\n")]));
      const lines = /** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll("[data-json]"));
      const target = [...lines].find((one) => placeOf(one) === path.join("\n"));
      target?.setAttribute("tabindex", "-1");
      target?.focus({ preventScroll: true });
      target?.scrollIntoView({ block: "center", behavior: "instant" });
    },
    /** @param {Element} fresh */
    adopt(fresh) {
      const next = /** @type {Element & { value: JsonValue }} */ (fresh).value;
      const text = JSON.stringify(next);
      if (text === shown) return;
      shown = text;
      current = next;
      redraw(opened());
    },
  });
}

/** @param {Element} line */
function placeOf(line) {
  return line.getAttribute("data-json");
}

/**
 * @param {JsonValue} value
 * @param {string} name
 * @param {readonly string[]} path
 * @param {IsOpen} isOpen
 * @returns {Element}
 */
function node(value, name, path, isOpen) {
  const place = { "data-json": path.join("\n") };
  if (typeof value !== "object" || value === null) {
    return el("div", { class: "json-line", ...place }, key(name), scalar(value));
  }
  const members = Object.entries(value);
  const inside = el("div", { class: "json-inside" });
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
    inside.append(el("button", { type: "button", class: "quiet", onclick: more }, text));
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
  const summary = el(
    "summary",
    {},
    key(name),
    el("span", { class: "json-count" }, count),
    hint(value),
  );
  const details = el("details", { ...place, open, ontoggle }, summary, inside);
  return details;
}

/** @param {string} name */
function key(name) {
  return el("span", { class: "json-key" }, name);
}

/** @param {null | boolean | number | string} value */
function scalar(value) {
  const kind = value === null ? "null" : typeof value;
  return el("span", { class: `json-${kind}` }, JSON.stringify(value));
}

/**
 * The id or key that identifies a folded value.
 *
 * @param {object} value
 */
function hint(value) {
  const {
    id,
    contentEntryId,
    contentBlockKey,
    key: named,
  } = /** @type {Record<string, unknown>} */ (value);
  const text = [id, contentEntryId, contentBlockKey, named].find((one) => typeof one === "string");
  return typeof text === "string" && el("span", { class: "json-hint" }, text);
}
