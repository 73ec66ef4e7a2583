import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { isId } from "../workspace/ids.ts";
import { isJsonObject, type JsonValue, pathIn } from "../workspace/json.ts";
import type {
  FilePlace,
  PlacedProblem,
  PlaceOf,
  ProblemCode,
  ProblemPlace,
} from "../workspace/problem.ts";
import type { Kind } from "../workspace/records.ts";
import { openReading } from "./reading.ts";
import { type ReadValue, readJsonFile, recordTexts, workspaceText } from "./record-texts.ts";

const KIND: Readonly<Record<Exclude<ProblemPlace["kind"], "workspace">, Kind>> = {
  asset: "assets",
  entry: "entries",
  project: "projects",
  model: "models",
  block: "blocks",
};

/**
 * P13a: where problems of an imported folder are in its files. Parses the records that have problems only:
 * of a folder of files first those that are named after an id, there and below it, of NDJSON the lines with such an id.
 *
 * @returns a function that gives the place of one of them, relative to the folder; of a value that is missing, the nearest
 *   existing one around it; undefined when its record is not there any more.
 */
export function findPlaces(folder: string, wanted: readonly PlacedProblem[]): PlaceOf {
  const found = new Map<string, FilePlace>();
  for (const [kind, places] of Map.groupBy(wanted, ({ at }) => at.kind)) {
    const missing = Map.groupBy(places, ({ at }) => at.id);
    for (const read of candidates(folder, kind, missing)) {
      const id = isJsonObject(read.value) ? read.value.id : undefined;
      const here = typeof id === "string" ? missing.get(id) : undefined;
      if (here === undefined) continue;
      missing.delete(id as string);
      for (const one of here) found.set(keyOf(one), placeIn(read, one));
      if (missing.size === 0) break;
    }
  }
  return (problem) => found.get(keyOf(problem));
}

function keyOf({ code, at }: PlacedProblem): string {
  return `${at.kind} ${at.id} ${pointerTo(code, at)}`;
}

function* candidates(
  folder: string,
  kind: ProblemPlace["kind"],
  missing: ReadonlyMap<string, unknown>,
): Generator<ReadValue> {
  // The folder was imported without faults, or has changed since.
  const reading = openReading(resolve(folder));
  if (kind === "workspace") {
    const read = workspaceText(reading);
    if (read !== undefined) yield read;
    return;
  }
  const records = KIND[kind];
  // Listing 100,000 files takes most of a second.
  for (const id of [...missing.keys()].filter(isId)) {
    for (const file of [`${records}/${id}.json`, `${records}/${id}.jsonc`]) {
      const read = existsSync(join(folder, file)) && readJsonFile(reading, file);
      if (read) yield read;
    }
  }
  if (missing.size === 0) return;
  if (existsSync(join(folder, records))) {
    for (const file of readdirSync(join(folder, records), { recursive: true, encoding: "utf8" })) {
      const path = file.replaceAll("\\", "/");
      const [, name = ""] = /([^/]*)\.jsonc?$/.exec(path) ?? [];
      const read = missing.has(name) && readJsonFile(reading, `${records}/${path}`);
      if (read) yield read;
    }
  }
  if (missing.size === 0) return;
  const isWanted = (line: Uint8Array) => {
    const id = leadingId(line);
    if (id !== undefined) return missing.has(id);
    // Ids are ASCII (I1).
    const text = Buffer.from(line.buffer, line.byteOffset, line.length).toString("latin1");
    for (const [, id = ""] of text.matchAll(ID)) if (missing.has(id)) return true;
    return false;
  };
  yield* recordTexts(reading, records, isWanted);
}

/** The id of a line that begins with it, as most do; undefined: it is elsewhere. Names are distinct (W5). */
function leadingId(line: Uint8Array): string | undefined {
  const { buffer, byteOffset, length } = line;
  const start = Buffer.from(buffer, byteOffset, Math.min(length, LONGEST_START)).toString("latin1");
  return STARTING_ID.exec(start)?.[1];
}

/** An id has at most 128 characters (I1). */
const LONGEST_START = 160;
const STARTING_ID = /^\{"id":"([^"\\]*)"/;

/** A member `id` in JSON; ids need no escapes (I1). */
const ID = /"id"\s*:\s*"([^"\\]*)"/g;

/** Problems of an entry that are of another member than its data. */
const MEMBERS: ReadonlyMap<string, string> = new Map<ProblemCode, string>([
  ["model-missing", "/modelId"],
  ["draft-locale-unknown", "/draft"],
]);

/** From the record. */
function pointerTo(code: ProblemCode, { kind, path }: ProblemPlace): string {
  return kind === "entry" ? (MEMBERS.get(code) ?? `/data${path}`) : path;
}

function placeIn(read: ReadValue, { code, at }: PlacedProblem): FilePlace {
  let value: JsonValue | undefined = read.value;
  const path = pathIn(pointerTo(code, at)).map((name) => {
    const segment: string | number = Array.isArray(value) ? Number(name) : name;
    value = (value as Record<string | number, JsonValue> | null | undefined)?.[segment];
    return segment;
  });
  return { file: read.file, ...read.place(path) };
}
