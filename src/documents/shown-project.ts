import type { Project } from "../workspace/records.ts";
import type { Rendering } from "./rendering.ts";

/**
 * A8: a project without the experiences whose entries are all hidden, and the steps that only these have:
 * their names and keys are those of what is not published.
 */
export function shownProject({ lookup }: Rendering, project: Project): Project {
  const hidden = new Set(
    project.steps.flatMap(({ id, layoutContentId: entry }) =>
      entry !== undefined && lookup.hiddenBy(entry, project.locale) !== undefined ? [id] : [],
    ),
  );
  if (hidden.size === 0) return project;
  const experiences = project.experiences.filter(
    ({ stepIds }) => stepIds.length === 0 || !stepIds.every((id) => hidden.has(id)),
  );
  const stepIds = new Set(experiences.flatMap((experience) => experience.stepIds));
  const steps = project.steps.filter(({ id }) => !hidden.has(id) || stepIds.has(id));
  return { ...project, steps, experiences };
}
