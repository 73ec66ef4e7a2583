import { el } from "./element.ts";
import { counted } from "./words.ts";

export type Tree = Element & { reveal(path: readonly string[]): void };

/** The maximum number of matches listed. */
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
