import { readLive } from "../../deploy/read-live.ts";
import { type Diff, diffSnapshots } from "../../diff/diff.ts";
import { projectIdsOf } from "../../diff/published-documents.ts";
import type { PublishedSide, Snapshot } from "../../diff/snapshot.ts";
import { publishedRendering, type RenderOptions } from "../../publish/draft-source.ts";
import { readOut } from "../../publish/read-out.ts";
import { readUrl } from "../../publish/read-url.ts";
import {
  DRAFT,
  PUBLISHED,
  provenSide,
  type SideName,
  sideNamed,
  storedSide,
} from "../../publish/sides.ts";
import { renderVersion, snapshotOf } from "../../publish/version.ts";
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

type CompareOptions = Options<"diff">;

interface ComparedSide {
  /** Null for a draft, or if nothing is published. */
  readonly versionId: string | null;
  /** As it is printed. */
  readonly label: string;
  readonly snapshot: Snapshot;
  /** Of a draft. */
  readonly problems: readonly Problem[];
}

interface Compared {
  /** Null when no side says it. */
  readonly workspaceId: string | null;
  readonly before: ComparedSide;
  readonly after: ComparedSide;
  readonly diff: Diff;
}

type Names = readonly [from: SideName, to: SideName];

/**
 * The sides that the arguments of `svc diff` name.
 *
 * @throws UsageError for an argument too many; SvcError `side-not-found`.
 */
export function sideNames({ from, to, against, storeFrom, out }: CompareOptions): Names {
  const given = [from, to].filter((text) => text !== undefined).map(sideNamed);
  const [first = PUBLISHED, second] = given;
  if (against !== undefined) {
    if (second === undefined) return [sideNamed(against), given[0] ?? DRAFT];
    throw new UsageError(
      "with --against, only one side is expected",
      "svc diff --against <from> [to]",
    );
  }
  if (second !== undefined) return [first, second];
  if (first.kind !== "folder") return [first, DRAFT];
  return [storeFrom === "default" ? { kind: "out", name: out } : PUBLISHED, first];
}

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
  const drafts = new Map<SideName, Draft>();
  for (const side of names) if (side.kind === "folder") drafts.set(side, readDraft(side.name));
  const [folder] = drafts.values();
  const row = store?.workspace(options.workspace ?? folder?.workspace.id);
  let workspaceId = row?.id ?? folder?.workspace.id ?? options.workspace;
  const projectIds = new Set(options.project);
  for (const { projects } of drafts.values()) for (const { id } of projects) projectIds.add(id);
  if (store && row) for (const id of storedProjects(store, row, names)) projectIds.add(id);
  const published = new Map<SideName, ComparedSide>();
  for (const side of inOrder(names)) {
    const wanted = { options, workspaceId, projectIds: [...projectIds] };
    const found = await readPublished(side, wanted, output);
    if (found.versionId === null) output.note(nothingSaid(side, wanted));
    published.set(side, publishedSide(found));
    workspaceId ??= found.workspaceId;
    for (const id of projectIdsOf(found.snapshot.documents.keys())) projectIds.add(id);
  }
  const compare = (): Compared => {
    const [before, after] = names.map((side): ComparedSide => {
      const [remote, own] = [published.get(side), drafts.get(side)];
      if (remote !== undefined) return remote;
      if (own !== undefined) return draftSide(side.name, own, how);
      const [from, of] = [store as Store, row as WorkspaceRow];
      if (side.name === DRAFT.name) return draftSide(side.name, from.draft(of), how);
      return publishedSide(provenSide(from, of, side.name));
    }) as [ComparedSide, ComparedSide];
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

async function readPublished(
  { kind, name }: SideName,
  { options, workspaceId, projectIds }: Wanted,
  output: Remarks,
): Promise<PublishedSide> {
  if (kind === "out") return readOut(name, workspaceId);
  if (kind === "url") {
    if (projectIds.length > 0) return readUrl(name, projectIds, output.progress);
    throw new UsageError(
      "an address does not list its projects",
      "name them with --project, once for each",
    );
  }
  const context = await openDeployContext(name, { ...options, concurrency: CONCURRENCY }, output);
  const pointers = await pointersOf(context, options);
  return { ...(await readLive(context.objects, pointers, workspaceId, context.work)), name };
}

/** D4b: a misspelt or renamed project or workspace must not pass as one that nobody uses yet. */
function nothingSaid({ kind, name }: SideName, { projectIds, workspaceId }: Wanted): string {
  const workspace = workspaceId === undefined ? "" : `of the workspace "${workspaceId}"`;
  const projects = `of the projects ${projectIds.join(", ")}: right before a first deploy; else check the address, or name others with --project`;
  return `warning: ${name} has nothing published ${kind === "url" ? projects : workspace}`.trimEnd();
}

function publishedSide({ kind, name, versionId, snapshot }: PublishedSide): ComparedSide {
  // A prefix that is practically unique; --json has the complete id.
  const state = versionId?.slice(0, 12) ?? "nothing published";
  const label = kind === "store" ? state : `${name} (${state})`;
  return { versionId, label, snapshot, problems: [] };
}

function draftSide(label: string, draft: Draft, how: RenderOptions): ComparedSide {
  const version = renderVersion(publishedRendering(draft, how), how.onProgress);
  return { versionId: null, label, snapshot: snapshotOf(version), problems: version.problems };
}

/** The ids of the projects of the draft, and of the versions that are named. */
function storedProjects(store: Store, workspace: WorkspaceRow, names: Names): string[] {
  return store.read(() => [
    ...store.draft(workspace).projects.map(({ id }) => id),
    ...names.flatMap(({ kind, name }) => {
      if (kind !== "store" || name === DRAFT.name) return [];
      return projectIdsOf(storedSide(store, workspace, name).snapshot.documents.keys());
    }),
  ]);
}
