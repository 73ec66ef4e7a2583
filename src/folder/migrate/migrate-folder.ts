import { readFileSync } from "node:fs";
import { join } from "node:path";
import { FILE_HEADERS_ONLY, formatPatch, type StructuredPatch, structuredPatch } from "diff";
import { canonicalJson } from "../../documents/canonical-json.ts";
import { byCodeUnit, isJsonObject, type JsonObject } from "../../workspace/json.ts";
import { languageOf } from "../../workspace/language.ts";
import type { Block, Model, Workspace } from "../../workspace/records.ts";
import { type FileLayout, fileLayout, withValue } from "../json-editor.ts";
import { jsonValue } from "../json-text.ts";
import { readFolder } from "../read-folder.ts";
import { openReading, type Reading } from "../reading.ts";
import { filesOfKind } from "../record-texts.ts";
import { elementStarts } from "../text-positions.ts";
import type { Definitions, MigratedKind, Migration } from "./migration.ts";

export interface MigratedFile {
  /** Below the folder, with `/`. */
  readonly file: string;
  /** M9: the name that it gets, with the id of its entry. */
  readonly to?: string;
  readonly before: string;
  readonly after: string;
  readonly records: number;
}

/**
 * The definitions of a workspace folder.
 *
 * @throws SvcError `folder-not-found`, `folder-invalid`: only a folder without faults is migrated.
 */
export function readDefinitions(folder: string): Definitions {
  let workspace: Workspace | undefined;
  const [models, blocks]: [Model[], Block[]] = [[], []];
  const [locales, entries] = [new Set<string>(), new Set<string>()];
  for (const item of readFolder(folder)) {
    if (item.kind === "workspace") workspace = item.record;
    else if (item.kind === "models") models.push(item.record);
    else if (item.kind === "blocks") blocks.push(item.record);
    else if (item.kind === "entries") entries.add(item.record.id);
    else if (item.kind === "projects") for (const one of languageOf(item.record)) locales.add(one);
  }
  const sorted = [...locales].sort(byCodeUnit);
  return { folder, workspace: workspace as Workspace, models, blocks, entries, locales: sorted };
}

/**
 * M2: the files that a migration changes, with their new texts. Nothing is written.
 *
 * @param mayChange says of each file whether it is read
 */
export async function migrateFolder(
  folder: string,
  migration: Migration,
  mayChange: (file: string) => boolean | Promise<boolean> = () => true,
): Promise<MigratedFile[]> {
  const reading = openReading(folder);
  const kinds = ["workspace", "models", "blocks", "projects", "entries"] as const;
  const migrated: MigratedFile[] = [];
  for (const kind of kinds) {
    for (const file of filesOfKind(reading, kind)) {
      if (!(await mayChange(file))) continue;
      const before = readFileSync(join(folder, file), "utf8");
      const layout = fileLayout(before);
      let [after, at, records] = ["", 0, 0];
      for (const [start, end] of recordsIn(file, before)) {
        const text = before.slice(start, end);
        const next = await migratedText(migration, kind, text, layout);
        if (next === text) continue;
        after += before.slice(at, start) + next;
        at = end;
        records += 1;
      }
      if (records === 0) continue;
      const done = { file, before, after: after + before.slice(at), records };
      const to = kind === "entries" ? renamedFile(reading, done) : undefined;
      migrated.push({ ...done, ...(to !== undefined && { to }) });
    }
  }
  return migrated;
}

/** G1: the name of a file that was named after its entry's id, which is another one now, unless it is taken. */
function renamedFile(reading: Reading, { file, before, after }: MigratedFile): string | undefined {
  const [, folder, name, ending] = /^(.*\/)([^/]+)(\.jsonc?)$/.exec(file) ?? [];
  if (folder === undefined) return undefined;
  const [was, is] = [before, after].map((text) => (jsonValue(text) as JsonObject).id);
  const to = `${folder}${is}${ending}`;
  const isNamed = name === was && was !== is;
  return isNamed && !reading.names.has(...to.split("/")) ? to : undefined;
}

async function migratedText(
  migration: Migration,
  kind: MigratedKind,
  text: string,
  layout: FileLayout,
): Promise<string> {
  const record = jsonValue(text);
  if (!isJsonObject(record)) return text;
  const after: JsonObject = await migration(kind, record);
  const next = withValue(text, after, layout);
  // The order of members has no meaning.
  if (canonicalJson(jsonValue(next)) !== canonicalJson(after)) {
    throw new TypeError(`the record ${record.id} would not be as the migration made it`);
  }
  return next;
}

/** Where each record is in the text of a file: the only one, one a line, or the array's elements. */
export function* recordsIn(
  file: string,
  text: string,
): Generator<readonly [start: number, end: number]> {
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
      // Of an empty list there is one without any text.
      if (element.trim() !== "") yield [from, from + element.trim().length];
    }
  }
}

/** A file with more changed lines is printed as one change: the time grows with the square. */
const MAX_CHANGED_LINES = 1000;

/** M1: the change of a file as a unified diff, which `git apply` accepts. */
export function unifiedDiff({ file, to = file, before, after }: MigratedFile): string {
  if (to !== file) {
    const renamed = `diff --git a/${file} b/${to}\nrename from ${file}\nrename to ${to}\n`;
    return renamed + changedLines(file, to, before, after);
  }
  return changedLines(file, to, before, after);
}

function changedLines(file: string, to: string, before: string, after: string): string {
  const names = { oldFileName: `a/${file}`, newFileName: `b/${to}` };
  const patch = structuredPatch(names.oldFileName, names.newFileName, before, after, "", "", {
    context: 3,
    maxEditLength: MAX_CHANGED_LINES,
  });
  if (patch !== undefined) return formatPatch(patch, FILE_HEADERS_ONLY);
  const [removed, added] = [signedLines("-", before), signedLines("+", after)];
  const hunk = { oldStart: 1, oldLines: removed.count, newStart: 1, newLines: added.count };
  const lines = [...removed.lines, ...added.lines];
  return formatPatch(
    { ...names, hunks: [{ ...hunk, lines }] } as StructuredPatch,
    FILE_HEADERS_ONLY,
  );
}

function signedLines(sign: string, text: string): { count: number; lines: string[] } {
  const lines = text.split("\n").map((line) => sign + line);
  if (text.endsWith("\n")) lines.pop();
  const { length: count } = lines;
  return { count, lines: text.endsWith("\n") ? lines : [...lines, "\\ No newline at end of file"] };
}
