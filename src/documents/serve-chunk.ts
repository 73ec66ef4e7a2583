import { RecordServing } from "../fields/record-serving.ts";
import type { Serving } from "../fields/serving.ts";
import { suggested } from "../fields/suggested.ts";
import type { JsonObject } from "../workspace/json.ts";
import { NO_LANGUAGE } from "../workspace/language.ts";
import type { Problem } from "../workspace/problem.ts";
import type { Entry } from "../workspace/records.ts";
import { canonicalJson } from "./canonical-json.ts";
import type { EntryLookup } from "./entry-lookup.ts";
import { Names } from "./names.ts";
import type { SchemaValidator } from "./schema-validator.ts";
import type { Pack, TextSink } from "./text-packs.ts";
import { uniqueHashes } from "./unique-hashes.ts";

/** Entries that are served together: their numbers, or those of their forms, and their rows. */
export interface Chunk {
  readonly entries: Int32Array;
  readonly rows: Float64Array;
  /** B1: the number of the language in which each is served. */
  readonly languages: Uint16Array;
}

/** A list of numbers for each entry, concatenated. */
export interface Lists {
  readonly counts: Uint32Array;
  readonly numbers: Int32Array;
}

/** The served entries of a chunk, in columns that can be passed between threads. */
export interface ServedChunk {
  readonly entries: Int32Array;
  /** The number of a known text; for a new one -1 - (pack * PLACES + place) in `packs`. */
  readonly texts: Float64Array;
  /** Of each text, in bytes of UTF-8. */
  readonly sizes: Int32Array;
  readonly packs: readonly Pack[];
  /** For each pointer the number of its target, or -1 - index in `missing`; then the index in `paths`. */
  readonly pointers: Lists;
  readonly missing: readonly string[];
  readonly paths: readonly string[];
  readonly assets: Lists;
  readonly assetIds: readonly string[];
  readonly files: Lists;
  /** Each as SHA-256, a space, file name. */
  readonly heldFiles: readonly string[];
  /** V10. */
  readonly uniques: Lists;
  readonly problems: readonly (readonly [entry: number, problems: readonly Problem[]])[];
  /** S4: entries without errors that violate the schema. */
  readonly schemaFaults: readonly (readonly [entry: number, fault: string])[];
}

/** The served data of an entry, with the walk that collected its pointers and problems. */
export function serveEntry(
  lookup: EntryLookup,
  entry: Entry,
  language: number,
): { data: JsonObject; serving: Serving } {
  const model = lookup.models.get(entry.modelId);
  const serving = new RecordServing(
    lookup,
    { kind: "entry", id: entry.id },
    lookup.languages[language] ?? NO_LANGUAGE,
  );
  if (model !== undefined) return { data: serving.data(model.fields, entry.data), serving };
  const { modelId } = entry;
  const meant = suggested(modelId, lookup.models, () => lookup.models.keys());
  serving.report("model-missing", { modelId, ...meant });
  return { data: {}, serving };
}

/** The text of an entry in documents: canonical JSON. */
export function entryText(lookup: EntryLookup, { id, modelId }: Entry, data: JsonObject): string {
  return canonicalJson({ contentModelKey: lookup.models.get(modelId)?.key ?? null, data, id });
}

/** Why the served data violates the schema although our checks found no error (S4). */
export function entryFault(
  lookup: EntryLookup,
  { id, modelId }: Entry,
  { data, serving }: { data: JsonObject; serving: Serving },
  validator: SchemaValidator,
): string | undefined {
  const model = lookup.models.get(modelId);
  if (model === undefined || serving.problems.some(({ level }) => level === "error")) {
    return undefined;
  }
  const fault = validator.fault(`contentModels/${model.key}`, data);
  return fault && `entry "${id}": ${fault}`;
}

/** Serves every entry of a chunk, and validates it if there is a `validator`. */
export function serveChunk(
  { entries, rows, languages }: Chunk,
  lookup: EntryLookup,
  sink: TextSink,
  validator: SchemaValidator | undefined,
): ServedChunk {
  const texts = new Float64Array(entries.length);
  const sizes = new Int32Array(entries.length);
  const [missing, paths, assetIds, heldFiles] = [
    new Names(),
    new Names(),
    new Names(),
    new Names(),
  ];
  const [pointers, assets, files] = [new ListBuilder(), new ListBuilder(), new ListBuilder()];
  const uniques = new ListBuilder();
  const problems: [number, readonly Problem[]][] = [];
  const schemaFaults: [number, string][] = [];
  for (let at = 0; at < entries.length; at += 1) {
    const number = entries[at] as number;
    const entry = lookup.entry(number, rows[at] as number);
    const language = languages[at] as number;
    const served = serveEntry(lookup, entry, language);
    const { data, serving } = served;
    const text = entryText(lookup, entry, data);
    texts[at] = sink.add(text, number);
    sizes[at] = Buffer.byteLength(text);
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
    uniques.add(uniqueHashes(lookup, entry, language));
    if (serving.problems.length > 0) problems.push([number, serving.problems]);
    const fault = validator && entryFault(lookup, entry, served, validator);
    if (fault !== undefined) schemaFaults.push([number, fault]);
  }
  return {
    ...{ entries, texts, sizes, packs: sink.finish(), problems, schemaFaults },
    ...{ pointers: pointers.lists(), missing: missing.list, paths: paths.list },
    ...{ assets: assets.lists(), assetIds: assetIds.list },
    ...{ files: files.lists(), heldFiles: heldFiles.list },
    uniques: uniques.lists(),
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
