import { lstatSync } from "node:fs";
import { join } from "node:path";
import { canonicalJson } from "../../documents/canonical-json.ts";
import { readIfFile } from "../../files/replace-file.ts";
import { withoutNullMembers } from "../../records/null-members.ts";
import type { Draft } from "../../workspace/draft.ts";
import { SvcError } from "../../workspace/errors.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../workspace/json.ts";
import type { Kind } from "../../workspace/records.ts";
import { type AuthoredAsset, assetFaults, assetItems } from "../asset-records.ts";
import { parseJsonText } from "../json-text.ts";
import { openReading, type Reading } from "../reading.ts";
import { filesBelow } from "../record-texts.ts";
import { type Chunks, type ExportPlan, hashOfChunks } from "./export-plan.ts";
import { type ExportedRecord, exportedRecords, fileNames, recordIds } from "./exported-records.ts";
import type { DataOrder } from "./record-order.ts";

type Visit = (path: string, chunks: Chunks) => void;

export interface KindFiles {
  /** Adds the files to the plan, and those of other forms that are in their way to its faults. */
  plan(plan: ExportPlan): void;
  /** Visits the files again, in the same order. */
  visit(visit: Visit): void;
  /** Record files that are of no record of the draft. */
  others(plan: ExportPlan): string[];
}

/** G3: a file a record, where the record is already, or else by its id (G1). */
export function recordFiles(draft: Draft, kind: Kind, order: DataOrder, folder: string): KindFiles {
  const names = fileNames(recordIds(draft, kind));
  const paths = new Map([...names].map(([id, name]) => [id, `${kind}/${name}.json`]));
  const known = new Set(paths.values());
  const found = filesOf(folder, kind);
  for (const path of found.filter((path) => !known.has(path))) {
    const id = idIn(join(folder, path));
    const own = id === undefined ? undefined : paths.get(id);
    if (id !== undefined && own !== undefined && !exists(folder, own)) paths.set(id, path);
  }
  const pathOf = ({ id }: ExportedRecord) => paths.get(id) as string;
  return {
    plan(plan) {
      for (const record of exportedRecords(draft, kind, order)) {
        planRecord(plan, kind, pathOf(record), record);
      }
      for (const form of [`${kind}.json`, `${kind}.jsonc`, `${kind}.ndjson`])
        addObstacle(plan, kind, form);
    },
    visit(visit) {
      for (const record of exportedRecords(draft, kind, order)) {
        for (const [path, sha] of record.files) visit(path, bytesOf(draft, sha));
        visit(pathOf(record), recordChunks(record));
      }
    },
    others: (plan) => found.filter((path) => !plan.isUsed(path) && !plan.isOwn(path)),
  };
}

/** G3: one NDJSON file. */
export function lineFile(draft: Draft, kind: Kind, order: DataOrder, folder: string): KindFiles {
  const file = `${kind}.ndjson`;
  function* lines(onRecord: (record: ExportedRecord) => void = () => {}): Chunks {
    for (const record of exportedRecords(draft, kind, order)) {
      onRecord(record);
      yield `${JSON.stringify(record.written())}\n`;
    }
  }
  const isEmpty = recordIds(draft, kind).length === 0;
  return {
    plan(plan) {
      const hash = hashOfChunks(
        lines(({ files }) => {
          for (const [path, sha] of files) plan.add(path, sha);
        }),
      );
      if (!isEmpty) plan.add(file, hash);
      const found = filesOf(folder, kind);
      for (const form of [`${kind}.json`, `${kind}.jsonc`, ...found]) addObstacle(plan, kind, form);
    },
    visit(visit) {
      if (kind === "assets") {
        for (const { files } of exportedRecords(draft, kind, order)) {
          for (const [path, sha] of files) visit(path, bytesOf(draft, sha));
        }
      }
      if (!isEmpty) visit(file, lines());
    },
    others: () => [],
  };
}

/** Adds a record's file, and unless the record stays as it is authored, the files of its asset. */
export function planRecord(
  plan: ExportPlan,
  kind: Kind | "workspace",
  path: string,
  record: ExportedRecord,
): void {
  let authored: JsonObject | undefined;
  plan.add(path, hashOfChunks(recordChunks(record)), (text) => {
    const value = holdsRecord(plan.reading, kind, path, text, record.stored);
    authored = value;
    return value !== undefined;
  });
  if (authored === undefined) for (const [file, sha] of record.files) plan.add(file, sha);
  else for (const file of authoredFiles(authored)) plan.use(file);
}

export function* recordChunks(record: ExportedRecord): Chunks {
  yield `${JSON.stringify(record.written(), null, 2)}\n`;
}

/** @throws SvcError `store-damaged`. */
function* bytesOf(draft: Draft, sha: string): Chunks {
  const bytes = draft.fileBytes(sha);
  if (bytes === undefined) {
    throw new SvcError("store-damaged", `the store is damaged: it does not have the file ${sha}`, {
      hint: "restore it from a backup, or import the workspace folder into a new store",
    });
  }
  yield bytes;
}

/** The value of a text that is read as this record; undefined when it is read as another one. */
function holdsRecord(
  reading: Reading,
  kind: Kind | "workspace",
  path: string,
  text: string,
  stored: JsonObject,
): JsonObject | undefined {
  const read = recordIn(path, text);
  const value = read && withoutNullMembers(kind, read);
  if (!isJsonObject(value)) return undefined;
  let record: JsonValue = value;
  if (kind === "workspace") record = { ...value, previewToken: null };
  if (kind === "assets") {
    if (assetFaults(reading, value, true).length > 0) return undefined;
    record = assetItems(reading.folder, value as unknown as AuthoredAsset).at(
      -1,
    ) as unknown as JsonObject;
    record = record.record as JsonObject;
  }
  const wanted = kind === "workspace" ? { ...stored, previewToken: null } : stored;
  return canonicalJson(record) === canonicalJson(wanted) ? value : undefined;
}

function authoredFiles({ versions, ...asset }: JsonObject): string[] {
  const all = [asset, ...((versions ?? []) as readonly JsonObject[])];
  return all.flatMap(({ file }) => (typeof file === "string" ? [file] : []));
}

/** Another form of a kind, which a folder may not have as well: removed when an export wrote it. */
function addObstacle(plan: ExportPlan, kind: Kind, path: string): void {
  if (!exists(plan.folder, path) || plan.isOwn(path)) return;
  const message = `has ${kind} in another form than the export, and was not written by one or was changed`;
  plan.faults.add({ code: "file-in-the-way", file: path, message });
}

function recordIn(path: string, text: string): JsonObject | undefined {
  const parsed = parseJsonText(text.replace(/^\ufeff/, ""), { isJsonc: path.endsWith(".jsonc") });
  return "value" in parsed && isJsonObject(parsed.value) ? parsed.value : undefined;
}

function idIn(path: string): string | undefined {
  try {
    const id = recordIn(path, readIfFile(path) ?? "")?.id;
    return typeof id === "string" ? id : undefined;
  } catch {
    return undefined;
  }
}

function filesOf(folder: string, kind: Kind): string[] {
  return isFolder(folder, kind) ? filesBelow(openReading(folder), kind) : [];
}

function isFolder(folder: string, name: string): boolean {
  return lstatSync(join(folder, name), { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function exists(folder: string, path: string): boolean {
  return lstatSync(join(folder, path), { throwIfNoEntry: false }) !== undefined;
}
