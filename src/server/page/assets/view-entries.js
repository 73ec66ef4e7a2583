import { el } from "./element.js";
import { code, emptyState, hiddenTag, modelTag, ROW, rowLink, viewHead } from "./parts.js";
import { entryHref } from "./router.js";
import { windowedList } from "./windowed-list.js";
import { counted } from "./words.js";

/** @typedef {import("../search.ts").SearchResult} SearchResult */
/** @typedef {import("../search.ts").Match} Match */

/**
 * A text with the words of the query marked.
 *
 * @param {string} text
 * @param {string} query
 */
function marked(text, query) {
  const words = query
    .split(/\s+/)
    .filter((word) => word !== "")
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const parts = text.split(new RegExp(`(${words.join("|")})`, "gi"));
  return parts.map((part, at) => (at % 2 === 1 ? el("mark", {}, part) : part));
}

/**
 * "Sections › Title (de)".
 *
 * @param {NonNullable<Match["place"]>} place
 */
function placeName({ fields, locale }) {
  return fields.join(" › ") + (locale === undefined ? "" : ` (${locale})`);
}

/**
 * The entries that match a query. Only those in the window are loaded.
 *
 * @param {string} workspace
 * @param {string} query
 * @param {{ total: number, at: (index: number) => Match | undefined, need: (first: number, last: number) => void }} found
 */
export function entriesView(workspace, query, { total, at, need }) {
  return el(
    "article",
    { "data-key": "entries" },
    viewHead(query === "" ? "Entries" : "Found", {
      below:
        query === ""
          ? counted(total, "entry", "entries")
          : [counted(total, "entry", "entries"), " with ", el("strong", {}, query)],
    }),
    total === 0 &&
      (query === ""
        ? emptyState("There are no entries yet")
        : emptyState(
            "Nothing found",
            "Every word must occur in the entry's id or in one of its values.",
          )),
    windowedList({
      label: query === "" ? "Entries" : `Entries with ${query}`,
      count: total,
      height: ROW,
      row(index) {
        const entry = at(index);
        if (entry === undefined) return el("div", { class: "row is-waiting" }, "…");
        const { id, title, modelKey, hidden, excerpt, place } = entry;
        return rowLink(
          entryHref(workspace, id, place?.path),
          title,
          excerpt === undefined
            ? code(id)
            : [place && el("strong", {}, placeName(place), ": "), marked(excerpt, query)],
          [hiddenTag(hidden), modelTag(modelKey)],
        );
      },
      onShown: need,
    }),
  );
}
