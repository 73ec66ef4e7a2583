import { el } from "./element.js";
import { DRAWN, graphPicture, REASON_CLASSES } from "./graph-picture.js";
import {
  code,
  depthTag,
  emptyState,
  hiddenTag,
  modelTag,
  problemCounts,
  ROW,
  rowLink,
} from "./parts.js";
import { entryHref } from "./router.js";
import { windowedList } from "./windowed-list.js";
import { counted, number, UNRESOLVED_REASONS } from "./words.js";

/** @typedef {import("../experience-view.ts").ExperienceView} ExperienceView */
/** @typedef {import("../experience-view.ts").GraphNode} GraphNode */
/** @typedef {import("../experience-view.ts").UnresolvedPointer} UnresolvedPointer */

/**
 * The reference graph of an experience, as a picture and as lists.
 *
 * @param {string} workspace
 * @param {ExperienceView} experience
 */
export function graphPart(workspace, experience) {
  const { nodes, unresolved } = experience;
  if (nodes.length === 0) return emptyState("There is no graph", "The experience has no content.");
  return [
    graphPicture(workspace, experience),
    legend(unresolved),
    nodes.length > DRAWN &&
      el(
        "p",
        { class: "soft" },
        `The ${number(DRAWN)} nearest of ${counted(nodes.length, "entry", "entries")} are shown.`,
      ),
    unresolved.length > 0 &&
      list("Pointers that do not resolve", unresolved.length, (index) =>
        unresolvedRow(workspace, /** @type {UnresolvedPointer} */ (unresolved[index])),
      ),
    list("Entries by distance", nodes.length, (index) =>
      nodeRow(workspace, /** @type {GraphNode} */ (nodes[index])),
    ),
  ];
}

/** @param {readonly UnresolvedPointer[]} unresolved */
function legend(unresolved) {
  const reasons = [...new Set(unresolved.map(({ reason }) => reason))];
  return el(
    "ul",
    { class: "legend" },
    el("li", {}, el("span", { class: "dot is-first" }), "content of a step"),
    el("li", {}, el("span", { class: "dot" }), "reference; the number is its distance"),
    reasons.map((reason) =>
      el(
        "li",
        {},
        el("span", { class: `cross is-${REASON_CLASSES[reason]}` }, "×"),
        UNRESOLVED_REASONS[reason],
      ),
    ),
  );
}

/**
 * @param {string} title
 * @param {number} count
 * @param {(index: number) => Element} row
 */
function list(title, count, row) {
  return el(
    "section",
    { class: "group", "data-key": title },
    el("div", { class: "group-head" }, el("h2", {}, title), el("p", {}, number(count))),
    windowedList({ label: title, count, height: ROW, row }),
  );
}

/**
 * @param {string} workspace
 * @param {UnresolvedPointer} pointer
 */
function unresolvedRow(workspace, { from, path, target, title, reason }) {
  const name = title === target ? code(target) : title;
  const tag = el("span", { class: `tag is-${REASON_CLASSES[reason]}` }, UNRESOLVED_REASONS[reason]);
  return rowLink(
    entryHref(workspace, from, path),
    name,
    ["from ", code(from), " ", code(path)],
    tag,
  );
}

/**
 * @param {string} workspace
 * @param {GraphNode} node
 */
function nodeRow(workspace, { id, title, modelKey, hidden, depth, errors, warnings }) {
  return rowLink(entryHref(workspace, id), title, code(id), [
    problemCounts(errors, warnings),
    hiddenTag(hidden),
    modelTag(modelKey),
    depthTag(depth),
  ]);
}
