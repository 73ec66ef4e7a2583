import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { JsonObject, JsonValue } from "../../src/workspace/json.ts";
import type { Publishing } from "../../src/workspace/records.ts";
import { CliBed } from "../support/cli-bed.ts";
import { pathsBelow } from "../support/file-tree.ts";
import { MEANT } from "../support/test-bed.ts";
import { previewDocuments } from "./preview-documents.ts";

/** A workspace of the oracle. */
export interface OracleWorkspace {
  readonly name: string;
  /** Writes its folder, which does not exist yet. */
  readonly make: (folder: string) => void;
  /** Writes the folder of another workspace, which is in the store before it. */
  readonly beside?: ((folder: string) => void) | undefined;
  /** Whether it is compared with its edited folder too. */
  readonly isEdited: boolean;
  /** Whether only the most important outputs are compared, because there are many like it. */
  readonly isBrief?: boolean;
}

/** Bytes by path. */
type Files = ReadonlyMap<string, Uint8Array>;

/** The reading of the clock in all commands (A4). */
const AT = "2026-06-01T00:00:00Z";

/** What entries say about whether they are published at that time; the first five hide them. */
export const PUBLISHING: readonly Publishing[] = [
  { draft: true },
  { draft: true, publishAt: "2026-01-01T00:00:00Z" },
  { publishAt: "2026-06-01T00:00:00.001Z" },
  { unpublishAt: AT },
  { publishAt: "2026-01-01T00:00:00Z", unpublishAt: "2026-06-01T01:00:00+01:00" },
  { draft: false },
  { publishAt: AT },
  { unpublishAt: "2026-06-01T00:00:00.001Z" },
  { publishAt: "2026-01-01T00:00:00Z", unpublishAt: "2027-01-01T00:00:00Z" },
];

/** What the program makes of a workspace, by name of the output; `workspace` is what it is made from. */
export function outputsOf(workspace: OracleWorkspace): Map<string, Files> {
  const { make, beside, isEdited, isBrief } = workspace;
  const bed = new CliBed();
  const folder = bed.path("content");
  make(folder);
  const store = beside === undefined ? [] : ["--store", "workspace.db"];
  const run = (command: string, ...more: readonly string[]): Files => {
    const ran = bed.run(command, ...more, "--at", AT, "--json");
    return new Map([["result.json", Buffer.from(`${ran.status}\n${ran.stdout}${ran.stderr}`)]]);
  };
  const theirs = beside && bed.path("beside");
  if (theirs !== undefined) beside?.(theirs);
  const outputs = new Map([["workspace", filesBelow(bed.folder)]]);
  writeFileSync(bed.path("svc.config.json"), JSON.stringify({ severity: MEANT }));
  if (theirs !== undefined) bed.ok("import", "beside", ...store);
  const out = bed.path("out");
  outputs.set("publish", run("publish", "content", "--out", "out", ...store));
  outputs.set("out", filesBelow(out));
  outputs.set("preview", previewFiles(previewDocuments(folder, theirs, Date.parse(AT))));
  if (isBrief) return outputs;
  outputs.set("check", run("check", "content", ...store));
  outputs.set("stats", run("stats", "content", ...store));
  outputs.set("due", run("stats", "content", "--due", ...store));
  if (isEdited && outputs.get("out")?.has("manifest.json")) {
    cpSync(folder, bed.path("edited"), { recursive: true });
    editFolder(bed.path("edited"));
    outputs.set("diff", run("diff", "out", "edited"));
    // Over what is published: files are replaced and removed.
    const again = ["edited", "--out", "out", "--max-removals", "100%", ...store];
    outputs.set("publish-edited", run("publish", ...again));
    outputs.set("out-edited", filesBelow(out));
  }
  return outputs;
}

/** Of paths and bytes. 12 digits: differences are accidents. */
export function hashOf(files: Files): string {
  const hash = createHash("sha256");
  for (const path of [...files.keys()].sort()) {
    const bytes = files.get(path) as Uint8Array;
    hash.update(`${JSON.stringify(path)} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest("hex").slice(0, 12);
}

/** Writes the outputs below a folder. */
export function keepOutputs(folder: string, outputs: ReadonlyMap<string, Files>): void {
  for (const [name, files] of outputs) {
    for (const [path, bytes] of files) {
      const file = join(folder, name, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, bytes);
    }
  }
}

function previewFiles(documents: ReturnType<typeof previewDocuments>): Files {
  const problems = [...documents].map(([path, document]) => `${path} ${document.problems}\n`);
  return new Map([
    ...[...documents].map(([path, { bytes }]) => [`${path}.json`, bytes] as const),
    ["problems.txt", Buffer.from(problems.sort().join(""))],
  ]);
}

function filesBelow(folder: string): Files {
  return new Map(pathsBelow(folder).map((path) => [path, readFileSync(join(folder, path))]));
}

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
function editFolder(folder: string): void {
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
