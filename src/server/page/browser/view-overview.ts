import type { ExperienceLine, ProjectView, StepView, WorkspaceLine } from "../project-view.ts";
import { el } from "./element.ts";
import { fieldList } from "./fields.ts";
import { languageTag } from "./locales.ts";
import {
  type Counts,
  code,
  countsOf,
  emptyState,
  group,
  linkLine,
  problemCounts,
  recordNotes,
  rowLink,
  targetLink,
  viewHead,
} from "./parts.ts";
import { viewHref } from "./router.ts";
import { windowedList } from "./windowed-list.ts";
import { counted, moment, number } from "./words.ts";

/** @param problems undefined until counted */
export function overviewView(workspace: WorkspaceLine, problems: Counts | undefined) {
  const { id, name, counts, projects } = workspace;
  const facts = [
    ["Entries", counts.entries, viewHref([id, "entries"])],
    ["Models", counts.models, undefined],
    ["Blocks", counts.blocks, undefined],
    ["Features", counts.features, undefined],
  ] as const;
  return el(
    "article",
    { "data-key": `overview ${id}` },
    viewHead(name, { above: ["Workspace ", code(id)] }),
    el(
      "div.panels",
      el("section.panel", el("h2", "Published"), publishedState(workspace)),
      el("section.panel", el("h2", "Problems"), problemState(id, problems)),
      el(
        "section.panel",
        el("h2", "In the draft"),
        el(
          "dl.facts",
          facts.map(([label, count, href]) => {
            const value = el("dd", { "data-flash": "" }, number(count));
            return el("div", el("dt", href ? el("a", { href }, label) : label), value);
          }),
        ),
      ),
    ),
    projects.length === 0
      ? emptyState(
          "There is no project yet",
          "A project has steps with layouts, and experiences that lead through them.",
        )
      : projects.map((project) =>
          group(
            project.id,
            el("a", { href: viewHref([id, "projects", project.id]) }, project.name),
            `${counted(project.experienceCount, "experience")}, ${counted(project.stepCount, "step")}`,
            experienceList(id, project.id, project.experiences),
            project.experienceCount > project.experiences.length &&
              linkLine(
                viewHref([id, "projects", project.id]),
                `All ${counted(project.experienceCount, "experience")}`,
              ),
          ),
        ),
  );
}

function publishedState({ id, published }: WorkspaceLine) {
  if (published === null)
    return el("p", "Nothing yet. To publish the first version: ", code("svc publish"));
  const { versionId, publishedAt } = published;
  return [
    el("p", "Version ", code(versionId.slice(0, 12)), publishedAt && ` of ${moment(publishedAt)}`),
    linkLine(viewHref([id, "changes"]), "What publishing would change"),
  ];
}

function problemState(workspace: string, problems: Counts | undefined) {
  if (problems === undefined) return el("p.soft", "Checking…");
  const counts = problemCounts(problems);
  if (counts === null) return el("p", el("span.count.is-good", "None"));
  const text = problems.errors > 0 ? "Errors that prevent publishing" : "Show warnings";
  return [el("p", counts), linkLine(viewHref([workspace, "problems"]), text)];
}

function experienceList(
  workspace: string,
  project: string,
  experiences: readonly ExperienceLine[],
) {
  if (experiences.length === 0) return el("p.soft", "No experiences.");
  return windowedList({
    label: "Experiences",
    items: experiences,
    row({ id, key, name, steps }) {
      const href = viewHref([workspace, "projects", project, "experiences", id]);
      return rowLink(href, name, steps.join(" → ") || "no steps", code(key));
    },
  });
}

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
    items: steps,
    row({ key, name, layoutName, entry }) {
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
