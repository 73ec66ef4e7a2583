import type { Draft } from "../workspace/draft.ts";
import type { Language } from "../workspace/language.ts";
import { type EntryColumns, EntryLookup } from "./entry-lookup.ts";
import { columnsOf } from "./entry-table.ts";
import { IdIndex, type SharedIds } from "./id-index.ts";
import type { Rendering } from "./rendering.ts";
import { definitionsValidator } from "./schema-validator.ts";
import { type Chunk, type ServedChunk, serveChunk } from "./serve-chunk.ts";
import { type SharedTexts, TextIndex } from "./text-index.ts";
import { PackSink } from "./text-packs.ts";

/** The input of another thread that serves entries of a rendering, in shared memory. */
export interface ServingTask {
  readonly workspaceId: string;
  readonly revision: number;
  readonly ids: SharedIds;
  readonly models: Int32Array;
  readonly modelIds: readonly string[];
  readonly hidden: EntryColumns["hidden"];
  readonly languages: readonly Language[];
  readonly texts: SharedTexts | undefined;
}

export function servingTask({ draft, table, texts, lookup }: Rendering): ServingTask {
  return {
    workspaceId: draft.workspace.id,
    revision: draft.revision,
    ids: table.ids.shared,
    models: table.models,
    modelIds: table.modelIds.list,
    hidden: columnsOf(table).hidden,
    languages: lookup.languages,
    texts: texts?.index.shared,
  };
}

/** Serves chunks of the task, given the same revision of its draft. */
export function chunkServer(draft: Draft, task: ServingTask): (chunk: Chunk) => ServedChunk {
  const { models, modelIds, hidden } = task;
  const columns = { ids: new IdIndex(task.ids), models, modelIds, hidden };
  const lookup = new EntryLookup(draft, columns, task.languages);
  const known = new TextIndex(task.texts);
  const validator = definitionsValidator(draft);
  return (chunk) => serveChunk(chunk, lookup, new PackSink(known), validator);
}
