import { type Diff, diffSnapshots } from "../../diff/diff.ts";
import { projectIdsOf } from "../../diff/published-documents.ts";
import { NOTHING, type Snapshot } from "../../diff/snapshot.ts";
import { type Address, addressOfFilePath, filePath } from "../../documents/address.ts";
import { documentAt } from "../../documents/documents.ts";
import type { Rendering } from "../../documents/rendering.ts";
import { sha256 } from "../../documents/version-id.ts";
import type { WorkspaceRow } from "../../workspace/draft.ts";
import type { PreviewedDrafts } from "../previewed-drafts.ts";
import { type DraftState, problemCounts } from "./draft-state.ts";
import { pointerTarget } from "./entry-summary.ts";

/** The two snapshots that the page compares; injected, since src/server does not import `publish`. */
export interface SnapshotSource {
  /** The documents that publishing the draft would freeze. */
  draft(rendering: Rendering): Snapshot;
  version(workspace: WorkspaceRow, versionId: string): Snapshot;
}

/** What publishing the draft would change. Names are from the draft, or ids where it has none. */
export type Changes = ReturnType<typeof experienceChanges>;
export type CompleteChanges = ReturnType<typeof changes>;

const LISTED = 100;

/** H17: compares the complete draft with the published version. */
export function changes(state: DraftState, drafts: PreviewedDrafts, snapshots: SnapshotSource) {
  const { versionId, snapshot } = publishedSnapshot(state, drafts, snapshots);
  const draft = snapshots.draft(state.published);
  const listed = (ids: readonly string[]) => ({
    total: ids.length,
    entries: ids.slice(0, LISTED).map((id) => pointerTarget(state, id)),
  });
  const { unreached, problems, hidden } = state;
  return {
    versionId,
    ...withNames(state, diffSnapshots(snapshot, draft)),
    // How many problems prevent publishing (R4).
    errors: problemCounts(problems).errors,
    // The entries that no experience shows: publishing leaves them out.
    unreached: listed(unreached),
    // A1: the entries that are drafts, or not due.
    leftOut: listed(hidden),
  };
}

/** Compares one experience's content document only, since a workspace may have thousands. */
export function experienceChanges(
  state: DraftState,
  address: Address,
  drafts: PreviewedDrafts,
  snapshots: SnapshotSource,
) {
  const { versionId, snapshot } = publishedSnapshot(state, drafts, snapshots);
  const path = filePath(address);
  const hash = snapshot.documents.get(path);
  const before = { ...snapshot, documents: new Map(hash === undefined ? [] : [[path, hash]]) };
  return { versionId, ...withNames(state, diffSnapshots(before, documentSnapshot(state, path))) };
}

function withNames(state: DraftState, diff: Diff) {
  const projects = new Map(state.draft.projects.map((project) => [project.id, project]));
  const projectName = (id: string) => projects.get(id)?.name ?? id;
  const items = Map.groupBy(diff.entries, ({ id }) => id);
  const place = (id: string) => {
    const locale = state.languages.ofProject(id)?.view.locale;
    return projectName(id) + (locale ? ` (${locale})` : "");
  };
  const nameOf = (address: Address) => {
    if (address.kind !== "content") return projectName(address.projectId);
    const { projectId, experienceId } = address;
    const experiences = projects.get(projectId)?.experiences;
    return experiences?.find(({ id }) => id === experienceId)?.name ?? experienceId;
  };
  return {
    ...diff,
    entries: diff.entries.map((one) => {
      const projectIds = projectIdsOf(one.documents);
      const language = state.languages.ofProject(projectIds[0] ?? "")?.language;
      const { title } = pointerTarget(state, one.id, language);
      const isOnlyChange = items.get(one.id)?.length === 1;
      // "Shop (de)": in which projects it changed so; absent where it has one change only.
      return { ...one, title, ...(!isOnlyChange && { projects: projectIds.map(place) }) };
    }),
    config: diff.config.map((one) => ({ ...one, projectName: projectName(one.projectId) })),
    documents: diff.documents.map((one) => ({ ...one, name: nameOf(one.address) })),
  };
}

function publishedSnapshot(
  { workspace }: DraftState,
  drafts: PreviewedDrafts,
  snapshots: SnapshotSource,
) {
  // Null when nothing is published.
  const versionId = drafts.history.current(workspace.number) ?? null;
  if (versionId === null) return { versionId, snapshot: NOTHING };
  return { versionId, snapshot: snapshots.version(workspace, versionId) };
}

function documentSnapshot(state: DraftState, path: string): Snapshot {
  const address = addressOfFilePath(path);
  const document = address && documentAt(state.published, address, "published");
  if (document === undefined) return NOTHING;
  const bytes = document.bytes(null);
  const documents = new Map([[path, sha256(bytes)]]);
  return { documents, document: () => JSON.parse(bytes.toString()) };
}
