import type { EntryView } from "../entry-view.ts";
import { el } from "./element.ts";
import { fieldList } from "./fields.ts";
import { languageLinks } from "./locales.ts";
import {
  code,
  copyButton,
  countsOf,
  emptyState,
  hiddenTag,
  modelTag,
  problemCounts,
  recordNotes,
  viewHead,
} from "./parts.ts";
import { entryHref, viewHref } from "./router.ts";

export function entryView(workspace: string, entry: EntryView) {
  const { id, title, modelKey, hidden } = entry;
  return el(
    "article",
    { "data-key": `entry ${id}` },
    viewHead(title, {
      above: [
        el("a", { href: viewHref([workspace, "entries"]) }, "Entries"),
        " / ",
        code(id),
        copyButton(id, "the id"),
      ],
      beside: [modelTag(modelKey), hiddenTag(hidden), problemCounts(countsOf(entry.problems))],
    }),
    languageLinks(workspace, entry),
    el("div.card", entryBody(workspace, entry)),
  );
}

/** An entry among others, under a heading that links to its view. */
export function entryCard(workspace: string, entry: EntryView) {
  const { id, title, modelKey, hidden } = entry;
  return el(
    "section.card",
    { "data-key": id, "aria-label": title },
    el(
      "header.card-head",
      el("h3", el("a", { href: entryHref(workspace, id), dir: "auto" }, title)),
      el(
        "p",
        modelTag(modelKey),
        " ",
        hiddenTag(hidden),
        " ",
        code(id),
        " ",
        problemCounts(countsOf(entry.problems)),
      ),
    ),
    entryBody(workspace, entry),
  );
}

function entryBody(workspace: string, entry: EntryView) {
  const { fields, problems } = entry;
  const own = problems.filter(
    ({ at, code: name }) => at.kind !== "entry" || name === "field-unknown" || at.path === "",
  );
  return [
    recordNotes(own),
    fields.length === 0
      ? emptyState("No fields are served", "Only the fields of the entry's model are served.")
      : fieldList(workspace, fields, entry),
  ];
}
