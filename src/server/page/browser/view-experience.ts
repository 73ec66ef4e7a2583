import type { Changes } from "../changes.ts";
import type { EntryView } from "../entry-view.ts";
import type { ExperienceView } from "../experience-view.ts";
import { type Child, el } from "./element.ts";
import { languageTag } from "./locales.ts";
import {
  code,
  countsOf,
  emptyState,
  group,
  nodeList,
  problemCounts,
  problemNotes,
  targetLink,
  viewHead,
} from "./parts.ts";
import { viewHref } from "./router.ts";
import { changeGroups } from "./view-changes.ts";
import { entryCard } from "./view-entry.ts";
import { counted, number } from "./words.ts";

/** The parts of the view, by the last segment of its address. */
export const PARTS = {
  content: "Content",
  graph: "Graph",
  changes: "Changes",
  documents: "Documents",
} as const;

export type Part = keyof typeof PARTS;

/** The view of one part of an experience, whose content is loaded by `views.ts`. */
export function experienceView(
  workspace: string,
  experience: ExperienceView,
  part: Part,
  content: Child,
) {
  const { project, id, name, key, language, problems } = experience;
  const base = [workspace, "projects", project.id, "experiences", id];
  return el(
    "article",
    { "data-key": `experience ${project.id} ${id}` },
    viewHead(name, {
      above: [
        el("a", { href: viewHref(base.slice(0, 3)) }, project.name),
        " / experience ",
        code(key),
      ],
      beside: [languageTag(language), problemCounts(countsOf(problems))],
    }),
    el(
      "nav.parts",
      { "aria-label": "Parts of the experience" },
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
    el("div", { "data-key": part }, content),
  );
}

export function changesPart(workspace: string, changes: Changes) {
  const isFirst = changes.versionId === null && changes.documents.length > 0;
  return [
    isFirst && el("p", "Nothing is published yet: publishing would create all of this."),
    changeGroups(workspace, changes),
  ];
}

/** The content of the steps with all fields, then a list of the references, nearest first. */
export function contentPart(
  workspace: string,
  { steps, nodes, problems }: ExperienceView,
  views: readonly EntryView[],
  showMore: () => void,
) {
  if (nodes.length === 0) {
    return emptyState(
      "This experience has no content",
      "None of its steps has a layout with an existing entry, so requests for its content return 404 and no file is written.",
      stepNames(workspace, steps),
    );
  }
  const entries = new Map(views.map((one) => [one.id, one]));
  const tooDeep = problems.filter(({ code: name }) => name === "reference-too-deep");
  const shown = new Set();
  const reached = nodes.filter(({ depth }) => depth > 0);
  const behind = nodes.length - reached.length;
  return [
    el(
      "ol.steps",
      steps.map((step, index) => {
        if (step === null)
          return el(
            "li.step",
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
          "li.step",
          { "data-key": `${index} ${id}` },
          stepHead(index, name, `layout ${layoutName}`),
          entry === null && el("p.soft", "No content."),
          entry !== null &&
            (found === undefined || isShown) &&
            el("p", targetLink(workspace, entry), isShown && el("span.soft", " shown above")),
          card && entryCard(workspace, card),
        );
      }),
    ),
    entries.size < behind &&
      el(
        "p",
        el(
          "button",
          { type: "button", onclick: showMore },
          `Show more of ${counted(behind, "entry", "entries")}`,
        ),
      ),
    reached.length > 0 &&
      group(
        "References",
        "References",
        `${counted(reached.length, "entry", "entries")} that the content references`,
        nodeList(workspace, "References", reached),
      ),
    tooDeep.length > 0 && el("div.notes", problemNotes(tooDeep)),
  ];
}

function stepHead(index: number, name: string, below: string) {
  return el(
    "div.step-head",
    el("span.step-number", number(index + 1)),
    el("h2", { dir: "auto" }, name),
    el("p", below),
  );
}

function stepNames(workspace: string, steps: ExperienceView["steps"]) {
  return steps.map((step) => [
    el("span.tag", step?.name ?? "a step that does not exist"),
    " ",
    step?.entry && [targetLink(workspace, step.entry), " "],
  ]);
}
