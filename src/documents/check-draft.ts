import { inProblemOrder, type Problem } from "../workspace/problem.ts";
import { assetProblems } from "./asset-problems.ts";
import { definitionProblems } from "./definition-problems.ts";
import { sizeProblems } from "./document-size.ts";
import { duplicateValues } from "./duplicate-values.ts";
import {
  contentSizeProblems,
  type ExperienceEntries,
  shownEntries,
  tooDeepProblem,
} from "./experience-content.ts";
import { MostCut } from "./most-cut.ts";
import { reportedProblems } from "./own-problems.ts";
import type { ProjectOutline } from "./project-outline.ts";
import { projectOutlines } from "./project-outlines.ts";
import type { TooDeep } from "./references.ts";
import type { Rendering } from "./rendering.ts";
import { type ServeOptions, serveStale } from "./serve-stale.ts";
import { withSuggestedIds } from "./suggested-ids.ts";

export interface CheckOptions extends ServeOptions {
  /** Called for each project, and then for each of its experiences with the entries it shows. */
  readonly onProject?: (project: ProjectOutline) => void;
  readonly onExperience?: (projectId: string, id: string, shown: ExperienceEntries) => void;
}

/** P1: every problem of the draft in the stable order, of entries that no document shows too. */
export function checkDraft(rendering: Rendering, options: CheckOptions = {}): Problem[] {
  const projects = projectOutlines(rendering);
  serveStale(rendering, () => rootsOf(projects, rendering), options);
  const { table } = rendering;
  table.rank();
  const problems = [...table.problems.keys()].flatMap((entry) => reportedProblems(table, entry));
  for (const problem of duplicateValues(rendering)) problems.push(problem);
  const tooDeep = new TooDeepPointers();
  for (const project of projects) {
    for (const problem of project.problems) problems.push(problem);
    options.onProject?.(project);
    const cut = new MostCut(project.id);
    const language = rendering.languageNumber(project.language);
    for (const [index, { id, content }] of project.experiences.entries()) {
      const shown = shownEntries(content, language, rendering);
      for (const found of shown.tooDeep) {
        tooDeep.add({ ...found, entry: table.forms.entryOf(found.entry) }, project.id, id);
      }
      cut.add(shown.tooDeep, id, index);
      const place = { project: project.id, experience: id, index };
      for (const problem of contentSizeProblems(rendering, shown, place)) problems.push(problem);
      options.onExperience?.(project.id, id, shown);
    }
    for (const problem of cut.problems(rendering)) problems.push(problem);
  }
  for (const problem of tooDeep.problems(rendering)) problems.push(problem);
  for (const problem of schemaSizeProblems(rendering, projects)) problems.push(problem);
  const { draft } = rendering;
  const { optionProblems } = rendering.lookup;
  for (const problem of definitionProblems(draft, optionProblems, problems)) problems.push(problem);
  for (const problem of assetProblems(draft)) problems.push(problem);
  return inProblemOrder(withSuggestedIds(problems, rendering));
}

/** The entries of the steps of all experiences, in order of the documents' paths. */
function* rootsOf(projects: readonly ProjectOutline[], rendering: Rendering) {
  const { forms } = rendering.table;
  for (const { experiences, ...project } of projects) {
    const language = rendering.languageNumber(project.language);
    for (const { content } of experiences.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
      for (const entry of content) yield forms.in(language, entry);
  }
}

/** P6: the largest schema. Those of all projects are made of the workspace's models. */
function schemaSizeProblems({ draft }: Rendering, projects: readonly ProjectOutline[]): Problem[] {
  const bytes = projects.reduce((most, { sizes }) => Math.max(most, sizes.schema), 0);
  const at = { kind: "workspace" as const, id: draft.workspace.id, path: "" };
  return sizeProblems(at, { document: "schema", bytes });
}

interface TooDeepIn {
  readonly found: TooDeep;
  readonly project: string;
  readonly experience: string;
  /** Further experiences in which the same pointer is too deep. */
  others: number;
}

/** A pointer that is too deep in several experiences is one problem, which names the first. */
class TooDeepPointers {
  readonly #places = new Map<string, TooDeepIn>();

  add(found: TooDeep, project: string, experience: string): void {
    const place = `${found.entry} ${found.path}`;
    const known = this.#places.get(place);
    if (known) known.others += 1;
    else this.#places.set(place, { found, project, experience, others: 0 });
  }

  problems(rendering: Rendering): Problem[] {
    return [...this.#places.values()].map(({ found, ...place }) =>
      tooDeepProblem(rendering, found, place),
    );
  }
}
