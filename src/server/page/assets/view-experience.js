import { documentsPart } from "./documents-part.js";
import { el } from "./element.js";
import { graphPart } from "./graph-part.js";
import { languageTag } from "./locales.js";
import {
  code,
  depthTag,
  emptyState,
  hiddenTag,
  modelTag,
  problemCounts,
  problemNotes,
  ROW,
  rowLink,
  targetLink,
  viewHead,
} from "./parts.js";
import { entryHref, viewHref } from "./router.js";
import { changeGroups } from "./view-changes.js";
import { entryCard } from "./view-entry.js";
import { windowedList } from "./windowed-list.js";
import { counted, number } from "./words.js";

/** @typedef {import("../experience-view.ts").ExperienceView} ExperienceView */
/** @typedef {import("../experience-view.ts").GraphNode} GraphNode */
/** @typedef {import("../entry-view.ts").EntryView} EntryView */

/** The parts of the view, by the last segment of its address. */
export const PARTS = /** @type {const} */ ({
  content: "Content",
  graph: "Graph",
  changes: "Changes",
  documents: "Documents",
});

/** @typedef {keyof typeof PARTS} Part */

/**
 * The view of one part of an experience.
 *
 * @param {string} workspace
 * @param {ExperienceView} experience
 * @param {Part} part
 * @param {any} more the part's own data
 */
export function experienceView(workspace, experience, part, more) {
  const { project, id, name, key, language, problems } = experience;
  const base = [workspace, "projects", project.id, "experiences", id];
  const errors = problems.filter(({ level }) => level === "error").length;
  return el(
    "article",
    { "data-key": `experience ${project.id} ${id}` },
    viewHead(name, {
      above: [
        el("a", { href: viewHref(base.slice(0, 3)) }, project.name),
        " / experience ",
        code(key),
      ],
      beside: [languageTag(language), problemCounts(errors, problems.length - errors)],
    }),
    el(
      "nav",
      { class: "parts", "aria-label": "Parts of the experience" },
      Object.entries(PARTS).map(([segment, title]) =>
        el(
          "a",
          {
            href: viewHref(segment === "content" ? base : [...base, segment]),
            "aria-current": segment === part && "page",
          },
          title,
        ),
      ),
    ),
    partOf(workspace, experience, part, more),
  );
}

/**
 * @param {string} workspace
 * @param {ExperienceView} experience
 * @param {Part} part
 * @param {any} more
 */
function partOf(workspace, experience, part, more) {
  const name = { "data-key": part };
  switch (part) {
    case "graph":
      return el("div", name, graphPart(workspace, experience));
    case "changes":
      return el(
        "div",
        name,
        more.versionId === null &&
          more.documents.length > 0 &&
          el("p", {}, "Nothing is published yet: publishing would create all of this."),
        changeGroups(workspace, more),
      );
    case "documents":
      return el("div", name, documentsPart(workspace, more));
    default:
      return el("div", name, contentPart(workspace, experience, more));
  }
}

/**
 * The content of the steps with all fields, then a list of the references, nearest first.
 *
 * @param {string} workspace
 * @param {ExperienceView} experience
 * @param {{ entries: ReadonlyMap<string, EntryView>, showMore: () => void }} more
 */
function contentPart(workspace, { steps, nodes, problems }, { entries, showMore }) {
  if (nodes.length === 0) {
    return emptyState(
      "This experience has no content",
      "None of its steps has a layout with an existing entry, so requests for its content return 404 and no file is written.",
      stepNames(workspace, steps),
    );
  }
  const tooDeep = problems.filter(({ code: name }) => name === "reference-too-deep");
  const shown = new Set();
  const reached = nodes.filter(({ depth }) => depth > 0);
  const behind = nodes.length - reached.length;
  return [
    el(
      "ol",
      { class: "steps" },
      steps.map((step, index) => {
        if (step === null)
          return el(
            "li",
            { class: "step" },
            stepHead(index, "A step that does not exist", "deleted, so not served"),
          );
        const { id, name, layoutName, entry } = step;
        const found = entry?.state === "found" ? entry : undefined;
        const isShown = found && shown.has(found.id);
        if (found) shown.add(found.id);
        const card = found && !isShown && entries.get(found.id);
        const isLater = found && !isShown && !card;
        if (isLater) return null;
        return el(
          "li",
          { class: "step", "data-key": `${index} ${id}` },
          stepHead(index, name, `layout ${layoutName}`),
          entry === null && el("p", { class: "soft" }, "No content."),
          entry !== null &&
            (found === undefined || isShown) &&
            el(
              "p",
              {},
              targetLink(workspace, entry),
              isShown && el("span", { class: "soft" }, " shown above"),
            ),
          card && entryCard(workspace, card),
        );
      }),
    ),
    entries.size < behind &&
      el(
        "p",
        {},
        el(
          "button",
          { type: "button", onclick: showMore },
          `Show more of ${counted(behind, "entry", "entries")}`,
        ),
      ),
    reached.length > 0 &&
      el(
        "section",
        { class: "group" },
        el(
          "div",
          { class: "group-head" },
          el("h2", {}, "References"),
          el("p", {}, `${counted(reached.length, "entry", "entries")} that the content references`),
        ),
        windowedList({
          label: "References",
          count: reached.length,
          height: ROW,
          row(index) {
            const node = /** @type {GraphNode} */ (reached[index]);
            const { id, title, modelKey, hidden, depth, errors, warnings } = node;
            return rowLink(entryHref(workspace, id), title, code(id), [
              problemCounts(errors, warnings),
              hiddenTag(hidden),
              modelTag(modelKey),
              depthTag(depth),
            ]);
          },
        }),
      ),
    tooDeep.length > 0 && el("div", { class: "notes" }, problemNotes(tooDeep)),
  ];
}

/**
 * @param {number} index
 * @param {string} name
 * @param {string} below
 */
function stepHead(index, name, below) {
  return el(
    "div",
    { class: "step-head" },
    el("span", { class: "step-number" }, number(index + 1)),
    el("h2", { dir: "auto" }, name),
    el("p", {}, below),
  );
}

/**
 * @param {string} workspace
 * @param {ExperienceView["steps"]} steps
 */
function stepNames(workspace, steps) {
  return steps.map((step) => [
    el("span", { class: "tag" }, step?.name ?? "a step that does not exist"),
    " ",
    step?.entry && [targetLink(workspace, step.entry), " "],
  ]);
}
