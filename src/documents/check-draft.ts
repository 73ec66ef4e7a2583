import { inProblemOrder, type Problem } from "../workspace/problem.ts";
import type { Experience, Project } from "../workspace/records.ts";
import { UNVERSIONED } from "./document.ts";
import { experienceEntries, tooDeepProblem } from "./experience-content.ts";
import { renderProjectConfig } from "./project-config.ts";
import type { TooDeep } from "./references.ts";
import type { Rendering } from "./rendering.ts";

interface TooDeepIn {
  readonly found: TooDeep;
  readonly project: Project;
  readonly experience: Experience;
  /** Further experiences in which the same pointer is too deep. */
  others: number;
}

/**
 * P1: every problem of the draft, served or not, in the stable order. `onEntry` hears of each
 * entry of the draft as it is rendered.
 */
export function checkDraft(
  rendering: Rendering,
  onEntry?: (rendered: ReturnType<Rendering["render"]>) => void,
): Problem[] {
  const problems: Problem[] = [];
  for (const entry of rendering.draft.entries()) {
    const result = rendering.render(entry);
    for (const problem of result.rendered.problems) problems.push(problem);
    onEntry?.(result);
  }
  const tooDeep = new Map<string, TooDeepIn>();
  for (const project of rendering.draft.projects) {
    const config = renderProjectConfig(rendering, project, UNVERSIONED);
    for (const problem of config.problems) problems.push(problem);
    for (const experience of project.experiences) {
      for (const found of experienceEntries(rendering, project, experience).tooDeep) {
        const place = `${found.entryId} ${found.pointer.path}`;
        const known = tooDeep.get(place);
        if (known) known.others += 1;
        else tooDeep.set(place, { found, project, experience, others: 0 });
      }
    }
  }
  for (const { found, project, experience, others } of tooDeep.values()) {
    problems.push(tooDeepProblem(found, project, experience, others));
  }
  return inProblemOrder(problems);
}
