import { el } from "./element.js";
import { fieldList } from "./fields.js";
import { languageTag } from "./locales.js";
import { code, problemCounts, ROW, recordNotes, rowLink, targetLink, viewHead } from "./parts.js";
import { viewHref } from "./router.js";
import { experienceList } from "./view-overview.js";
import { windowedList } from "./windowed-list.js";
import { counted } from "./words.js";

/** @typedef {import("../project-view.ts").ProjectView} ProjectView */
/** @typedef {import("../project-view.ts").StepView} StepView */

/**
 * The view of a project.
 *
 * @param {string} workspace
 * @param {ProjectView} project
 */
export function projectView(workspace, project) {
  const { id, name, language, fields, steps, experiences, problems } = project;
  const beside = { problems, languages: language === null ? [] : [language] };
  const own = problems.filter(
    ({ at, code: name }) =>
      at.kind !== "project" || name === "field-unknown" || !at.path.startsWith("/fields/"),
  );
  const errors = problems.filter(({ level }) => level === "error").length;
  return el(
    "article",
    { "data-key": `project ${id}` },
    viewHead(name, {
      above: ["Project ", code(id)],
      beside: [languageTag(language), problemCounts(errors, problems.length - errors)],
    }),
    recordNotes(own),
    section(
      "Experiences",
      counted(experiences.length, "experience"),
      experienceList(workspace, id, experiences),
    ),
    section("Steps", counted(steps.length, "step"), stepList(workspace, steps)),
    fields.length > 0 && section("Fields", "", fieldList(workspace, fields, beside)),
  );
}

/**
 * @param {string} title
 * @param {string} beside
 * @param {Element} content
 */
function section(title, beside, content) {
  return el(
    "section",
    { class: "group", "data-key": title },
    el("div", { class: "group-head" }, el("h2", {}, title), el("p", {}, beside)),
    content,
  );
}

/**
 * @param {string} workspace
 * @param {readonly StepView[]} steps
 */
function stepList(workspace, steps) {
  if (steps.length === 0) return el("p", { class: "soft" }, "No steps.");
  return windowedList({
    label: "Steps",
    count: steps.length,
    height: ROW,
    row(index) {
      const { key, name, layoutName, entry } = /** @type {StepView} */ (steps[index]);
      const below = ["layout ", layoutName];
      if (entry?.state === "found") {
        return rowLink(
          viewHref([workspace, "entries", entry.id]),
          name,
          [...below, ": ", el("bdi", {}, entry.title)],
          code(key),
        );
      }
      return el(
        "div",
        { class: "row" },
        el(
          "span",
          { class: "row-text" },
          el("span", { class: "row-title", dir: "auto" }, name),
          el("span", { class: "row-below" }, below, entry === null && ", no content"),
        ),
        entry && el("span", { class: "row-beside" }, targetLink(workspace, entry)),
      );
    },
  });
}
