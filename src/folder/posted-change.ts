import { deserialize, serialize } from "node:v8";
import type { HeldBytes } from "../documents/held-bytes.ts";
import type { Publishing } from "../workspace/records.ts";
import type { FolderChange } from "./folder-change.ts";
import type { FolderEntry } from "./folder-draft.ts";

/** A change as it is posted: 100,000 entries as objects would take each thread half a second. */
export interface PostedChange extends Pick<FolderChange, "files"> {
  readonly entries: PostedEntries;
  /** Lists and assets, serialized once for all threads. */
  readonly others: Uint8Array;
}

interface PostedEntries {
  /** One a line: ids have no line ends (I1). */
  readonly ids: string;
  readonly modelIds: readonly string[];
  readonly chunks: readonly HeldBytes["chunk"][];
  /** Of each entry: the places of its model and its chunk in these lists, and its part of the chunk. */
  readonly numbers: Uint32Array;
  /** By the place of the entry. */
  readonly publishing: ReadonlyMap<number, Publishing>;
  readonly removed: readonly string[];
}

const NUMBERS = 4;

export function posted({ entries, files, ...others }: FolderChange): PostedChange {
  const { put, removed } = entries;
  const models = new Map<string, number>();
  const chunks = new Map<HeldBytes["chunk"], number>();
  const numbers = new Uint32Array(NUMBERS * put.size);
  const publishing = new Map<number, Publishing>();
  let next = 0;
  for (const entry of put.values()) {
    if (entry.publishing !== undefined) publishing.set(next / NUMBERS, entry.publishing);
    numbers[next++] = placeIn(models, entry.modelId);
    numbers[next++] = placeIn(chunks, entry.chunk);
    numbers[next++] = entry.at;
    numbers[next++] = entry.size;
  }
  const ids = [...put.keys()].join("\n");
  const lists = { modelIds: [...models.keys()], chunks: [...chunks.keys()] };
  return {
    files,
    entries: { ids, ...lists, numbers, publishing, removed },
    others: serialize(others),
  };
}

function placeIn<T>(places: Map<T, number>, value: T): number {
  const known = places.get(value);
  if (known === undefined) places.set(value, places.size);
  return known ?? places.size - 1;
}

export function received({ entries, files, others }: PostedChange): FolderChange {
  const { ids, modelIds, chunks, numbers, publishing, removed } = entries;
  const put = new Map<string, FolderEntry>();
  let next = 0;
  for (const id of ids === "" ? [] : ids.split("\n")) {
    const entry = {
      id,
      modelId: modelIds[numbers[next] as number] as string,
      publishing: publishing.get(next / NUMBERS),
      chunk: chunks[numbers[next + 1] as number] as HeldBytes["chunk"],
      at: numbers[next + 2] as number,
      size: numbers[next + 3] as number,
    };
    put.set(id, entry);
    next += NUMBERS;
  }
  return { ...deserialize(others), files, entries: { put, removed } };
}
