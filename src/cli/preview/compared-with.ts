import { existsSync, type Stats, statSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import {
  NOTHING,
  nothingPublished,
  type PublishedSide,
  type Snapshot,
} from "../../diff/snapshot.ts";
import type { Rendering } from "../../documents/rendering.ts";
import { serverUrl, withoutSecrets } from "../../http/server-url.ts";
import type { ComparedBase, SnapshotSource, StoredHistory } from "../../page/changes.ts";
import { DraftSnapshots } from "../../publish/draft-snapshots.ts";
import { MANIFEST } from "../../publish/manifest.ts";
import { readOutInParts } from "../../publish/read-out.ts";
import { readUrl } from "../../publish/read-url.ts";
import { PUBLISHED, type SideName, storedSide } from "../../publish/sides.ts";
import type { DraftOwner } from "../../server/draft-owner.ts";
import type { PreviewedDrafts } from "../../server/previewed-drafts.ts";
import type { Store } from "../../store/store.ts";
import type { WorkspaceRow } from "../../workspace/draft.ts";
import type { ErrorCode } from "../../workspace/error-codes.ts";
import { SvcError, UsageError } from "../../workspace/errors.ts";
import type { Work } from "../../workspace/work.ts";

/** What a draft is compared with (H30). */
export interface ComparedWith {
  /** What `--against` names. */
  readonly against?: SideName | undefined;
  /** A store that may have versions of the workspace; before it is made, there is none. */
  readonly store?: string | undefined;
  /** Published files, which are compared with where there is no version. */
  readonly out?: string | undefined;
}

/** @throws UsageError for a side that a preview cannot be compared with. */
export function assertComparable({ kind, name }: SideName): void {
  if (kind === "url") serverUrl(name);
  if (kind === "out" || kind === "url" || (kind === "store" && name !== "draft")) return;
  throw new UsageError(
    `a preview cannot be compared with "${withoutSecrets(name)}"`,
    "--against takes published files (out), an address that ends in /api/v1, or a version of the store",
  );
}

/**
 * H30: what `--against` names must be readable. An address is not read while a folder has faults, which
 * hide its projects.
 *
 * @throws SvcError of the first workspace, if all fail.
 */
export async function assertCompared({ against }: ComparedWith, owner: DraftOwner): Promise<void> {
  if (against === undefined) return;
  const bases: ComparedBase[] = [];
  for (const { id } of await owner.workspaces()) {
    const answer = await owner.answer("compared-with", `${new URLSearchParams({ workspace: id })}`);
    if (answer !== undefined) bases.push(JSON.parse(answer.toString()));
  }
  const [problem] = bases.flatMap(({ problem: one }) => one ?? []);
  if (problem === undefined || bases.some((one) => one.problem === undefined)) return;
  const { code, message, hint } = problem;
  throw new SvcError(code as ErrorCode, message, hint === undefined ? {} : { hint });
}

/** How often files are looked at, in milliseconds. */
const WATCHED = 1000;

/** Calls `changed` when another process may have published; returns a function that stops it. */
export function watchPublished(comparedWith: ComparedWith, changed: () => void): () => void {
  const { store } = comparedWith;
  const out = outOf(comparedWith);
  const files = [out && join(out, MANIFEST), store, store && `${store}-wal`].filter(
    (file) => file !== undefined,
  );
  const look = async () => {
    const all = files.map((file) => stat(file).then(markOf, () => ""));
    return (await Promise.all(all)).join();
  };
  let last: string | undefined;
  const timer = setInterval(async () => {
    const now = await look();
    if (last !== undefined && last !== now) changed();
    last = now;
  }, WATCHED);
  timer.unref();
  return () => clearInterval(timer);
}

function markOf({ ino, size, mtimeMs }: Stats): string {
  return `${ino} ${size} ${mtimeMs}`;
}

/** What is published, from wherever that is. It is read again only when it has changed. */
export class ComparedVersions implements SnapshotSource {
  readonly #with: ComparedWith;
  readonly #open: ((file: string) => Store) | undefined;
  readonly #previewed: PreviewedDrafts;
  #store: Store | undefined;
  readonly #drafts = new DraftSnapshots();
  /** By workspace id, what was read last; `mark`: of which state of `out/`. */
  readonly #read = new Map<string, { readonly mark?: string; readonly side: PublishedSide }>();
  /** By workspace id, what an address has, or why it cannot be read. */
  readonly #fetched = new Map<string, PublishedSide | SvcError>();

  /** @param open of the module that loads SQLite; undefined: there is no store. */
  constructor(
    comparedWith: ComparedWith,
    drafts: PreviewedDrafts,
    open: ((file: string) => Store) | undefined,
  ) {
    this.#with = comparedWith;
    this.#previewed = drafts;
    this.#open = open;
  }

  /** Reads the address, if there is one, once for each workspace. */
  async fetch(): Promise<void> {
    const { against } = this.#with;
    if (against?.kind !== "url") return;
    const drafts = this.#previewed;
    for (const row of drafts.workspaces()) {
      if (this.#fetched.has(row.id)) continue;
      const projectIds = drafts.read(() => drafts.draft(row).projects.map(({ id }) => id));
      const read = readUrl(against.name, projectIds, () => {});
      this.#fetched.set(row.id, await read.catch(expected));
    }
  }

  draft(rendering: Rendering): Work<Snapshot> {
    return this.#drafts.of(rendering);
  }

  mark(): string {
    if (this.#with.against?.kind === "url") return "";
    try {
      const store = this.#openStore();
      return `${store?.identity} ${store?.changeMark} ${fileMark(outOf(this.#with))}`;
    } catch (error) {
      return (error as Error).message;
    }
  }

  *published(workspace: WorkspaceRow): Generator<void, PublishedSide> {
    const { against } = this.#with;
    const { id } = workspace;
    if (against?.kind === "url") {
      const fetched = this.#fetched.get(id) ?? nothingPublished("url", against.name);
      if (fetched instanceof Error) throw fetched;
      return fetched;
    }
    const before = this.#read.get(id);
    const stored = against?.kind !== "out" && this.#version(workspace, against?.name, before?.side);
    const out = outOf(this.#with);
    if (stored) this.#read.set(id, { side: stored });
    else if (out === undefined) return nothingPublished("store", "");
    else if (before?.mark !== fileMark(out)) {
      const mark = fileMark(out);
      this.#read.set(id, { mark, side: yield* readOutInParts(out, id) });
    }
    return this.#read.get(id)?.side as PublishedSide;
  }

  version(workspace: WorkspaceRow, versionId: string): Snapshot {
    return this.#version(workspace, versionId)?.snapshot ?? NOTHING;
  }

  history(workspace: WorkspaceRow): StoredHistory | undefined {
    const [store, row] = this.#stored(workspace);
    if (store === undefined) return undefined;
    const { history } = store;
    const number = row?.number ?? -1;
    return store.read(() => ({
      current: history.current(number) ?? null,
      versions: history.list(number),
      journal: history.journal(number),
      hold: history.hold(number) ?? null,
    }));
  }

  /** Undefined: no version of the workspace is the current one. */
  #version(
    workspace: WorkspaceRow,
    named = PUBLISHED.name,
    before?: PublishedSide,
  ): PublishedSide | undefined {
    const [store, row] = this.#stored(workspace);
    if (store !== undefined && row !== undefined) {
      const side = store.read(() => storedSide(store, row, named, before));
      return side.versionId === null ? undefined : side;
    }
    if (named === PUBLISHED.name) return undefined;
    const where =
      store === undefined ? "there is no store" : `"${store.file}" lacks "${workspace.id}"`;
    throw new SvcError("version-not-found", `there is no version "${named}": ${where}`, {
      hint: "name the store in svc.config.json; svc versions lists what it has",
    });
  }

  #stored({ id }: WorkspaceRow): readonly [Store | undefined, WorkspaceRow | undefined] {
    const store = this.#openStore();
    // In a transaction, whose errors say what is wrong with the store.
    return [store, store?.read(() => store.workspaces().find((one) => one.id === id))];
  }

  /** Another file may have its name meanwhile. */
  #openStore(): Store | undefined {
    const { store: file } = this.#with;
    if (file === undefined) return undefined;
    try {
      this.#store?.checkInPlace();
    } catch {
      this.#store?.close();
      this.#store = undefined;
      this.#read.clear();
    }
    if (this.#store === undefined && existsSync(file)) this.#store = this.#open?.(file);
    return this.#store;
  }
}

function outOf({ against, out }: ComparedWith): string | undefined {
  return against?.kind === "out" ? against.name : out;
}

function expected(error: unknown): SvcError {
  if (error instanceof SvcError) return error;
  throw error;
}

/** Changes when `out` is written: a publish writes its manifest last. */
function fileMark(out: string | undefined): string {
  if (out === undefined) return "";
  const stats = statSync(join(out, MANIFEST), { throwIfNoEntry: false });
  return stats === undefined ? "" : markOf(stats);
}
