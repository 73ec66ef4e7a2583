import type { JsonObject } from "../workspace/json.ts";
import { inProblemOrder, type Problem } from "../workspace/problem.ts";
import type { Experience, Project } from "../workspace/records.ts";
import { experienceEntries, tooDeepProblem } from "./experience-content.ts";
import { projectProblems } from "./project-config.ts";
import { type TooDeep, tooDeepPointers } from "./references.ts";
import type { EntryNumber, Rendering } from "./rendering.ts";

/**
 * P1: every problem of the draft, served or not, in the stable order. `onEntry` hears of each
 * entry of the draft as it is served.
 */
export function checkDraft(
  rendering: Rendering,
  onEntry?: (entry: EntryNumber, data: JsonObject) => void,
  withTexts = false,
): Problem[] {
  const problems: Problem[] = [];
  rendering.serveAll((entry, data) => {
    for (const problem of rendering.problemsOf(entry)) problems.push(problem);
    onEntry?.(entry, data);
  }, withTexts);
  const tooDeep = new TooDeepPointers();
  for (const project of rendering.draft.projects) {
    for (const problem of projectProblems(rendering, project)) problems.push(problem);
    for (const experience of project.experiences) {
      const shown = experienceEntries(rendering, project, experience);
      for (const found of tooDeepPointers(shown, rendering)) {
        tooDeep.add(found, project, experience);
      }
    }
  }
  for (const problem of tooDeep.problems()) problems.push(problem);
  return inProblemOrder(problems);
}

interface TooDeepIn {
  readonly found: TooDeep;
  readonly project: Project;
  readonly experience: Experience;
  /** Further experiences in which the same pointer is too deep. */
  others: number;
}

/** Each pointer that is too deep somewhere is one problem, told of the first experience. */
class TooDeepPointers {
  readonly #places = new Map<string, TooDeepIn>();

  add(found: TooDeep, project: Project, experience: Experience): void {
    const place = `${found.entryId} ${found.path}`;
    const known = this.#places.get(place);
    if (known) known.others += 1;
    else this.#places.set(place, { found, project, experience, others: 0 });
  }

  problems(): Problem[] {
    return [...this.#places.values()].map(({ found, project, experience, others }) =>
      tooDeepProblem(found, project, experience, others),
    );
  }
}
