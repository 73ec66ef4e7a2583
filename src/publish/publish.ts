import { resolve } from "node:path";
import type { RenamedEntry } from "../diff/renamed-entries.ts";
import { addressOfFilePath } from "../documents/address.ts";
import type { OnProgress } from "../documents/rendering.ts";
import { withLock } from "../files/lock.ts";
import type { Store } from "../store/store.ts";
import type { WorkspaceRow } from "../workspace/draft.ts";
import { SvcError } from "../workspace/errors.ts";
import { type Hold, heldError, holdAfter, type NewHold } from "../workspace/hold.ts";
import {
  type Applied,
  applyPlan,
  countPlan,
  type FileCounts,
  isUpToDate,
  journalPlan,
} from "./apply-plan.ts";
import { DEFAULT_KEEP, type FreezeOptions, type Frozen, freeze } from "./freeze.ts";
import { EMPTY_MANIFEST, openOut, readManifest } from "./manifest.ts";
import type { DraftSource } from "./outcome.ts";
import { type OutPlan, planOut } from "./plan-out.ts";
import {
  assertRemovals,
  countRemovals,
  DEFAULT_REMOVAL_LIMIT,
  type DocumentRemovals,
  type PublishLimits,
} from "./removal-limit.ts";
import { type EarlierContent, renamedTargets } from "./renamed-targets.ts";
import { openStatCache, outState } from "./stat-cache.ts";
import {
  currentVersion,
  findVersion,
  type RenderedVersion,
  sizeOf,
  storedVersion,
  type Version,
} from "./version.ts";

/** What a publish has done, or a dry run would have. */
export interface Published extends Omit<Frozen, "version" | "from"> {
  readonly workspaceId: string;
  readonly versionId: string;
  /** False when this version was the current one already (R2). */
  readonly published: boolean;
  readonly files: FileCounts;
  /** R12b: of all files of the version. */
  readonly bytes: number;
}

/**
 * R5: renders the draft as a version and writes it to `out`. That of a store becomes the current version:
 * the store's transaction is the commit point, and after it `write` can complete an interrupted write
 * at any time.
 *
 * @param onRenamed D6: gets the entries that seem to be renamed, also when the publish is refused.
 * @throws SvcError `draft-has-problems`, `publish-too-large`, `held`, `too-many-removals`, `out-locked`, `out-taken`,
 *   `out-obstructed`, `out-unwritable`, `disk-full`, `manifest-invalid`, and those of the store.
 */
export function publish(
  source: DraftSource,
  out: string,
  options: FreezeOptions & PublishLimits,
  onRenamed?: (renamed: readonly RenamedEntry[]) => void,
): Published {
  const { maxRemovals, onProgress } = options;
  const inspect = (version: RenderedVersion) => {
    onRenamed?.(renamedTargets(version, () => earlierContents(source, out, version)));
  };
  const { committed, replaced, files } = commitAndWrite(
    source,
    out,
    onProgress,
    () => {
      const frozen = freeze(source, options, inspect);
      return { committed: frozen, plan: planFor(source, frozen.version, out, onProgress) };
    },
    (frozen, plan) => {
      const hold = holdAgainst(source, frozen);
      if (hold !== undefined) throw heldError(workspaceIdOf(source), hold, "svc resume");
      if (maxRemovals === undefined || frozen.version.versionId === frozen.from) return;
      assertRemovals(countRemovals(source, frozen, plan, maxRemovals));
    },
  );
  return published(source, committed, replaced, files);
}

/** The contents that were published last. */
function* earlierContents(
  source: DraftSource,
  out: string,
  { versionId, documents }: Version,
): Generator<EarlierContent> {
  const isContent = (path: string) => addressOfFilePath(path)?.kind === "content";
  if (source.kind === "folder") {
    const { workspaces } = readManifest(out) ?? EMPTY_MANIFEST;
    const before = workspaces[source.draft.workspace.id];
    const folder = openOut(out);
    for (const path of Object.keys(before?.files ?? {}).filter(isContent)) {
      yield { isKept: before?.versionId === versionId, bytes: () => folder.read(path) };
    }
    return;
  }
  const { store, workspace } = source;
  const from = store.history.current(workspace.number);
  if (from === undefined) return;
  const before = storedVersion(store, workspace, from);
  const hashes = new Map(documents.map(({ path, sha256 }) => [path, sha256]));
  for (const { path, sha256 } of before.documents) {
    if (!isContent(path)) continue;
    yield { isKept: hashes.get(path) === sha256, bytes: () => before.frozenBytes(path) };
  }
}

function published(
  source: DraftSource,
  { version, from, ...frozen }: Frozen,
  replaced: string | undefined,
  files: FileCounts,
): Published {
  // R2, R11a: nothing keeps the earlier versions of a folder, so `out` decides.
  const before = source.kind === "folder" ? replaced : from;
  const { versionId } = version;
  return {
    workspaceId: workspaceIdOf(source),
    versionId,
    published: versionId !== before,
    files,
    bytes: sizeOf(version),
    ...frozen,
  };
}

/** R6a: the hold that a publish of another version than the current one would break. */
function holdAgainst(source: DraftSource, { version, from }: Frozen): Hold | undefined {
  if (source.kind === "folder" || version.versionId === from) return undefined;
  return source.store.history.hold(source.workspace.number);
}

function workspaceIdOf(source: DraftSource): string {
  return source.kind === "folder" ? source.draft.workspace.id : source.workspace.id;
}

/**
 * The result that `publish` would have. That of a store is made in a transaction that is rolled back.
 *
 * @param inspect called within it, with the version that would be published and the one it replaces.
 */
export function planPublish<T = undefined>(
  source: DraftSource,
  out: string,
  options: FreezeOptions & PublishLimits,
  inspect?: (to: Version, from: string | undefined) => T,
): Published & { inspected: T | undefined; removals: DocumentRemovals; hold: Hold | undefined } {
  const { maxRemovals = DEFAULT_REMOVAL_LIMIT, keep = DEFAULT_KEEP, onProgress } = options;
  return rolledBack(source, () => {
    const frozen = freeze(source, { ...options, keep: Number.POSITIVE_INFINITY });
    const plan = planFor(source, frozen.version, out, onProgress);
    const removals = countRemovals(source, frozen, plan, maxRemovals);
    const hold = holdAgainst(source, frozen);
    const inspected = inspect?.(frozen.version, frozen.from);
    const pruned =
      source.kind === "folder" ? [] : source.store.history.prune(source.workspace.number, keep);
    const made = published(source, { ...frozen, pruned }, plan.replaced, countPlan(plan));
    return { ...made, inspected, removals, hold };
  });
}

/** Runs `work` in a write transaction of the store, if there is one, and rolls it back. */
function rolledBack<T>(source: DraftSource, work: () => T): T {
  if (source.kind === "folder") return work();
  const rollback = new Error("rollback");
  let result: { value: T } | undefined;
  try {
    source.store.write(() => {
      result = { value: work() };
      throw rollback;
    });
  } catch (error) {
    if (error === rollback && result !== undefined) return result.value;
    throw error;
  }
  throw rollback;
}

function planFor(
  source: DraftSource,
  version: Version,
  out: string,
  onProgress: OnProgress | undefined,
): OutPlan {
  if (source.kind === "folder") return planOut(workspaceIdOf(source), version, out, onProgress);
  const { store, workspace } = source;
  return planOut(workspace.id, version, out, onProgress, (folder, before) =>
    openStatCache(store, workspace, folder, before),
  );
}

/**
 * Locks `out`, makes the version with `commit`, in one transaction with the plan of its files, and
 * writes them. The journal of `out` is written last before the commit.
 *
 * @param check throws to refuse the plan; nothing is changed then.
 */
function commitAndWrite<C>(
  source: DraftSource,
  out: string,
  onProgress: OnProgress | undefined,
  commit: () => { committed: C; plan: OutPlan },
  check: (committed: C, plan: OutPlan) => void = () => {},
): { committed: C; replaced: string | undefined; files: FileCounts } {
  return withLock(out, () => {
    let undoJournal = () => {};
    const prepare = () => {
      const { committed, plan } = commit();
      check(committed, plan);
      undoJournal = journalPlan(plan);
      return { committed, plan };
    };
    try {
      const { committed, plan } =
        source.kind === "folder" ? prepare() : source.store.write(prepare);
      undoJournal = () => {};
      const applied = afterCommit(source, plan, () => writePlanned(source, plan, onProgress));
      saveOutState(source, plan, applied);
      return { committed, replaced: plan.replaced, files: applied.counts };
    } catch (error) {
      undoJournal();
      throw error;
    }
  });
}

/** In one read transaction: other processes may change the store meanwhile. */
function writePlanned(
  source: DraftSource,
  plan: OutPlan,
  onProgress: OnProgress | undefined,
): Applied {
  if (source.kind === "folder" || isUpToDate(plan)) return applyPlan(plan, onProgress);
  const { store, workspace } = source;
  return store.read(() => {
    if (store.versions.has(workspace.number, plan.version.versionId)) {
      return applyPlan(plan, onProgress);
    }
    throw new SvcError("version-pruned", "another publish has pruned the version meanwhile", {
      hint: "keep more versions with --keep",
    });
  });
}

/** Saves the stat cache for the next plan, if that is possible now. */
function saveOutState(source: DraftSource, plan: OutPlan, { signatures }: Applied): void {
  if (source.kind === "folder" || (isUpToDate(plan) && !plan.hasReadFiles)) return;
  const { store, workspace } = source;
  const { folder, paths } = plan;
  try {
    const state = outState(folder, paths, signatures);
    store.writeOrRead((canWrite) => {
      if (canWrite) store.outStates.save(workspace.number, resolve(folder.path), state);
    });
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
  }
}

/** Adds to errors what became of the version. */
function afterCommit<T>(source: DraftSource, { version }: OutPlan, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    const { code, message, hint = "fix that" } = error;
    const isFolder = source.kind === "folder";
    const state = isFolder ? "written in part" : "the current one in the store";
    const remedy = isFolder ? "the same command" : "svc write";
    throw new SvcError(code, `${message}; version ${version.versionId} is ${state}`, {
      hint: `${hint}; then ${remedy} completes the files`,
      cause: error,
    });
  }
}

export interface WriteOptions {
  readonly onProgress?: OnProgress | undefined;
}

export interface Written {
  readonly workspaceId: string;
  readonly versionId: string;
  readonly files: FileCounts;
}

/**
 * Writes the current version's files again, and completes an interrupted write.
 *
 * @throws SvcError `not-published` when the workspace has no version yet, and as `publish`.
 */
export function write(
  store: Store,
  workspace: WorkspaceRow,
  out: string,
  { onProgress }: WriteOptions = {},
): Written {
  const source = { kind: "store", store, workspace } as const;
  return withLock(out, () => {
    const { plan, applied } = store.read(() => {
      store.checkIntegrity();
      const version = storedVersion(store, workspace, currentVersion(store, workspace));
      const plan = planFor(source, version, out, onProgress);
      journalPlan(plan);
      return { plan, applied: applyPlan(plan, onProgress) };
    });
    saveOutState(source, plan, applied);
    const { versionId } = plan.version;
    return { workspaceId: workspace.id, versionId, files: applied.counts };
  });
}

export interface RolledBack extends Written {
  /** The version that was current before. */
  readonly from: string;
  /** False when the version was already current. */
  readonly rolledBack: boolean;
  readonly hold: Hold | undefined;
}

/**
 * R6a: ends a workspace's hold. Returns it; undefined: there was none.
 *
 * @throws SvcError those of the store.
 */
export function resume(store: Store, { number }: WorkspaceRow): Hold | undefined {
  return store.write(() => {
    const hold = store.history.hold(number);
    store.history.setHold(number, undefined);
    return hold;
  });
}

/**
 * R6: makes an earlier version current again and writes its frozen bytes (R3). The draft is unchanged.
 *
 * @param prefix the version's id, or a unique prefix of it.
 * @param options `holder`: R6a, holds it; undefined: what holds stays.
 * @throws SvcError as `findVersion`, `currentVersion` and `publish`.
 */
export function rollback(
  store: Store,
  workspace: WorkspaceRow,
  prefix: string,
  out: string,
  {
    now,
    holder,
    onProgress,
  }: WriteOptions & { readonly now: Date; readonly holder?: NewHold | undefined },
): RolledBack {
  const source = { kind: "store", store, workspace } as const;
  const { committed, files } = commitAndWrite(source, out, onProgress, () => {
    store.checkIntegrity();
    const from = currentVersion(store, workspace);
    const versionId = findVersion(store, workspace, prefix);
    const version = storedVersion(store, workspace, versionId);
    proveReadable(version);
    const isOther = versionId !== from;
    const { history } = store;
    if (isOther) history.makeCurrent(workspace.number, versionId, "rollback", now);
    const before = history.hold(workspace.number);
    const hold = holder === undefined ? before : holdAfter(before, holder, now);
    history.setHold(workspace.number, hold);
    const plan = planFor(source, version, out, onProgress);
    return { committed: { versionId, from, rolledBack: isOther, hold }, plan };
  });
  return { workspaceId: workspace.id, ...committed, files };
}

/** R6b: reads all of a version, also what `out/` has already. */
function proveReadable({ documents, files, frozenBytes, fileBytes }: Version): void {
  for (const { path } of documents) frozenBytes(path);
  for (const { sha256 } of files) fileBytes(sha256);
}
