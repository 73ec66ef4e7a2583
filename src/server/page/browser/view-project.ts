import type { ProjectView, StepView } from "../project-view.ts";
import { el } from "./element.ts";
import { fieldList } from "./fields.ts";
import { languageTag } from "./locales.ts";
import {
  code,
  countsOf,
  group,
  problemCounts,
  ROW,
  recordNotes,
  rowLink,
  targetLink,
  viewHead,
} from "./parts.ts";
import { viewHref } from "./router.ts";
import { experienceList } from "./view-overview.ts";
import { windowedList } from "./windowed-list.ts";
import { counted } from "./words.ts";

/** The view of a project. */
export function projectView(workspace: string, project: ProjectView) {
  const { id, name, language, fields, steps, experiences, problems } = project;
  const beside = { problems, languages: language === null ? [] : [language] };
  const own = problems.filter(
    ({ at, code: name }) =>
      at.kind !== "project" || name === "field-unknown" || !at.path.startsWith("/fields/"),
  );
  return el(
    "article",
    { "data-key": `project ${id}` },
    viewHead(name, {
      above: ["Project ", code(id)],
      beside: [languageTag(language), problemCounts(countsOf(problems))],
    }),
    recordNotes(own),
    group(
      "Experiences",
      "Experiences",
      counted(experiences.length, "experience"),
      experienceList(workspace, id, experiences),
    ),
    group("Steps", "Steps", counted(steps.length, "step"), stepList(workspace, steps)),
    fields.length > 0 && group("Fields", "Fields", "", fieldList(workspace, fields, beside)),
  );
}

function stepList(workspace: string, steps: readonly StepView[]) {
  if (steps.length === 0) return el("p.soft", "No steps.");
  return windowedList({
    label: "Steps",
    count: steps.length,
    height: ROW,
    row(index) {
      const { key, name, layoutName, entry } = steps[index] as StepView;
      const below = ["layout ", layoutName];
      if (entry?.state === "found") {
        return rowLink(
          viewHref([workspace, "entries", entry.id]),
          name,
          [...below, ": ", el("bdi", entry.title)],
          code(key),
        );
      }
      return el(
        "div.row",
        el(
          "span.row-text",
          el("span.row-title", { dir: "auto" }, name),
          el("span.row-below", below, entry === null && ", no content"),
        ),
        entry && el("span.row-beside", targetLink(workspace, entry)),
      );
    },
  });
}
