import { el } from "./element.js";
import { counted } from "./words.js";

/** @typedef {Element & { reveal(path: readonly string[]): void }} Tree */

/** The maximum number of matches listed. */
const MOST = 100;

/**
 * An input that searches the values of a JSON value, and lists the matches. Each opens its place in
 * the `jsonTree` that follows.
 *
 * @param {unknown} value
 * @param {string} name
 */
export function jsonSearch(value, name) {
  let current = value;
  const input = el("input", {
    type: "search",
    placeholder: "Search in the JSON",
    "aria-label": `Search in ${name}`,
    spellcheck: "false",
  });
  const list = el("ol", { class: "json-found" });
  const count = el("p", { class: "soft", role: "status" });
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
        const onclick = () => /** @type {Tree} */ (root.nextElementSibling).reveal(path);
        const props = { type: "button", onclick };
        const pointer = el("code", {}, `/${place.join("/")}`);
        return el("li", {}, el("button", props, pointer, el("span", {}, text)));
      }),
    );
  };
  const root = el("search", { class: "json-search" }, input, count, list);
  return Object.assign(root, {
    value,
    /** @param {Element} fresh */
    adopt(fresh) {
      current = /** @type {Element & { value: unknown }} */ (fresh).value;
      input.oninput?.(new InputEvent("input"));
    },
  });
}

/**
 * @param {unknown} value
 * @param {string} words in lower case
 */
function matchesIn(value, words) {
  /** @type {{ path: readonly string[], text: string }[]} */
  const found = [];
  /** @type {(value: unknown, path: readonly string[]) => void} */
  const walk = (inside, path) => {
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
