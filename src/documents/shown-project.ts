import type { Experience, Project } from "../workspace/records.ts";
import type { Rendering } from "./rendering.ts";

/**
 * A8, A9: a project without the experiences whose entries are all hidden, and the steps that only these have:
 * their names and keys are those of what is not published. A step without an entry, or with one that does
 * not exist, is nothing that an experience is published for.
 */
export function shownProject({ lookup, collections }: Rendering, project: Project): Project {
  const isShown = ({ layoutContentId: id }: Project["steps"][number]) =>
    id !== undefined && lookup.find(id, project.locale) !== undefined;
  const hidden = new Set(collections.of(project)?.hiddenSteps);
  for (const { id, layoutContentId: entry } of project.steps)
    if (entry !== undefined && lookup.hiddenBy(entry, project.locale) !== undefined) hidden.add(id);
  if (hidden.size === 0) return project;
  const shown = new Set(project.steps.flatMap((step) => (isShown(step) ? step.id : [])));
  const isGone = ({ stepIds }: Experience) =>
    stepIds.some((id) => hidden.has(id)) && !stepIds.some((id) => shown.has(id));
  const experiences = project.experiences.filter((one) => !isGone(one));
  const kept = new Set(experiences.flatMap(({ stepIds }) => stepIds));
  // With the steps of the experiences that are gone, which may have no entry.
  const gone = project.experiences.filter(isGone).flatMap(({ stepIds }) => stepIds);
  for (const id of gone) hidden.add(id);
  const steps = project.steps.filter(({ id }) => kept.has(id) || !hidden.has(id));
  return { ...project, steps, experiences };
}
