import { closeSync, lstatSync, openSync, readdirSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import { byCodeUnit, type JsonValue } from "../workspace/json.ts";
import type { Kind } from "../workspace/records.ts";
import type { Faults } from "./faults.ts";
import { parseJsonText } from "./json-text.ts";
import { type Position, valueLocator } from "./text-positions.ts";

/** A value that was read from a file of the folder. */
export interface ReadValue {
  readonly file: string;
  readonly value: JsonValue;
  /** The position of the value at a path. */
  place(path: readonly (string | number)[]): Position | undefined;
}

/**
 * The records of one kind, from one of three forms: a JSON array, NDJSON, or a folder of JSON
 * files. Without any of them there are no records.
 *
 * @param isWanted of NDJSON: which lines to parse.
 */
export function* recordTexts(
  folder: string,
  kind: Kind,
  faults: Faults,
  isWanted: (text: string) => boolean = () => true,
): Generator<ReadValue> {
  const forms = [`${kind}.json`, `${kind}.ndjson`, kind].filter(
    (name) => lstatSync(join(folder, name), { throwIfNoEntry: false }) !== undefined,
  );
  const [form, other] = forms;
  if (form === undefined) return;
  if (other !== undefined) {
    const message = `${kind} are in "${form}" and in "${other}"; keep one of the two`;
    faults.add({ file: other, message });
  }
  if (form === kind) yield* folderRecords(folder, kind, faults);
  else if (form.endsWith(".ndjson")) yield* lineRecords(folder, form, faults, isWanted);
  else yield* arrayRecords(folder, form, faults);
}

/** Reads a JSON file as one value. */
export function readJsonFile(folder: string, file: string, faults: Faults): ReadValue | undefined {
  const text = readText(folder, file, faults);
  return text === undefined ? undefined : readValue(file, text, 0, faults);
}

function* arrayRecords(folder: string, file: string, faults: Faults): Generator<ReadValue> {
  const read = readJsonFile(folder, file, faults);
  if (read === undefined) return;
  if (!Array.isArray(read.value)) {
    faults.add({ file, line: 1, column: 1, message: "must be an array of records" });
    return;
  }
  for (const [index, value] of (read.value as readonly JsonValue[]).entries()) {
    yield { file, value, place: (path) => read.place([index, ...path]) };
  }
}

function* folderRecords(folder: string, kind: string, faults: Faults): Generator<ReadValue> {
  if (!lstatSync(join(folder, kind)).isDirectory()) {
    faults.add({
      file: kind,
      message: "must be a folder of JSON files, not a file or a symbolic link",
    });
    return;
  }
  for (const file of filesBelow(folder, kind).sort(byCodeUnit)) {
    const read = readJsonFile(folder, file, faults);
    if (read !== undefined) yield read;
  }
}

/** JSON files at any depth but hidden ones, and symbolic links, which `checkPlainFile` reports. */
function filesBelow(folder: string, below: string): string[] {
  return readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    const path = `${below}/${entry.name}`;
    if (entry.name.startsWith(".")) return [];
    if (entry.isDirectory()) return filesBelow(folder, path);
    return entry.name.endsWith(".json") || entry.isSymbolicLink() ? [path] : [];
  });
}

function* lineRecords(
  folder: string,
  file: string,
  faults: Faults,
  isWanted: (text: string) => boolean,
): Generator<ReadValue> {
  if (!checkPlainFile(folder, file, faults)) return;
  let number = 0;
  for (const bytes of lines(join(folder, file))) {
    number += 1;
    const text = decode(bytes, number === 1);
    if (text === undefined) {
      faults.add({ file, line: number, message: "the line is not UTF-8" });
      continue;
    }
    if (text.trim() === "" || !isWanted(text)) continue;
    const read = readValue(file, text, number - 1, faults);
    if (read !== undefined) yield read;
  }
}

/** The lines of a file, read in chunks of 1 MiB. */
function* lines(path: string): Generator<Uint8Array> {
  const descriptor = openSync(path, "r");
  try {
    let partial: Uint8Array[] = [];
    for (;;) {
      const buffer = Buffer.allocUnsafe(1024 * 1024);
      const chunk = buffer.subarray(0, readSync(descriptor, buffer, 0, buffer.length, null));
      if (chunk.length === 0) break;
      let start = 0;
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
        const line = chunk.subarray(start, end);
        yield partial.length === 0 ? line : Buffer.concat([...partial, line]);
        partial = [];
        start = end + 1;
      }
      if (start < chunk.length) partial.push(chunk.subarray(start));
    }
    if (partial.length > 0) yield Buffer.concat(partial);
  } finally {
    closeSync(descriptor);
  }
}

/** Adds a fault unless it is a plain file: a symbolic link could lead out of the folder. */
function checkPlainFile(folder: string, file: string, faults: Faults): boolean {
  const stats = lstatSync(join(folder, file), { throwIfNoEntry: false });
  if (stats?.isFile()) return true;
  const message = stats?.isSymbolicLink()
    ? "is a symbolic link; records must be plain files"
    : stats === undefined
      ? "there is no such file"
      : "is not a file";
  faults.add({ file, message });
  return false;
}

function readText(folder: string, file: string, faults: Faults): string | undefined {
  if (!checkPlainFile(folder, file, faults)) return undefined;
  const text = decode(readFileSync(join(folder, file)), true);
  if (text === undefined) faults.add({ file, message: "is not UTF-8" });
  return text;
}

/** A byte order mark is removed only at the start of a file. */
const STARTING = new TextDecoder("utf-8", { fatal: true });
const FOLLOWING = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decode(bytes: Uint8Array, isStart: boolean): string | undefined {
  try {
    return (isStart ? STARTING : FOLLOWING).decode(bytes);
  } catch {
    return undefined;
  }
}

function readValue(
  file: string,
  text: string,
  linesBefore: number,
  faults: Faults,
): ReadValue | undefined {
  const parsed = parseJsonText(text);
  if ("value" in parsed) {
    // Lazy: positions are needed only for records with faults.
    let locate: ReturnType<typeof valueLocator> | undefined;
    const place = (path: readonly (string | number)[]) => {
      locate ??= valueLocator(text);
      return offsetLines(locate(path), linesBefore);
    };
    return { file, value: parsed.value, place };
  }
  for (const { message, line, column } of parsed.faults) {
    const place = line === undefined || column === undefined ? undefined : { line, column };
    const known = linesBefore > 0 ? { line: linesBefore + 1 } : {};
    faults.add({ file, ...known, ...offsetLines(place, linesBefore), message });
  }
  return undefined;
}

function offsetLines(place: Position | undefined, lines: number): Position | undefined {
  return place && { line: place.line + lines, column: place.column };
}
