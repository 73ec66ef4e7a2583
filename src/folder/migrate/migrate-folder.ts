import { readFileSync } from "node:fs";
import { join } from "node:path";
import { byCodeUnit, isJsonObject, type JsonObject } from "../../workspace/json.ts";
import { languageOf } from "../../workspace/language.ts";
import type { Block, Model, Workspace } from "../../workspace/records.ts";
import { readFolder } from "../read-folder.ts";
import { openReading } from "../reading.ts";
import { filesOfKind } from "../record-texts.ts";
import { elementStarts } from "../text-positions.ts";
import { type FileStyle, fileStyle } from "./json-style.ts";
import type { Definitions, MigratedKind, Migration } from "./migration.ts";
import { jsonValue, rewriteJson } from "./rewrite-json.ts";

/** A part of a text that is replaced. */
export interface TextChange {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A file that a migration changes. */
export interface MigratedFile {
  /** Below the folder, with `/`. */
  readonly file: string;
  readonly before: string;
  readonly after: string;
  /** One for each changed record, in order. */
  readonly changes: readonly TextChange[];
}

/**
 * The definitions of a workspace folder.
 *
 * @throws SvcError `folder-not-found`, `folder-invalid`: only a folder without faults is migrated.
 */
export function readDefinitions(folder: string): Definitions {
  let workspace: Workspace | undefined;
  const [models, blocks]: [Model[], Block[]] = [[], []];
  const locales = new Set<string>();
  for (const item of readFolder(folder)) {
    if (item.kind === "workspace") workspace = item.record;
    else if (item.kind === "models") models.push(item.record);
    else if (item.kind === "blocks") blocks.push(item.record);
    else if (item.kind === "projects") for (const one of languageOf(item.record)) locales.add(one);
  }
  const sorted = [...locales].sort(byCodeUnit);
  return { folder, workspace: workspace as Workspace, models, blocks, locales: sorted };
}

/** M2: the files that a migration changes, with their new texts. Nothing is written. */
export async function migrateFolder(folder: string, migration: Migration): Promise<MigratedFile[]> {
  const reading = openReading(folder);
  const kinds = ["workspace", "models", "blocks", "projects", "entries"] as const;
  const migrated: MigratedFile[] = [];
  for (const [kind, file] of [
    ...kinds.flatMap((kind) => filesOfKind(reading, kind).map((file) => [kind, file] as const)),
  ]) {
    const before = readFileSync(join(folder, file), "utf8");
    const style = fileStyle(before);
    const changes: TextChange[] = [];
    for (const [start, end] of recordsIn(file, before)) {
      const text = before.slice(start, end);
      const next = await migratedText(migration, kind, text, style);
      if (next !== text) changes.push({ start, end, text: next });
    }
    if (changes.length === 0) continue;
    migrated.push({ file, before, after: changedText(before, changes), changes });
  }
  return migrated;
}

async function migratedText(
  migration: Migration,
  kind: MigratedKind,
  text: string,
  file: FileStyle,
): Promise<string> {
  const record = jsonValue(text);
  if (!isJsonObject(record)) return text;
  const after: JsonObject = await migration(kind, record);
  const next = rewriteJson(text, after, file);
  if (!isSameValue(jsonValue(next) as JsonObject, after)) {
    throw new TypeError(`the record ${record.id} would not be as the migration made it`);
  }
  return next;
}

/** The order of members has no meaning. */
function isSameValue(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((one, at) => isSameValue(one, b[at]));
  }
  if (!isJsonObject(a) || !isJsonObject(b)) return Object.is(a, b) || a === b;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && isSameValue(a[name], b[name]))
  );
}

/** Where each record is in the text of a file: the only one, one a line, or the array's elements. */
function* recordsIn(file: string, text: string): Generator<readonly [start: number, end: number]> {
  // A byte order mark is no part of the JSON text.
  const begin = text.startsWith("\ufeff") ? 1 : 0;
  if (file.endsWith(".ndjson")) {
    for (let start = begin; start < text.length; ) {
      const newline = text.indexOf("\n", start);
      const end = newline < 0 ? text.length : newline;
      if (text.slice(start, end).trim() !== "") yield [start, end];
      start = end + 1;
    }
  } else if (file.includes("/") || file.startsWith("workspace.")) yield [begin, text.length];
  else {
    const starts = elementStarts(text.slice(begin)).map((start) => start + begin);
    for (const [at, start] of starts.slice(0, -1).entries()) {
      // Without the comma or the bracket after it, and the white space around it.
      const element = text.slice(start, (starts[at + 1] as number) - 1);
      const from = start + element.length - element.trimStart().length;
      yield [from, from + element.trim().length];
    }
  }
}

/** @param base where the text begins, as the changes count. */
export function changedText(before: string, changes: readonly TextChange[], base = 0): string {
  const parts: string[] = [];
  let at = base;
  for (const { start, end, text } of changes) {
    parts.push(before.slice(at - base, start - base), text);
    at = end;
  }
  return parts.join("") + before.slice(at - base);
}
