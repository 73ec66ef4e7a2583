import { existsSync, type Stats, statSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { PublishedDocuments } from "../../diff/published-documents.ts";
import { NOTHING, type Snapshot } from "../../diff/snapshot.ts";
import type { Rendering } from "../../documents/rendering.ts";
import { serverUrl, withoutSecrets } from "../../http/server-url.ts";
import type {
  ComparedBase,
  PublishedSnapshot,
  SnapshotSource,
  StoredHistory,
} from "../../page/changes.ts";
import type { DraftAnswers } from "../../page/draft-data.ts";
import { DraftSnapshots } from "../../publish/draft-snapshots.ts";
import { EMPTY_MANIFEST, MANIFEST, readManifest } from "../../publish/manifest.ts";
import { readOut } from "../../publish/read-out.ts";
import { readUrl } from "../../publish/read-url.ts";
import { findVersion, snapshotOf, storedVersion } from "../../publish/version.ts";
import type { PreviewedDrafts } from "../../server/previewed-drafts.ts";
import type { Store } from "../../store/store.ts";
import type { WorkspaceRow } from "../../workspace/draft.ts";
import type { ErrorCode } from "../../workspace/error-codes.ts";
import { SvcError, UsageError } from "../../workspace/errors.ts";
import type { SideName } from "../diff/side-names.ts";

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

const NOTHING_PUBLISHED: PublishedSnapshot = {
  kind: "store",
  name: "",
  versionId: null,
  at: null,
  snapshot: NOTHING,
};

interface Known {
  readonly mark: string;
  /** Of what was read: the same one is not read again. */
  readonly key: string;
  readonly published: PublishedSnapshot | SvcError;
}

/**
 * H30: what `--against` names must be readable. An address is not read while a folder has faults, which
 * hide its projects.
 *
 * @throws SvcError of the first workspace, if all fail.
 */
export async function assertCompared(
  { against }: ComparedWith,
  drafts: PreviewedDrafts,
  answers: DraftAnswers,
): Promise<void> {
  if (against === undefined) return;
  const bases: ComparedBase[] = [];
  for (const { id } of drafts.read(() => drafts.workspaces())) {
    const query = new URLSearchParams({ workspace: id }).toString();
    const answer = await answers.answer("compared-with", query, new AbortController().signal);
    if (answer !== undefined) bases.push(JSON.parse(answer));
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
  #store: Store | undefined;
  readonly #drafts = new DraftSnapshots();
  /** By workspace id. */
  readonly #known = new Map<string, Known>();

  /** @param open of the module that loads SQLite; undefined: there is no store. */
  constructor(comparedWith: ComparedWith, open: ((file: string) => Store) | undefined) {
    this.#with = comparedWith;
    this.#open = open;
  }

  /** Reads the address, if there is one, once for each workspace; `published` throws what failed. */
  async fetch(drafts: PreviewedDrafts): Promise<void> {
    const { against } = this.#with;
    if (against?.kind !== "url") return;
    for (const row of drafts.workspaces()) {
      if (this.#known.has(row.id)) continue;
      const projectIds = drafts.read(() => drafts.draft(row).projects.map(({ id }) => id));
      const documents = new PublishedDocuments();
      const name = withoutSecrets(against.name);
      const published = await readUrl(against.name, projectIds, documents, () => {}).then(
        (found): PublishedSnapshot => {
          const versionId = found ?? null;
          return { kind: "url", name, versionId, at: null, snapshot: documents.snapshot() };
        },
        expected,
      );
      this.#known.set(row.id, { mark: "", key: "", published });
    }
  }

  draft(rendering: Rendering): Snapshot {
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

  published(workspace: WorkspaceRow): PublishedSnapshot {
    const mark = this.mark();
    let known = this.#known.get(workspace.id);
    if (known?.mark !== mark) {
      known = { mark, ...this.#readNow(workspace, known) };
      this.#known.set(workspace.id, known);
    }
    if (known.published instanceof Error) throw known.published;
    return known.published;
  }

  version(workspace: WorkspaceRow, versionId: string): Snapshot {
    const [store, row] = this.#stored(workspace);
    if (store === undefined || row === undefined) return NOTHING;
    return store.read(() =>
      snapshotOf(storedVersion(store, row, findVersion(store, row, versionId))),
    );
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

  #readNow(workspace: WorkspaceRow, known: Known | undefined): Omit<Known, "mark"> {
    const { against } = this.#with;
    try {
      const named = against?.kind === "out" ? null : against?.name;
      const stored = named !== null && this.#version(workspace, named, known);
      if (stored) return stored;
      const folder = outOf(this.#with);
      if (folder === undefined) return { key: "", published: NOTHING_PUBLISHED };
      const key = `out ${fileMark(folder)}`;
      return known?.key === key ? known : { key, published: readFrom(folder, workspace.id) };
    } catch (error) {
      return { key: "", published: expected(error) };
    }
  }

  /** @param named a version; default: the current one, if there is one. */
  #version(workspace: WorkspaceRow, named = "published", known?: Known) {
    const [store, row] = this.#stored(workspace);
    const isCurrent = named === "published";
    if (store === undefined || row === undefined) {
      if (isCurrent) return undefined;
      const where =
        store === undefined ? "there is no store" : `"${store.file}" lacks "${workspace.id}"`;
      throw new SvcError("version-not-found", `there is no version "${named}": ${where}`, {
        hint: "name the store in svc.config.json; svc versions lists what it has",
      });
    }
    const { history, file: name } = store;
    return store.read((): Omit<Known, "mark"> | undefined => {
      const { number } = row;
      const versionId = isCurrent ? history.current(number) : findVersion(store, row, named);
      if (versionId === undefined) return undefined;
      const listed = history.list(number).find((one) => one.versionId === versionId);
      const at = listed?.publishedAt ?? null;
      const key = `store ${store.identity} ${versionId} ${at}`;
      if (known?.key === key) return known;
      const snapshot = snapshotOf(storedVersion(store, row, versionId));
      return { key, published: { kind: "store", name, versionId, at, snapshot } };
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

function readFrom(out: string, workspaceId: string): PublishedSnapshot {
  const documents = new PublishedDocuments();
  const found = readOut(out, workspaceId, documents);
  if (found === undefined) {
    const others = Object.keys((readManifest(out) ?? EMPTY_MANIFEST).workspaces);
    const nothing = { kind: "out", name: out, versionId: null, at: null } as const;
    return { ...nothing, snapshot: NOTHING, ...(others.length > 0 && { others }) };
  }
  const { versionId } = found;
  const at = statSync(join(out, MANIFEST)).mtime.toISOString();
  return { kind: "out", name: out, versionId, at, snapshot: documents.snapshot() };
}
