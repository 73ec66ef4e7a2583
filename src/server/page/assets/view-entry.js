import { el } from "./element.js";
import { fieldList } from "./fields.js";
import { languageLinks } from "./locales.js";
import {
  code,
  copyButton,
  emptyState,
  hiddenTag,
  modelTag,
  problemCounts,
  recordNotes,
  viewHead,
} from "./parts.js";
import { entryHref, viewHref } from "./router.js";

/** @typedef {import("../entry-view.ts").EntryView} EntryView */

/**
 * The view of one entry.
 *
 * @param {string} workspace
 * @param {EntryView} entry
 */
export function entryView(workspace, entry) {
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
      beside: [modelTag(modelKey), hiddenTag(hidden), entryCounts(entry)],
    }),
    languageLinks(workspace, entry),
    el("div", { class: "card" }, entryBody(workspace, entry)),
  );
}

/**
 * An entry among others, under a heading that links to its view.
 *
 * @param {string} workspace
 * @param {EntryView} entry
 */
export function entryCard(workspace, entry) {
  const { id, title, modelKey, hidden } = entry;
  return el(
    "section",
    { class: "card", "data-key": id, "aria-label": title },
    el(
      "header",
      { class: "card-head" },
      el("h3", {}, el("a", { href: entryHref(workspace, id), dir: "auto" }, title)),
      el(
        "p",
        {},
        modelTag(modelKey),
        " ",
        hiddenTag(hidden),
        " ",
        code(id),
        " ",
        entryCounts(entry),
      ),
    ),
    entryBody(workspace, entry),
  );
}

/** @param {EntryView} entry */
function entryCounts({ problems }) {
  const errors = problems.filter(({ level }) => level === "error").length;
  return problemCounts(errors, problems.length - errors);
}

/**
 * @param {string} workspace
 * @param {EntryView} entry
 */
function entryBody(workspace, entry) {
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
