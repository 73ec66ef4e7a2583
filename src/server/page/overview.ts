import type { Live } from "../live.ts";
import type { PreviewedDrafts } from "../previewed-drafts.ts";
import type { DraftStates } from "./draft-state.ts";
import { type ExperienceLine, experienceLines } from "./project-view.ts";

/** How many experiences of a project are listed; few, as the overview is requested at every change. */
const LISTED = 12;

interface ProjectLine {
  readonly id: string;
  readonly name: string;
  readonly stepCount: number;
  readonly experienceCount: number;
  /** The first few; `ProjectView` has all. */
  readonly experiences: readonly ExperienceLine[];
}

export interface WorkspaceLine {
  readonly id: string;
  readonly name: string;
  readonly revision: number;
  readonly counts: {
    readonly models: number;
    readonly blocks: number;
    readonly features: number;
    readonly entries: number;
  };
  /** The current version; null when nothing is published. */
  readonly published: { readonly versionId: string; readonly publishedAt: string | null } | null;
  readonly projects: readonly ProjectLine[];
}

export interface Overview extends ReturnType<Live["state"]> {
  readonly workspaces: readonly WorkspaceLine[];
}

/** Every workspace with its projects; reads no entry. */
export function overview(
  drafts: PreviewedDrafts,
  states: DraftStates,
  live: Pick<Live, "state">,
): Overview {
  const workspaces = states.all().map(({ workspace: row, draft }): WorkspaceLine => {
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
        experiences: experienceLines(project, LISTED),
      })),
    };
  });
  return { ...live.state(), workspaces };
}
