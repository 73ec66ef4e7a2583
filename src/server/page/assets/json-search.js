import { el } from "./element.js";
import { counted } from "./words.js";

/** The maximum number of matches listed. */
const MOST = 100;

/**
 * An input that searches the member names and values of a JSON value, and lists the matches.
 *
 * @param {any} value
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
      ...found
        .slice(0, MOST)
        .map(({ path, text }) => el("li", {}, el("code", {}, path), el("span", {}, text))),
    );
  };
  return Object.assign(el("search", { class: "json-search" }, input, count, list), {
    value,
    /** @param {Element} fresh */
    adopt(fresh) {
      current = /** @type {Element & { value: any }} */ (fresh).value;
      input.oninput?.(new InputEvent("input"));
    },
  });
}

/**
 * @param {any} value
 * @param {string} words in lower case
 */
function matchesIn(value, words) {
  /** @type {{ path: string, text: string }[]} */
  const found = [];
  /** @type {(value: any, path: string, name: string) => void} */
  const walk = (inside, path, name) => {
    if (found.length > MOST) return;
    if (typeof inside === "object" && inside !== null) {
      if (name.toLowerCase().includes(words))
        found.push({ path, text: Array.isArray(inside) ? "[…]" : "{…}" });
      for (const [member, child] of Object.entries(inside)) {
        walk(child, `${path}/${member.replaceAll("~", "~0").replaceAll("/", "~1")}`, member);
      }
      return;
    }
    const text = JSON.stringify(inside);
    const at = text.toLowerCase().indexOf(words);
    if (at < 0 && !name.toLowerCase().includes(words)) return;
    const from = Math.max(0, at - 40);
    found.push({ path, text: `${from > 0 ? "…" : ""}${text.slice(from, from + 160)}` });
  };
  walk(value, "", "");
  return found;
}
