import { el } from "./element.js";
import { code, emptyState, problemCounts, ROW, rowLink, viewHead } from "./parts.js";
import { viewHref } from "./router.js";
import { windowedList } from "./windowed-list.js";
import { counted, moment, number } from "./words.js";

/** @typedef {import("../overview.ts").WorkspaceLine} WorkspaceLine */
/** @typedef {import("../project-view.ts").ExperienceLine} ExperienceLine */

/**
 * The overview of a workspace.
 *
 * @param {WorkspaceLine} workspace
 * @param {{ errors: number, warnings: number } | undefined} problems undefined until counted
 */
export function overviewView(workspace, problems) {
  const { id, name, counts, projects } = workspace;
  const facts = /** @type {const} */ ([
    ["Entries", counts.entries, viewHref([id, "entries"])],
    ["Models", counts.models, undefined],
    ["Blocks", counts.blocks, undefined],
    ["Features", counts.features, undefined],
  ]);
  return el(
    "article",
    { "data-key": `overview ${id}` },
    viewHead(name, { above: ["Workspace ", code(id)] }),
    el(
      "div",
      { class: "panels" },
      el("section", { class: "panel" }, el("h2", {}, "Published"), publishedState(workspace)),
      el("section", { class: "panel" }, el("h2", {}, "Problems"), problemState(id, problems)),
      el(
        "section",
        { class: "panel" },
        el("h2", {}, "In the draft"),
        el(
          "dl",
          { class: "facts" },
          facts.map(([label, count, href]) => {
            const value = el("dd", { "data-flash": "" }, number(count));
            return el("div", {}, el("dt", {}, href ? el("a", { href }, label) : label), value);
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
          el(
            "section",
            { class: "group", "data-key": project.id },
            el(
              "div",
              { class: "group-head" },
              el("h2", {}, el("a", { href: viewHref([id, "projects", project.id]) }, project.name)),
              el(
                "p",
                {},
                `${counted(project.experienceCount, "experience")}, ${counted(project.stepCount, "step")}`,
              ),
            ),
            experienceList(id, project.id, project.experiences),
            project.experienceCount > project.experiences.length &&
              el(
                "p",
                { class: "all" },
                el(
                  "a",
                  { href: viewHref([id, "projects", project.id]) },
                  `All ${counted(project.experienceCount, "experience")}`,
                ),
              ),
          ),
        ),
  );
}

/** @param {WorkspaceLine} workspace */
function publishedState({ id, published }) {
  if (published === null)
    return el("p", {}, "Nothing yet. To publish the first version: ", code("svc publish"));
  const { versionId, publishedAt } = published;
  return [
    el(
      "p",
      {},
      "Version ",
      code(versionId.slice(0, 12)),
      publishedAt && ` of ${moment(publishedAt)}`,
    ),
    el("p", {}, el("a", { href: viewHref([id, "changes"]) }, "What publishing would change")),
  ];
}

/**
 * @param {string} workspace
 * @param {{ errors: number, warnings: number } | undefined} problems
 */
function problemState(workspace, problems) {
  if (problems === undefined) return el("p", { class: "soft" }, "Checking…");
  const { errors, warnings } = problems;
  if (errors + warnings === 0) return el("p", {}, el("span", { class: "count is-good" }, "None"));
  return [
    el("p", {}, problemCounts(errors, warnings)),
    el(
      "p",
      {},
      el(
        "a",
        { href: viewHref([workspace, "problems"]) },
        errors > 0 ? "Errors that prevent publishing" : "Show warnings",
      ),
    ),
  ];
}

/**
 * @param {string} workspace
 * @param {string} project
 * @param {readonly ExperienceLine[]} experiences
 */
export function experienceList(workspace, project, experiences) {
  if (experiences.length === 0) return el("p", { class: "soft" }, "No experiences.");
  return windowedList({
    label: "Experiences",
    count: experiences.length,
    height: ROW,
    row(index) {
      const { id, key, name, steps } = /** @type {ExperienceLine} */ (experiences[index]);
      const href = viewHref([workspace, "projects", project, "experiences", id]);
      return rowLink(href, name, steps.join(" → ") || "no steps", code(key));
    },
  });
}
