import { readLive } from "../../deploy/read-live.ts";
import { type Diff, diffSnapshots } from "../../diff/diff.ts";
import { PublishedDocuments, projectIdsOf } from "../../diff/published-documents.ts";
import { NOTHING, type Snapshot } from "../../diff/snapshot.ts";
import { publishedRendering, type RenderOptions } from "../../publish/outcome.ts";
import { readOut } from "../../publish/read-out.ts";
import { readUrl } from "../../publish/read-url.ts";
import {
  currentVersion,
  findVersion,
  renderVersion,
  snapshotOf,
  storedVersion,
} from "../../publish/version.ts";
import type { Store } from "../../store/store.ts";
import { withStore } from "../../store/with-store.ts";
import type { Draft, WorkspaceRow } from "../../workspace/draft.ts";
import { SvcError, UsageError } from "../../workspace/errors.ts";
import type { Problem } from "../../workspace/problem.ts";
import { openDeployContext, pointersOf } from "../deploy/deploy-options.ts";
import type { Remarks } from "../output/output.ts";
import { isFolder } from "../schema-source.ts";
import type { Options } from "../table/table.ts";
import { assertNoWorkspace, readDraft, renderingOptions } from "../with-draft.ts";
import type { SideName } from "./side-names.ts";

type CompareOptions = Options<"diff">;

interface Side {
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
  output: Remarks,
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
  output: Remarks,
): Promise<Compared> {
  const how = renderingOptions(output, options);
  const folders = names.map(({ kind, name }) =>
    kind === "folder" ? { name, draft: readDraft(name) } : undefined,
  );
  const folder = folders.find((one) => one !== undefined)?.draft;
  const row = store?.workspace(options.workspace ?? folder?.workspace.id);
  let workspaceId = row?.id ?? folder?.workspace.id ?? options.workspace;
  const projectIds = new Set(options.project);
  for (const one of folders) for (const { id } of one?.draft.projects ?? []) projectIds.add(id);
  if (store && row) for (const id of storedProjects(store, row, names)) projectIds.add(id);
  const published: (Side | undefined)[] = [];
  for (const side of inOrder(names)) {
    const documents = new PublishedDocuments();
    const wanted = { options, workspaceId, projectIds: [...projectIds] };
    const found = await readPublished(side, documents, wanted, output);
    if (found?.versionId === undefined) output.note(nothingPublished(side, wanted));
    published[names.indexOf(side)] = publishedSide(side.name, found?.versionId, documents);
    workspaceId ??= found?.workspaceId;
    for (const id of documents.projectIds) projectIds.add(id);
  }
  const compare = (): Compared => {
    const [before, after] = names.map((side, at): Side => {
      const [remote, own] = [published[at], folders[at]];
      if (remote !== undefined) return remote;
      if (own !== undefined) return draftSide(own.name, own.draft, how);
      return storeSide(store as Store, row as WorkspaceRow, side, how);
    }) as [Side, Side];
    const diff = diffSnapshots(before.snapshot, after.snapshot);
    return { workspaceId: workspaceId ?? null, before, after, diff };
  };
  return store === undefined ? compare() : store.read(compare);
}

const CONCURRENCY = 16;

/** The published sides: an address last, since it needs the projects of the other side. */
function inOrder(names: Names): SideName[] {
  const kinds = ["out", "target", "url"];
  return names
    .filter(({ kind }) => kinds.includes(kind))
    .sort((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind));
}

interface Wanted {
  readonly options: CompareOptions;
  /** Undefined: the only one. */
  readonly workspaceId: string | undefined;
  /** D4b: the projects to read from an address, which has no list of them. */
  readonly projectIds: readonly string[];
}

/** Undefined when nothing is published there. */
async function readPublished(
  { kind, name }: SideName,
  documents: PublishedDocuments,
  { options, workspaceId, projectIds }: Wanted,
  output: Remarks,
): Promise<{ versionId: string | undefined; workspaceId?: string } | undefined> {
  if (kind === "out") return readOut(name, workspaceId, documents);
  if (kind === "url") {
    if (projectIds.length === 0) {
      throw new UsageError(
        "an address does not list its projects",
        "name them with --project, once for each",
      );
    }
    return { versionId: await readUrl(name, projectIds, documents, output.progress) };
  }
  const context = await openDeployContext(name, { ...options, concurrency: CONCURRENCY }, output);
  const pointers = await pointersOf(context, options);
  return readLive(context.objects, pointers, workspaceId, documents, context.work);
}

/** D4b: a misspelt or renamed project or workspace must not pass as one that nobody uses yet. */
function nothingPublished({ kind, name }: SideName, { projectIds, workspaceId }: Wanted): string {
  const workspace = workspaceId === undefined ? "" : `of the workspace "${workspaceId}"`;
  const projects = `of the projects ${projectIds.join(", ")}: right before a first deploy; else check the address, or name others with --project`;
  return `warning: ${name} has nothing published ${kind === "url" ? projects : workspace}`.trimEnd();
}

function publishedSide(
  name: string,
  versionId: string | undefined,
  documents: PublishedDocuments,
): Side {
  const state = versionId === undefined ? "nothing published" : shortened(versionId);
  const snapshot = documents.snapshot();
  return { versionId: versionId ?? null, name: `${name} (${state})`, snapshot, ...NO_PROBLEMS };
}

function draftSide(name: string, draft: Draft, how: RenderOptions): Side {
  const version = renderVersion(publishedRendering(draft, how), how.onProgress);
  const { problems } = version;
  const hasErrors = problems.some(({ level }) => level === "error");
  return { versionId: null, name, snapshot: snapshotOf(version), hasErrors, problems };
}

function storeSide(
  store: Store,
  workspace: WorkspaceRow,
  { name }: SideName,
  how: RenderOptions,
): Side {
  if (name === "draft") return draftSide(name, store.draft(workspace), how);
  const versionId = versionNamed(store, workspace, name);
  if (versionId === undefined) {
    return { versionId: null, name: "nothing published", snapshot: NOTHING, ...NO_PROBLEMS };
  }
  const snapshot = snapshotOf(storedVersion(store, workspace, versionId));
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

/** A prefix that is practically unique; --json has the complete id. */
function shortened(versionId: string): string {
  return versionId.slice(0, 12);
}
