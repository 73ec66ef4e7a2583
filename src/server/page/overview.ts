import type { Live } from "../live.ts";
import type { PreviewedDrafts } from "../previewed-drafts.ts";
import type { DraftStates } from "./draft-state.ts";
import { experienceLines } from "./project-view.ts";

/** How many experiences of a project are listed; few, as the overview is requested at every change. */
const LISTED = 12;

export type Overview = ReturnType<typeof overview>;
export type WorkspaceLine = Overview["workspaces"][number];

/** Every workspace with its projects; reads no entry. */
export function overview(drafts: PreviewedDrafts, states: DraftStates, live: Pick<Live, "state">) {
  const workspaces = states.all().map(({ workspace: row, draft }) => {
    const versionId = drafts.history.current(row.number);
    const listed = drafts.history.list(row.number).find((one) => one.versionId === versionId);
    const publishedAt = listed?.publishedAt ?? null;
    return {
      id: row.id,
      name: draft.workspace.name,
      revision: row.revision,
      counts: {
        models: draft.models.length,
        blocks: draft.blocks.length,
        features: draft.features.length,
        entries: draft.entries.size,
      },
      published: versionId === undefined ? null : { versionId, publishedAt },
      projects: draft.projects.map((project) => ({
        id: project.id,
        name: project.name,
        stepCount: project.steps.length,
        experienceCount: project.experiences.length,
        // The first few; `ProjectView` has all.
        experiences: experienceLines(project, LISTED),
      })),
    };
  });
  return { ...live.state(), workspaces };
}
