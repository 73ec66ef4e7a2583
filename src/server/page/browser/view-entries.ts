import type { Match } from "../search.ts";
import { el } from "./element.ts";
import { code, emptyState, hiddenTag, modelTag, rowLink, viewHead } from "./parts.ts";
import { entryHref } from "./router.ts";
import { windowedList } from "./windowed-list.ts";
import { counted } from "./words.ts";

function marked(text: string, query: string) {
  const words = query
    .split(/\s+/)
    .filter((word) => word !== "")
    .map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const parts = text.split(new RegExp(`(${words.join("|")})`, "gi"));
  return parts.map((part, at) => (at % 2 === 1 ? el("mark", part) : part));
}

/** "Sections › Title (de)". */
function placeName({ fields, locale }: NonNullable<Match["place"]>) {
  return fields.join(" › ") + (locale === undefined ? "" : ` (${locale})`);
}

/** The entries that match a query. Only those in the window are loaded. */
export function entriesView(
  workspace: string,
  query: string,
  total: number,
  at: (index: number) => Match | undefined,
  need: (first: number, last: number) => void,
) {
  return el(
    "article",
    { "data-key": "entries" },
    viewHead(query === "" ? "Entries" : "Found", {
      below:
        query === ""
          ? counted(total, "entry", "entries")
          : [counted(total, "entry", "entries"), " with ", el("strong", query)],
    }),
    total === 0 &&
      (query === ""
        ? emptyState("There are no entries yet")
        : emptyState(
            "Nothing found",
            "Every word must occur in the entry's id or in one of its values.",
          )),
    windowedList<Match | undefined>({
      label: query === "" ? "Entries" : `Entries with ${query}`,
      items: { length: total, at },
      row(entry) {
        if (entry === undefined) return el("div.row.is-waiting", "…");
        const { id, title, modelKey, hidden, excerpt, place } = entry;
        return rowLink(
          entryHref(workspace, id, place?.path),
          title,
          excerpt === undefined
            ? code(id)
            : [place && el("strong", placeName(place), ": "), marked(excerpt, query)],
          [hiddenTag(hidden), modelTag(modelKey)],
        );
      },
      onShown: need,
    }),
  );
}
