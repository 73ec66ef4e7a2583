import type { Asset } from "./asset.ts";
import type { Block, Entry, Feature, Model, Project, Workspace } from "./records.ts";

/**
 * What a renderer reads: one state of one workspace. Small things are at hand; entries, assets
 * and bytes are fetched by id, so that a workspace larger than memory can be rendered.
 */
export interface Draft {
  readonly workspace: Workspace;
  /** Each list is in order of the ids, by code unit. */
  readonly models: readonly Model[];
  readonly blocks: readonly Block[];
  readonly features: readonly Feature[];
  readonly projects: readonly Project[];
  entry(id: string): Entry | undefined;
  /** The model id of an entry of this workspace. Cheaper than `entry`. */
  entryModelId(id: string): string | undefined;
  /** Whether another workspace of the store has an entry with this id. */
  isForeignEntry(id: string): boolean;
  asset(id: string): Asset | undefined;
  /** The bytes of an asset that the store holds, by lower-case hex SHA-256. */
  fileBytes(sha256: string): Uint8Array | undefined;
  /** The id and the model id of every entry, in order of the ids by code unit. */
  entryModels(): Iterable<readonly [id: string, modelId: string]>;
  /** Every entry once, in order of the ids by code unit. */
  entries(): Iterable<Entry>;
  readonly entryCount: number;
}
