import type { ConfigChange } from "../../diff/compare-configs.ts";
import type { EntryChange } from "../../diff/compare-contents.ts";
import { type Diff, type DocumentChange, diffSnapshots } from "../../diff/diff.ts";
import { NOTHING, type Snapshot, wholeSnapshot } from "../../diff/snapshot.ts";
import { type Address, addressOfFilePath, filePath } from "../../documents/address.ts";
import { UNVERSIONED } from "../../documents/document.ts";
import { renderDocument } from "../../documents/documents.ts";
import { sha256 } from "../../documents/version-id.ts";
import type { DraftState } from "./draft-state.ts";
import { targetOf } from "./entry-summary.ts";
import type { PageStore, Sides } from "./page-store.ts";

/** What publishing the draft would change. Names are those of the draft; what it has not has its id. */
export interface Changes extends Diff {
  /** Null: nothing is published yet. */
  readonly versionId: string | null;
  readonly entries: readonly (EntryChange & { readonly title: string })[];
  readonly config: readonly (ConfigChange & { readonly projectName: string })[];
  /** Named as the project, or as the experience whose content it is. */
  readonly documents: readonly (DocumentChange & { readonly name: string })[];
}

/** The whole draft beside the whole published version. */
export function changes(state: DraftState, store: PageStore, sides: Sides): Changes {
  const { versionId, snapshot } = publishedSide(state, store, sides);
  return {
    versionId,
    ...named(state, diffSnapshots(snapshot, sides.draft(state.workspace, state.rendering))),
  };
}

/** The same of one experience's content only: a workspace may have thousands. */
export function experienceChanges(
  state: DraftState,
  address: Address,
  store: PageStore,
  sides: Sides,
): Changes {
  const { versionId, snapshot } = publishedSide(state, store, sides);
  const path = filePath(address);
  const hash = snapshot.documents.get(path);
  const before = { ...snapshot, documents: new Map(hash === undefined ? [] : [[path, hash]]) };
  return { versionId, ...named(state, diffSnapshots(before, draftPart(state, path))) };
}

function named(state: DraftState, diff: Diff): Omit<Changes, "versionId"> {
  const projects = new Map(state.draft.projects.map((project) => [project.id, project]));
  const projectName = (id: string) => projects.get(id)?.name ?? id;
  const nameOf = (address: Address) => {
    if (address.kind !== "content") return projectName(address.projectId);
    const { projectId, experienceId } = address;
    const experiences = projects.get(projectId)?.experiences;
    return experiences?.find(({ id }) => id === experienceId)?.name ?? experienceId;
  };
  return {
    ...diff,
    entries: diff.entries.map((one) => ({ ...one, title: targetOf(state, one.id).title })),
    config: diff.config.map((one) => ({ ...one, projectName: projectName(one.projectId) })),
    documents: diff.documents.map((one) => ({ ...one, name: nameOf(one.address) })),
  };
}

function publishedSide(
  { workspace }: DraftState,
  store: PageStore,
  sides: Sides,
): { versionId: string | null; snapshot: Snapshot } {
  const versionId = store.history.current(workspace.number);
  if (versionId === undefined) return { versionId: null, snapshot: NOTHING };
  return { versionId, snapshot: sides.version(workspace, versionId) };
}

/** The draft's document of one path, if it has it. */
function draftPart(state: DraftState, path: string): Snapshot {
  const address = addressOfFilePath(path);
  const document = address && renderDocument(state.rendering, address, UNVERSIONED);
  if (document === undefined) return NOTHING;
  const { bytes } = document;
  return wholeSnapshot(new Map([[path, sha256(bytes)]]), () => JSON.parse(bytes.toString()));
}
