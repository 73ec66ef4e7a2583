import { closeSync, lstatSync, openSync, readdirSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import { byCodeUnit, type JsonValue } from "../workspace/json.ts";
import type { Kind } from "../workspace/records.ts";
import type { Faults } from "./faults.ts";
import { parseJsonText } from "./json-text.ts";
import { type Position, valueLocator } from "./text-positions.ts";

/** A value read from a file of the folder, which can tell where its parts stand. */
export interface ReadValue {
  readonly file: string;
  readonly value: JsonValue;
  place(path: readonly (string | number)[]): Position | undefined;
}

/**
 * The records of one kind, in whichever of the three forms the folder has them: an array, a
 * record a line, or a folder of files. None of the forms: no records.
 */
export function* recordTexts(folder: string, kind: Kind, faults: Faults): Generator<ReadValue> {
  const forms = [`${kind}.json`, `${kind}.ndjson`, kind].filter(
    (name) => lstatSync(join(folder, name), { throwIfNoEntry: false }) !== undefined,
  );
  const [form, other] = forms;
  if (form === undefined) return;
  if (other !== undefined) {
    const message = `${kind} stand in "${form}" and in "${other}"; keep one form`;
    faults.add({ file: other, message });
  }
  if (form === kind) yield* folderRecords(folder, kind, faults);
  else if (form.endsWith(".ndjson")) yield* lineRecords(folder, form, faults);
  else yield* arrayRecords(folder, form, faults);
}

/** A whole JSON file. */
export function readJsonFile(folder: string, file: string, faults: Faults): ReadValue | undefined {
  const text = readText(folder, file, faults);
  return text === undefined ? undefined : readValue(file, text, 0, faults);
}

function* arrayRecords(folder: string, file: string, faults: Faults): Generator<ReadValue> {
  const read = readJsonFile(folder, file, faults);
  if (read === undefined) return;
  if (!Array.isArray(read.value)) {
    faults.add({ file, line: 1, column: 1, message: "an array of records is expected" });
    return;
  }
  for (const [index, value] of (read.value as readonly JsonValue[]).entries()) {
    yield { file, value, place: (path) => read.place([index, ...path]) };
  }
}

function* folderRecords(folder: string, kind: string, faults: Faults): Generator<ReadValue> {
  if (!lstatSync(join(folder, kind)).isDirectory()) {
    faults.add({ file: kind, message: "a folder of JSON files is expected (and not a link)" });
    return;
  }
  for (const file of filesBelow(folder, kind).sort(byCodeUnit)) {
    const read = readJsonFile(folder, file, faults);
    if (read !== undefined) yield read;
  }
}

/** JSON files at any depth, and links, which `checkPlainFile` refuses; nothing hidden. */
function filesBelow(folder: string, below: string): string[] {
  return readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    const path = `${below}/${entry.name}`;
    if (entry.name.startsWith(".")) return [];
    if (entry.isDirectory()) return filesBelow(folder, path);
    return entry.name.endsWith(".json") || entry.isSymbolicLink() ? [path] : [];
  });
}

function* lineRecords(folder: string, file: string, faults: Faults): Generator<ReadValue> {
  if (!checkPlainFile(folder, file, faults)) return;
  let number = 0;
  for (const bytes of lines(join(folder, file))) {
    number += 1;
    const text = decode(bytes, number === 1);
    if (text === undefined) {
      faults.add({ file, line: number, message: "the line is not UTF-8" });
      continue;
    }
    if (text.trim() === "") continue;
    const read = readValue(file, text, number - 1, faults);
    if (read !== undefined) yield read;
  }
}

/** The lines of a file, without holding more than one of them and a piece of the file. */
function* lines(path: string): Generator<Uint8Array> {
  const descriptor = openSync(path, "r");
  try {
    let begun: Uint8Array[] = [];
    for (;;) {
      const buffer = Buffer.allocUnsafe(1024 * 1024);
      const piece = buffer.subarray(0, readSync(descriptor, buffer, 0, buffer.length, null));
      if (piece.length === 0) break;
      let start = 0;
      for (let end = piece.indexOf(10); end >= 0; end = piece.indexOf(10, start)) {
        const line = piece.subarray(start, end);
        yield begun.length === 0 ? line : Buffer.concat([...begun, line]);
        begun = [];
        start = end + 1;
      }
      if (start < piece.length) begun.push(piece.subarray(start));
    }
    if (begun.length > 0) yield Buffer.concat(begun);
  } finally {
    closeSync(descriptor);
  }
}

/** Adds a fault unless a plain file stands there: a link could lead out of the folder. */
function checkPlainFile(folder: string, file: string, faults: Faults): boolean {
  const stats = lstatSync(join(folder, file), { throwIfNoEntry: false });
  if (stats?.isFile()) return true;
  const message = stats?.isSymbolicLink()
    ? "is a link; records must be plain files of the folder"
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

/** Only at its start may a file have a byte order mark. */
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
    // Only a record with faults is asked where its parts stand.
    let locate: ReturnType<typeof valueLocator> | undefined;
    const place = (path: readonly (string | number)[]) => {
      locate ??= valueLocator(text);
      return moved(locate(path), linesBefore);
    };
    return { file, value: parsed.value, place };
  }
  for (const { message, line, column } of parsed.faults) {
    const place = line === undefined || column === undefined ? undefined : { line, column };
    const known = linesBefore > 0 ? { line: linesBefore + 1 } : {};
    faults.add({ file, ...known, ...moved(place, linesBefore), message });
  }
  return undefined;
}

function moved(place: Position | undefined, lines: number): Position | undefined {
  return place && { line: place.line + lines, column: place.column };
}
