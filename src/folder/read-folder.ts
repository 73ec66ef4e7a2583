import { readdirSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { SvcError } from "../workspace/errors.ts";
import { isJsonObject } from "../workspace/json.ts";
import { KINDS, type Kind, type Workspace } from "../workspace/records.ts";
import type { SourceItem } from "../workspace/source.ts";
import { type AuthoredAsset, assetFaults, assetItems } from "./asset-records.ts";
import { Faults } from "./faults.ts";
import { assertNotMigrating } from "./migrate/replace-files.ts";
import { fieldListFaults, idFaults, RecordRules, wellFormedFaults } from "./record-rules.ts";
import { type ShapeFault, shapeFaults } from "./record-shapes.ts";
import { type ReadValue, readJsonFile, recordTexts } from "./record-texts.ts";

/**
 * Reads a workspace folder record by record. All faults are thrown together at the end; after the
 * first fault, no more items are yielded.
 *
 * @param onNotice called with warnings about JSON files that are not read.
 * @throws SvcError `folder-not-found`, `migration-interrupted`, or `folder-invalid` with the `Fault`s in `problems`.
 */
export function* readFolder(
  path: string,
  onNotice: (text: string) => void = () => {},
): Generator<SourceItem> {
  const folder = resolve(path);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new SvcError("folder-not-found", `there is no folder "${path}"`, {
      hint: "check the path; svc init <folder> creates an example to start from",
    });
  }
  assertNotMigrating(folder, path);
  const faults = new Faults();
  const workspace = readWorkspace(folder, faults);
  if (workspace !== undefined && !faults.any) yield workspace;
  const rules = new RecordRules();
  for (const kind of KINDS) {
    for (const read of recordTexts(folder, kind, faults)) {
      for (const item of readRecord(folder, kind, read, rules, faults)) {
        if (!faults.any) yield item;
      }
    }
  }
  for (const name of strayFiles(folder)) onNotice(`"${name}" is not part of a workspace (ignored)`);
  faults.throwIfAny(path);
}

function readWorkspace(folder: string, faults: Faults): SourceItem | undefined {
  const read = readJsonFile(folder, "workspace.json", faults);
  if (read === undefined) return undefined;
  const found = [
    ...shapeFaults("workspace", read.value),
    ...(isJsonObject(read.value)
      ? [
          ...idFaults(read.value.id, ["id"]),
          ...wellFormedFaults(read.value, "previewToken"),
          ...fieldListFaults(read.value.fields),
        ]
      : []),
  ];
  addAll(found, read, faults);
  if (found.length > 0) return undefined;
  const { previewToken, ...record } = read.value as unknown as Workspace & {
    previewToken?: string;
  };
  return { kind: "workspace", record, ...(previewToken !== undefined && { previewToken }) };
}

/** The source items of one record; none when it has faults, which are added to `faults`. */
function readRecord(
  folder: string,
  kind: Kind,
  read: ReadValue,
  rules: RecordRules,
  faults: Faults,
): SourceItem[] {
  const found = shapeFaults(kind, read.value);
  if (isJsonObject(read.value)) {
    found.push(...rules.faults(kind, read.value));
    if (kind === "assets") found.push(...assetFaults(folder, read.value));
  }
  addAll(found, read, faults);
  if (found.length > 0) return [];
  if (kind === "assets") return assetItems(folder, read.value as unknown as AuthoredAsset);
  return [{ kind, record: read.value } as unknown as SourceItem];
}

function addAll(found: readonly ShapeFault[], read: ReadValue, faults: Faults): void {
  for (const { path, message } of found) {
    faults.add({ file: read.file, ...read.place(path), message });
  }
}

/** JSON files at the top of the folder that are not read: their names may be misspelt. */
function strayFiles(folder: string): string[] {
  const known = new Set([
    "workspace.json",
    ...KINDS.flatMap((kind) => [`${kind}.json`, `${kind}.ndjson`]),
  ]);
  return readdirSync(folder)
    .filter((name) => /\.(?:nd)?json$/.test(name) && !known.has(name))
    .sort();
}
