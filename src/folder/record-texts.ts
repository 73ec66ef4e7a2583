import {
  closeSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  type Stats,
} from "node:fs";
import { join } from "node:path";
import { byCodeUnit, type JsonValue } from "../workspace/json.ts";
import type { Kind } from "../workspace/records.ts";
import { MAXIMUM_TEXT, parseJsonText, TOO_LARGE } from "./json-text.ts";
import { type Faults, isIgnored, RECORD_FILE, type Reading } from "./reading.ts";
import { type Position, valueLocator } from "./text-positions.ts";

export interface ReadValue {
  readonly file: string;
  readonly value: JsonValue;
  /** The text of the value as UTF-8, to be used at once; absent: it is part of a larger one, or has comments. */
  readonly json?: Uint8Array;
  place(path: readonly (string | number)[]): Position | undefined;
}

export function workspaceText(reading: Reading): ReadValue | undefined {
  const file = formOf(reading, "workspace", FORMS.one);
  if (file !== undefined) return readJsonFile(reading, file);
  reading.faults.add({
    code: "file-missing",
    file: "workspace.json",
    message: "there is no such file",
  });
  return undefined;
}

/**
 * The records of one kind, from one of three forms: a JSON array, NDJSON, or a folder of JSON
 * files. Without any of them there are no records.
 *
 * @param isWanted of NDJSON: which lines to parse, by their bytes.
 */
export function* recordTexts(
  reading: Reading,
  kind: Kind,
  isWanted?: (line: Uint8Array) => boolean,
): Generator<ReadValue> {
  for (const file of filesOfKind(reading, kind)) yield* textsIn(reading, file, isWanted);
}

const FORMS = { one: [".json", ".jsonc"], many: [".json", ".jsonc", ".ndjson", ""] };

/** The file or folder of a kind; another one beside it is a fault. */
function formOf(
  { names, faults }: Reading,
  kind: string,
  extensions: readonly string[],
): string | undefined {
  const [form, other] = extensions
    .map((extension) => `${kind}${extension}`)
    .filter((name) => names.has(name));
  if (other !== undefined) {
    const be = kind === "workspace" ? "is" : "are";
    const message = `${kind} ${be} in "${form}" and in "${other}"; keep one of the two`;
    faults.add({ code: "file-duplicate", file: other, message });
  }
  return form;
}

/** The files with the records of one kind, in the order in which they are read. */
export function filesOfKind(reading: Reading, kind: Kind | "workspace"): string[] {
  const form = formOf(reading, kind, FORMS[kind === "workspace" ? "one" : "many"]);
  if (form !== kind) return form === undefined ? [] : [form];
  if (lstatSync(join(reading.folder, kind)).isDirectory()) {
    return filesBelow(reading, kind).sort(byCodeUnit);
  }
  const message = "must be a folder of JSON files, not a file or a symbolic link";
  reading.faults.add({ code: "file-unreadable", file: kind, message });
  return [];
}

/** The records in one of these files. */
export function* textsIn(
  reading: Reading,
  file: string,
  isWanted: (line: Uint8Array) => boolean = () => true,
): Generator<ReadValue> {
  if (file.endsWith(".ndjson")) yield* lineRecords(reading, file, isWanted);
  else if (!file.includes("/")) yield* arrayRecords(reading, file);
  else {
    const read = readJsonFile(reading, file);
    if (read !== undefined) yield read;
  }
}

export function readJsonFile({ folder, faults }: Reading, file: string): ReadValue | undefined {
  const stats = plainFile(folder, file, faults);
  if (stats === undefined) return undefined;
  if (stats.size > MAXIMUM_TEXT) {
    faults.add({ code: "file-unreadable", file, message: `${TOO_LARGE}: divide it` });
    return undefined;
  }
  const bytes = readFileSync(join(folder, file));
  const text = decode(bytes, true);
  if (text !== undefined) return readValue(file, text, 0, faults, bytes);
  const isUtf16 = /^(?:\xff\xfe|\xfe\xff)/.test(bytes.toString("latin1", 0, 2));
  const message = `is not UTF-8${isUtf16 ? ", but UTF-16" : ""}; save it as UTF-8`;
  faults.add({ code: "file-unreadable", file, message });
  return undefined;
}

function* arrayRecords(reading: Reading, file: string): Generator<ReadValue> {
  const read = readJsonFile(reading, file);
  if (read === undefined) return;
  if (!Array.isArray(read.value)) {
    reading.faults.add({
      code: "record-invalid",
      file,
      line: 1,
      column: 1,
      message: "must be an array of records",
    });
    return;
  }
  for (const [index, value] of (read.value as readonly JsonValue[]).entries()) {
    yield { file, value, place: (path) => read.place([index, ...path]) };
  }
}

/** Files of records at any depth, and symbolic links, which `plainFile` reports. */
export function filesBelow(reading: Reading, below: string): string[] {
  return readdirSync(join(reading.folder, below), { withFileTypes: true }).flatMap((entry) => {
    const path = `${below}/${entry.name}`;
    if (isIgnored(entry.name)) return [];
    if (entry.isDirectory()) return filesBelow(reading, path);
    if (RECORD_FILE.test(entry.name) || entry.isSymbolicLink()) return [path];
    reading.unread.add(path, entry.name);
    return [];
  });
}

function* lineRecords(
  { folder, faults }: Reading,
  file: string,
  isWanted: (line: Uint8Array) => boolean,
): Generator<ReadValue> {
  if (plainFile(folder, file, faults) === undefined) return;
  let number = 0;
  for (const bytes of fileLines(join(folder, file))) {
    number += 1;
    if (bytes.length > MAXIMUM_TEXT) {
      faults.add({ code: "file-unreadable", file, line: number, message: `the line ${TOO_LARGE}` });
      continue;
    }
    if (!isWanted(bytes)) continue;
    const text = decode(bytes, number === 1);
    if (text === undefined) {
      faults.add({ code: "file-unreadable", file, line: number, message: "the line is not UTF-8" });
      continue;
    }
    if (text.trim() === "") continue;
    const read = readValue(file, text, number - 1, faults, bytes);
    if (read !== undefined) yield read;
  }
}

/** Returns undefined and adds a fault unless it is a plain file: a symbolic link could lead out of the folder. */
function plainFile(folder: string, file: string, faults: Faults): Stats | undefined {
  const stats = lstatSync(join(folder, file), { throwIfNoEntry: false });
  if (stats?.isFile()) return stats;
  const message = stats?.isSymbolicLink()
    ? "is a symbolic link; records must be plain files"
    : stats === undefined
      ? "there is no such file"
      : "is not a file";
  const code = stats === undefined ? "file-missing" : "file-unreadable";
  faults.add({ code, file, message });
  return undefined;
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
  bytes: Uint8Array,
): ReadValue | undefined {
  const isJsonc = file.endsWith(".jsonc");
  const parsed = parseJsonText(text, { isJsonc });
  if ("value" in parsed) {
    // Lazy: positions are needed only for records with faults.
    let locate: ReturnType<typeof valueLocator> | undefined;
    const place = (path: readonly (string | number)[]) => {
      locate ??= valueLocator(text);
      return offsetLines(locate(path), linesBefore);
    };
    // A byte order mark is no JSON.
    const isPlain = !isJsonc && bytes[0] !== 0xef;
    return { file, value: parsed.value, place, ...(isPlain && { json: bytes }) };
  }
  for (const { code = "json-invalid", message, line, column } of parsed.faults) {
    const place = line === undefined || column === undefined ? undefined : { line, column };
    const known = linesBefore > 0 ? { line: linesBefore + 1 } : {};
    faults.add({ code, file, ...known, ...offsetLines(place, linesBefore), message });
  }
  return undefined;
}

function offsetLines(place: Position | undefined, lines: number): Position | undefined {
  return place && { line: place.line + lines, column: place.column };
}

/**
 * The lines of a file, to be used at once: what follows is read into the same memory. Of one that is too
 * large (W9) only the beginning.
 */
function* fileLines(path: string): Generator<Uint8Array> {
  const descriptor = openSync(path, "r");
  try {
    let partial: Uint8Array[] = [];
    let held = 0;
    const buffer = Buffer.allocUnsafeSlow(256 * 1024);
    for (;;) {
      const chunk = buffer.subarray(0, readSync(descriptor, buffer, 0, buffer.length, null));
      if (chunk.length === 0) break;
      let start = 0;
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
        const line = chunk.subarray(start, end);
        yield partial.length === 0 ? line : Buffer.concat([...partial, line]);
        partial = [];
        held = 0;
        start = end + 1;
      }
      if (start < chunk.length && held <= MAXIMUM_TEXT) {
        partial.push(Buffer.from(chunk.subarray(start)));
        held += chunk.length - start;
      }
    }
    if (partial.length > 0) yield Buffer.concat(partial);
  } finally {
    closeSync(descriptor);
  }
}
