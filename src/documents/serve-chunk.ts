import { RecordServing } from "../fields/record-serving.ts";
import type { Serving } from "../fields/serving.ts";
import type { JsonObject } from "../workspace/json.ts";
import type { Problem } from "../workspace/problem.ts";
import type { Entry } from "../workspace/records.ts";
import { canonicalJson } from "./canonical-json.ts";
import type { EntryLookup } from "./entry-lookup.ts";
import { Names } from "./names.ts";
import type { SchemaValidator } from "./schema-validator.ts";
import type { Pack, TextSink } from "./text-packs.ts";

/** Entries that are served together: their numbers, and those of their rows. */
export interface Chunk {
  readonly entries: Int32Array;
  readonly rows: Float64Array;
}

/** A list of numbers for each entry, one behind the other. */
export interface Lists {
  readonly counts: Uint32Array;
  readonly numbers: Int32Array;
}

/** What the entries of a chunk were served as, in columns, which can go from thread to thread. */
export interface ServedChunk {
  readonly entries: Int32Array;
  /** The number of a text that is known; a new one: -1 - (pack * PLACES + place) of `packs`. */
  readonly texts: Float64Array;
  readonly packs: readonly Pack[];
  /** Of each pointer the number of its target, or -1 - number in `missing`; then that in `paths`. */
  readonly pointers: Lists;
  readonly missing: readonly string[];
  readonly paths: readonly string[];
  readonly assets: Lists;
  readonly assetIds: readonly string[];
  readonly files: Lists;
  /** Each as SHA-256, a space, file name. */
  readonly heldFiles: readonly string[];
  readonly problems: readonly (readonly [entry: number, problems: readonly Problem[]])[];
  /** S4: what the schema refuses in entries without errors. */
  readonly unproven: readonly (readonly [entry: number, fault: string])[];
}

/** An entry as served, with what the walk through its data finds. */
export function serveEntry(
  lookup: EntryLookup,
  entry: Entry,
): { data: JsonObject; serving: Serving } {
  const model = lookup.models.get(entry.modelId);
  const serving = new RecordServing(lookup, { kind: "entry", id: entry.id });
  if (model === undefined) {
    serving.report("model-missing", { modelId: entry.modelId });
  }
  return { data: serving.data(model?.fields ?? [], entry.data), serving };
}

/** The text by which documents show an entry: canonical JSON. */
export function entryText(lookup: EntryLookup, { id, modelId }: Entry, data: JsonObject): string {
  return canonicalJson({ contentModelKey: lookup.models.get(modelId)?.key ?? null, data, id });
}

/** Why the schema refuses the served data, although our own checks found no error (S4). */
export function entryFault(
  lookup: EntryLookup,
  { id, modelId }: Entry,
  { data, serving }: { data: JsonObject; serving: Serving },
  proof: SchemaValidator,
): string | undefined {
  const model = lookup.models.get(modelId);
  if (model === undefined || serving.problems.some(({ level }) => level === "error")) {
    return undefined;
  }
  const fault = proof.fault(`contentModels/${model.key}`, data);
  return fault && `entry "${id}": ${fault}`;
}

/** Serves a chunk: every entry is resolved, checked, made into text, and proven if `proof` is given. */
export function serveChunk(
  { entries, rows }: Chunk,
  lookup: EntryLookup,
  sink: TextSink,
  proof: SchemaValidator | undefined,
): ServedChunk {
  const texts = new Float64Array(entries.length);
  const [missing, paths, assetIds, heldFiles] = [
    new Names(),
    new Names(),
    new Names(),
    new Names(),
  ];
  const [pointers, assets, files] = [new ListBuilder(), new ListBuilder(), new ListBuilder()];
  const problems: [number, readonly Problem[]][] = [];
  const unproven: [number, string][] = [];
  for (let at = 0; at < entries.length; at += 1) {
    const number = entries[at] as number;
    const entry = lookup.entry(number, rows[at] as number);
    const served = serveEntry(lookup, entry);
    const { data, serving } = served;
    texts[at] = sink.add(entryText(lookup, entry, data), number);
    pointers.add(
      serving.pointers.flatMap(({ path, target, entry: found }) => [
        found ?? -1 - missing.number(target),
        paths.number(path),
      ]),
    );
    assets.add([...new Set(serving.assets)].map((id) => assetIds.number(id)));
    files.add(
      serving.files.map(({ sha256, fileName }) => heldFiles.number(`${sha256} ${fileName}`)),
    );
    if (serving.problems.length > 0) problems.push([number, serving.problems]);
    const fault = proof && entryFault(lookup, entry, served, proof);
    if (fault !== undefined) unproven.push([number, fault]);
  }
  return {
    ...{ entries, texts, packs: sink.finish(), problems, unproven },
    ...{ pointers: pointers.lists(), missing: missing.list, paths: paths.list },
    ...{ assets: assets.lists(), assetIds: assetIds.list },
    ...{ files: files.lists(), heldFiles: heldFiles.list },
  };
}

class ListBuilder {
  readonly #counts: number[] = [];
  readonly #numbers: number[] = [];

  add(numbers: readonly number[]): void {
    this.#counts.push(numbers.length);
    for (const number of numbers) this.#numbers.push(number);
  }

  lists(): Lists {
    return { counts: Uint32Array.from(this.#counts), numbers: Int32Array.from(this.#numbers) };
  }
}
