import type { CollectedExperience } from "../../documents/collections.ts";
import { Rendering } from "../../documents/rendering.ts";
import type { Draft } from "../../workspace/draft.ts";
import type { Project } from "../../workspace/records.ts";
import type { ImportedBefore } from "../format.ts";
import { collected, isSamePage, pagesOf, replaced } from "../migrate/collect.ts";

/** X2, Q24: what the next import takes of a workspace. */
export function importedBefore(draft: Draft): ImportedBefore {
  const { name, import: choices } = draft.workspace;
  return { name, choices, projects: written(draft) };
}

/** Projects with the step and the experience that their collections give each entry, hidden ones too. */
function written(draft: Draft): readonly Project[] {
  const view = { at: Number.NEGATIVE_INFINITY, showsHidden: true };
  return new Rendering(draft, { view }).projects.map((project) => {
    const shown = new Map(project.steps.map((step) => [step.id, step.layoutContentId]));
    const experiences = project.experiences.flatMap((experience) => {
      const { id, key, name, stepIds } = experience;
      const { collection, entry } = experience as Partial<CollectedExperience>;
      if (collection === undefined) return experience;
      // Not the pages of a list, and of an entry without the steps around it.
      const own = stepIds.filter((step) => shown.get(step) === entry);
      return entry === undefined ? [] : { id, key, name, stepIds: own };
    });
    return { ...project, experiences };
  });
}

/**
 * Q23, Q24: the projects of an import with the collections that they had, and others where these can be,
 * and why the rest stays.
 *
 * @param draft of the import, with all steps and experiences in its projects.
 * @param isWanted whether other collections are made.
 */
export function withCollections(draft: Draft, before: readonly Project[], isWanted: boolean) {
  const earlier = new Map(before.map((project) => [project.id, project]));
  const collectionsOf = ({ id }: Project) => earlier.get(id)?.collections ?? [];
  const alone = draft.projects.map((project) => {
    return { ...project, steps: [], experiences: [], collections: collectionsOf(project) };
  });
  const given = written({ ...draft, projects: alone }).map(pagesOf);
  const all = draft.projects.map((project, at) => {
    const known = new Set(earlier.get(project.id)?.experiences.map(({ id }) => id));
    const own = pagesOf(project);
    const gone = new Set<string>();
    for (const [entry, pages] of given[at] ?? []) {
      for (const page of own.get(entry) ?? []) {
        // X2: an experience that was there stays, beside that of its entry's new address.
        const isNew = !known.has(page.experience.id);
        if (isNew || pages.some((one) => isSamePage(one, page))) gone.add(page.step.id);
      }
    }
    const left = replaced(project, gone, collectionsOf(project));
    return isWanted ? collected(draft, left, false) : { project: left, notes: [] };
  });
  return { projects: all.map(({ project }) => project), notes: all.flatMap(({ notes }) => notes) };
}
