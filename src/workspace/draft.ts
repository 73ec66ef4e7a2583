import type { Asset } from "./asset.ts";
import type { JsonObject } from "./json.ts";
import type {
  Block,
  Counts,
  Entry,
  Feature,
  Kind,
  Model,
  Project,
  Publishing,
  Workspace,
} from "./records.ts";

/**
 * An entry without its values, which are read when they are needed. As long as an entry does not
 * change, all states of a draft have the same object for it.
 */
export interface EntryHead {
  readonly id: string;
  readonly modelId: string;
  /** Undefined: it says nothing about that, so it is published. */
  readonly publishing: Publishing | undefined;
}

/**
 * What a renderer reads: one state of one workspace. All is in memory, but for the values of entries
 * and the bytes of files, so that a workspace larger than memory can be rendered.
 */
export interface Draft {
  readonly workspace: Workspace;
  /** Each list is in order of the ids, by code unit, and the same object in all states in which it does not change. */
  readonly models: readonly Model[];
  readonly blocks: readonly Block[];
  readonly features: readonly Feature[];
  readonly projects: readonly Project[];
  /** By id, in the order in which their values are read fastest. */
  readonly entries: ReadonlyMap<string, EntryHead>;
  /** The stored values of an entry of this draft. */
  dataOf(entry: EntryHead): JsonObject;
  /** By id, in no stated order. The same object in all states in which it does not change. */
  readonly assets: ReadonlyMap<string, Asset>;
  /** The bytes of an asset that the workspace holds, by lower-case hex SHA-256. */
  fileBytes(sha256: string): Uint8Array | undefined;
  /** Whether another workspace of the store has an entry with this id. */
  isForeignEntry(id: string): boolean;
}

/** An entry with its values; undefined when the draft does not have it. */
export function entryOf(draft: Draft, id: string): Entry | undefined {
  const head = draft.entries.get(id);
  return head && withData(draft, head);
}

export function withData(draft: Draft, head: EntryHead): Entry {
  const { id, modelId, publishing } = head;
  return { id, modelId, ...publishing, data: draft.dataOf(head) };
}

/** Every entry with its values, in order of the ids by code unit. */
export function* entriesInOrder(draft: Draft): Generator<Entry> {
  for (const id of entryIds(draft)) yield entryOf(draft, id) as Entry;
}

/** In order by code unit. */
export function entryIds({ entries }: Draft): string[] {
  return [...entries.keys()].sort();
}

/** How many records of each kind it has. */
export function countsOf(draft: Pick<Draft, Kind>): Counts {
  const { models, blocks, features, projects, entries, assets } = draft;
  return {
    models: models.length,
    blocks: blocks.length,
    features: features.length,
    projects: projects.length,
    entries: entries.size,
    assets: assets.size,
  };
}

/** A workspace of a store, and the state of its draft. */
export interface WorkspaceRow {
  readonly number: number;
  readonly id: string;
  /** Grows with every change of the draft. */
  readonly revision: number;
}
