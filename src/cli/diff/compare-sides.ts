import { type Diff, diffSnapshots } from "../../diff/diff.ts";
import { projectIdsOf } from "../../diff/published-documents.ts";
import { NOTHING, type Snapshot } from "../../diff/snapshot.ts";
import { currentVersion, findVersion } from "../../publish/find-version.ts";
import {
  type DraftSnapshotOptions,
  draftSnapshot,
  versionSnapshot,
} from "../../publish/snapshots.ts";
import { openTemporaryStore, type Store } from "../../store/store.ts";
import { withStore } from "../../store/with-store.ts";
import { SvcError, UsageError } from "../../workspace/errors.ts";
import type { Problem } from "../../workspace/problem.ts";
import type { WorkspaceRow } from "../../workspace/workspace-row.ts";
import type { WorkspaceOptions } from "../command.ts";
import { importFolder } from "../import-folder.ts";
import type { Output } from "../output/output.ts";
import { isFolder } from "../schema-source.ts";
import type { TimeOptions } from "../time-option.ts";
import { assertNoWorkspace, renderingOptions } from "../with-draft.ts";
import { openPublishedSide, type PublishedSide } from "./published-side.ts";
import type { SideName } from "./side-names.ts";

export interface CompareOptions extends WorkspaceOptions, TimeOptions {
  readonly project?: readonly string[];
  readonly kvs?: string;
  readonly endpoint?: string;
}

export interface Side {
  /** Null for a draft, or if nothing is published. */
  readonly versionId: string | null;
  readonly name: string;
  readonly snapshot: Snapshot;
  readonly hasErrors: boolean;
  /** Of a draft. */
  readonly problems: readonly Problem[];
}

const NO_PROBLEMS = { hasErrors: false, problems: [] };

export interface Compared {
  /** Null when no side says it. */
  readonly workspaceId: string | null;
  readonly before: Side;
  readonly after: Side;
  readonly diff: Diff;
}

type Names = readonly [from: SideName, to: SideName];

/**
 * Compares two sides (D4).
 *
 * @throws SvcError of each side; UsageError for options that do not apply.
 */
export function compareSides(
  names: Names,
  options: CompareOptions,
  output: Output,
): Promise<Compared> {
  const has = (kind: SideName["kind"]) => names.some((one) => one.kind === kind);
  if (has("folder")) assertNoWorkspace(options);
  if (options.project !== undefined && !has("url")) {
    throw new UsageError("--project names projects of an address", "leave it out");
  }
  if (!has("store")) return compareWith(undefined, names, options, output);
  return withStore(options.store, (store) => compareWith(store, names, options, output)).catch(
    (error) => {
      throw withFolderHint(error, names);
    },
  );
}

/** A folder of a version's name (`feed`) is taken for a version. */
function withFolderHint(error: unknown, names: Names): unknown {
  const meant = names.find(({ kind, name }) => kind === "store" && isFolder(name));
  if (meant === undefined || !(error instanceof SvcError)) return error;
  const { code, message } = error;
  if (!["store-not-found", "version-not-found", "not-published"].includes(code)) return error;
  const hint = `"${meant.name}" names a version; write ./${meant.name} for the folder`;
  return new SvcError(code, message, { hint, cause: error });
}

async function compareWith(
  store: Store | undefined,
  names: Names,
  options: CompareOptions,
  output: Output,
): Promise<Compared> {
  const opened: { close(): void }[] = [];
  try {
    const folders = names.map((side) => {
      if (side.kind !== "folder") return undefined;
      const folder = openTemporaryStore();
      opened.push(folder);
      return folderSide(folder, side.name, renderingOptions(folder, output, options));
    });
    const folder = folders.find((one) => one !== undefined);
    const row = store?.workspace(options.workspace ?? folder?.workspaceId);
    let workspaceId = row?.id ?? folder?.workspaceId ?? options.workspace;
    const projectIds = new Set(options.project);
    for (const one of folders) for (const id of one?.projectIds ?? []) projectIds.add(id);
    if (store && row) for (const id of storedProjects(store, row, names)) projectIds.add(id);
    const published: (PublishedSide | undefined)[] = [];
    for (const side of inOrder(names)) {
      const bucket = { ...options, concurrency: CONCURRENCY };
      const wanted = { bucket, workspaceId, projectIds: [...projectIds] };
      const found = await openPublishedSide(side, wanted, output);
      opened.push(found);
      published[names.indexOf(side)] = found;
      workspaceId ??= found.workspaceId;
      for (const id of found.projectIds) projectIds.add(id);
    }
    const isWithinStore = names.every(({ kind }) => kind === "store");
    const compare = (canWrite: boolean): Compared => {
      const [before, after] = names.map((side, at): Side => {
        const remote = published[at];
        if (remote !== undefined) return publishedSide(side.name, remote);
        const local =
          folders[at] ??
          storeSide(store as Store, row as WorkspaceRow, side, {
            ...renderingOptions(store as Store, output, options),
            canWrite,
          });
        return isWithinStore ? local : { ...local, snapshot: hashed(local.snapshot) };
      }) as [Side, Side];
      const diff = diffSnapshots(before.snapshot, after.snapshot);
      return { workspaceId: workspaceId ?? null, before, after, diff };
    };
    return store === undefined ? compare(false) : store.writeOrRead(compare);
  } finally {
    for (const one of opened) one.close();
  }
}

/** Requests at once. */
const CONCURRENCY = 16;

/** The published sides: an address last, since it needs the projects of the other side. */
function inOrder(names: Names): SideName[] {
  const kinds = ["out", "target", "url"];
  return names
    .filter(({ kind }) => kinds.includes(kind))
    .sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind));
}

function publishedSide(name: string, { versionId, snapshot }: PublishedSide): Side {
  const state = versionId === undefined ? "nothing published" : shortened(versionId);
  return { versionId: versionId ?? null, name: `${name} (${state})`, snapshot, ...NO_PROBLEMS };
}

function folderSide(store: Store, name: string, how: DraftSnapshotOptions) {
  const { workspaceId } = importFolder(store, name);
  const workspace = store.workspace(workspaceId);
  const projectIds = store.read(() => store.draft(workspace).projects.map(({ id }) => id));
  const snapshot = store.read(() => draftSnapshot(store, workspace, how));
  const { hasErrors, problems } = snapshot;
  return { versionId: null, name, snapshot, hasErrors, problems, workspaceId, projectIds };
}

function storeSide(
  store: Store,
  workspace: WorkspaceRow,
  { name }: SideName,
  how: DraftSnapshotOptions,
): Side {
  if (name === "draft") {
    const snapshot = draftSnapshot(store, workspace, how);
    const { hasErrors, problems } = snapshot;
    return { versionId: null, name, snapshot, hasErrors, problems };
  }
  const versionId = versionNamed(store, workspace, name);
  if (versionId === undefined) {
    return { versionId: null, name: "nothing published", snapshot: NOTHING, ...NO_PROBLEMS };
  }
  const snapshot = versionSnapshot(store, workspace, versionId);
  return { versionId, name: shortened(versionId), snapshot, ...NO_PROBLEMS };
}

/** Undefined: nothing is published. */
function versionNamed(store: Store, workspace: WorkspaceRow, name: string): string | undefined {
  if (name !== "published") return findVersion(store, workspace, name);
  const isPublished = store.history.current(workspace.number) !== undefined;
  return isPublished ? currentVersion(store, workspace) : undefined;
}

/** The ids of the projects of the draft, and of the versions that are named. */
function storedProjects(store: Store, workspace: WorkspaceRow, names: Names): string[] {
  return store.read(() => [
    ...store.draft(workspace).projects.map(({ id }) => id),
    ...names.flatMap(({ kind, name }) => {
      if (kind !== "store" || name === "draft") return [];
      const versionId = versionNamed(store, workspace, name);
      if (versionId === undefined) return [];
      const { documents } = store.versions.contents(workspace.number, versionId);
      return projectIdsOf(documents.map(({ path }) => path));
    }),
  ]);
}

/** With hashes in place of recipes, which other stores and published files do not have. */
function hashed(snapshot: Snapshot): Snapshot {
  const hashes = [...snapshot.documents.keys()].map(
    (path) => [path, snapshot.sha256(path)] as const,
  );
  return { ...snapshot, documents: new Map(hashes) };
}

/** A prefix that is practically unique; --json has the complete id. */
function shortened(versionId: string): string {
  return versionId.slice(0, 12);
}
