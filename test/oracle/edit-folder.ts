import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject, JsonValue } from "../../src/workspace/json.ts";
import { pathsBelow } from "../support/file-tree.ts";

type Stored = Record<string, JsonValue>;

/** A file of records of one kind: JSON Lines, an array, or one record. */
interface RecordFile {
  readonly path: string;
  readonly records: Stored[];
}

/**
 * Edits a workspace folder, always the same way: changes a title, removes an entry, adds one that a
 * step shows, renames a field of a model and requires another.
 */
export function editFolder(folder: string): void {
  const [entries, models, projects] = ["entries", "models", "projects"].map((kind) =>
    recordFiles(folder, kind),
  ) as [RecordFile[], RecordFile[], RecordFile[]];
  const [first] = entries.flatMap(({ records }) => records);
  if (first !== undefined) {
    // Before the title is changed, so that they differ.
    const added = { ...structuredClone(first), id: "added-entry" };
    changeTitle(first.data as Stored);
    removeMiddle(entries);
    const shown = projects.flatMap(({ records }) => records.flatMap(({ steps }) => steps));
    const step = (shown as Stored[]).findLast(({ layoutContentId }) => layoutContentId);
    if (step !== undefined) step.layoutContentId = added.id;
    addBeside(entries, added);
  }
  const defined = models.flatMap(({ records }) => records.map(({ fields }) => fields as Stored[]));
  const some = defined.find((fields) => fields.length > 0);
  const [required, renamed] = [some?.[0], some?.at(-1)];
  if (required !== undefined) required.required = required.required !== true;
  if (renamed !== undefined) renamed.key = `${renamed.key}-renamed`;
  for (const file of [...entries, ...models, ...projects]) writeRecords(folder, file);
}

function recordFiles(folder: string, kind: string): RecordFile[] {
  const paths = pathsBelow(join(folder, kind))
    .filter((path) => path.endsWith(".json"))
    .map((path) => `${kind}/${path}`);
  for (const path of [`${kind}.json`, `${kind}.ndjson`]) {
    if (existsSync(join(folder, path))) paths.push(path);
  }
  return paths.map((path) => {
    const text = readFileSync(join(folder, path), "utf8");
    if (!path.endsWith(".ndjson")) return { path, records: [JSON.parse(text)].flat() };
    const lines = text.split("\n").filter((line) => line !== "");
    return { path, records: lines.map((line) => JSON.parse(line)) };
  });
}

function writeRecords(folder: string, { path, records }: RecordFile): void {
  const lines = records.map((record) => `${JSON.stringify(record)}\n`);
  const isOne = !path.endsWith(".ndjson") && path.includes("/");
  const text = path.endsWith(".ndjson") || isOne ? lines.join("") : JSON.stringify(records);
  if (text === "" && isOne) rmSync(join(folder, path));
  else writeFileSync(join(folder, path), text);
}

/** The first text of an entry, or of its first value that has texts: those of locales. */
function changeTitle(data: Stored): void {
  const isText = ([, value]: [string, JsonValue]) => typeof value === "string";
  for (const texts of [data, ...Object.values(data).filter(isObject)]) {
    const [key, text] = Object.entries(texts).find(isText) ?? [];
    if (key === undefined) continue;
    texts[key] = `${text} (edited)`;
    return;
  }
}

function isObject(value: JsonValue): value is JsonObject & Stored {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function removeMiddle(files: readonly RecordFile[]): void {
  const count = files.reduce((sum, { records }) => sum + records.length, 0);
  let left = Math.floor(count / 2);
  for (const { records } of files) {
    if (left < records.length) return void records.splice(left, 1);
    left -= records.length;
  }
}

function addBeside(files: RecordFile[], added: Stored): void {
  const [first] = files;
  if (first === undefined) return;
  if (first.path.includes("/")) files.push({ path: "entries/added-entry.json", records: [added] });
  else first.records.push(added);
}
