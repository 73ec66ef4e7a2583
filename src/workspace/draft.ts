import type { Asset } from "./asset.ts";
import type { JsonObject } from "./json.ts";
import type { Language } from "./language.ts";
import type { Block, Entry, Feature, Model, Project, Publishing, Workspace } from "./records.ts";

/** An entry without its data: the number of its row, its id, the id of its model. */
export type EntryLine = readonly [number: number, id: string, modelId: string];

/**
 * What a renderer reads: one state of one workspace. Definitions are in memory; entries, assets and
 * bytes are fetched one by one, so that a workspace larger than memory can be rendered.
 */
export interface Draft {
  readonly workspace: Workspace;
  /** Grows with every change of the draft. */
  readonly revision: number;
  /** Each list is in order of the ids, by code unit. */
  readonly models: readonly Model[];
  readonly blocks: readonly Block[];
  readonly features: readonly Feature[];
  readonly projects: readonly Project[];
  entry(id: string): Entry | undefined;
  /** Whether another workspace of the store has an entry with this id. */
  isForeignEntry(id: string): boolean;
  asset(id: string): Asset | undefined;
  /** The assets with a file that the store holds and that has no pixel size, in order of the ids. */
  unmeasuredAssets(): Iterable<Asset>;
  /** The bytes of an asset that the store holds, by lower-case hex SHA-256. */
  fileBytes(sha256: string): Uint8Array | undefined;
  /** Every entry once, in order of the ids by code unit. */
  entries(): Iterable<Entry>;
  readonly entryCount: number;
  readonly changes: DraftChanges;
}

/** What changed since an earlier revision of a draft. */
export interface DraftChanges {
  /** The revision at which an entry was removed last. */
  readonly entryRemoved: number;
  /** The revision at which an asset was added, changed or removed last. */
  readonly assetChanged: number;
  /** The entries that were added or changed after a revision, in the order of their rows. */
  entriesSince(revision: number): Iterable<EntryLine>;
  /** What entries say about whether they are published, by id; most say nothing. */
  publishing(): ReadonlyMap<string, Publishing>;
  /** The numbers of the rows of all entries. */
  entryNumbers(): readonly number[];
  /** The stored values of an entry by the number of its row. */
  storedData(number: number, id: string, modelId: string): JsonObject;
  /** B1: the languages of the projects that were added or changed after a revision, by id. */
  languagesSince(revision: number): readonly (readonly [projectId: string, Language])[];
  /** The ids of all projects, in order by code unit. */
  projectIds(): readonly string[];
  /** The ids of the projects that were added or changed after a revision. */
  projectsSince(revision: number): readonly string[];
  /** A project, when not all are needed at once. */
  project(id: string): Project | undefined;
  /** The revision at which each asset was added or changed last, by id. */
  assetRevisions(): ReadonlyMap<string, number>;
  /** Which of these ids are those of entries of other workspaces of the store. */
  foreignEntries(ids: readonly string[]): ReadonlySet<string>;
}
