import { statSync } from "node:fs";
import { resolve } from "node:path";
import { SvcError } from "../workspace/errors.ts";
import { isJsonObject } from "../workspace/json.ts";
import { KINDS, type Kind, type Workspace } from "../workspace/records.ts";
import type { SourceItem } from "../workspace/source.ts";
import { type AuthoredAsset, assetFaults, assetItems } from "./asset-records.ts";
import { Faults } from "./faults.ts";
import { ListedNames } from "./listed-names.ts";
import type { Reading } from "./reading.ts";
import { fieldListFaults, idFaults, RecordRules, wellFormedFaults } from "./record-rules.ts";
import { type ShapeFault, shapeFaults } from "./record-shapes.ts";
import { type ReadValue, recordTexts, workspaceText } from "./record-texts.ts";
import { UnreadFiles } from "./unread-files.ts";

/**
 * Reads a workspace folder record by record. All faults are thrown together at the end; after the
 * first fault, no more items are yielded.
 *
 * @throws SvcError `folder-not-found`, or `folder-invalid` with the `Fault`s in `problems`.
 */
export function* readFolder(path: string): Generator<SourceItem> {
  const folder = resolve(path);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new SvcError("folder-not-found", `there is no folder "${path}"`, {
      hint: "check the path; svc init <folder> creates an example to start from",
    });
  }
  const faults = new Faults();
  const reading = { folder, faults, names: new ListedNames(folder), unread: new UnreadFiles() };
  const workspace = readWorkspace(reading);
  if (workspace !== undefined && !faults.any) yield workspace;
  const rules = new RecordRules();
  for (const kind of KINDS) {
    for (const read of recordTexts(reading, kind)) {
      for (const item of readRecord(reading, kind, read, rules)) {
        if (!faults.any) yield item;
      }
    }
  }
  reading.unread.report(folder, faults);
  faults.throwIfAny(path);
}

function readWorkspace(reading: Reading): SourceItem | undefined {
  const read = workspaceText(reading);
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
  addAll(found, read, reading.faults);
  if (found.length > 0) return undefined;
  const { previewToken, ...record } = read.value as unknown as Workspace & {
    previewToken?: string;
  };
  return { kind: "workspace", record, ...(previewToken !== undefined && { previewToken }) };
}

/** The source items of one record; none when it has faults, which are added to `faults`. */
function readRecord(
  reading: Reading,
  kind: Kind,
  read: ReadValue,
  rules: RecordRules,
): SourceItem[] {
  const found = shapeFaults(kind, read.value);
  if (isJsonObject(read.value)) {
    found.push(...rules.faults(kind, read.value));
    if (kind === "assets") found.push(...assetFaults(reading, read.value));
  }
  addAll(found, read, reading.faults);
  if (found.length > 0) return [];
  if (kind === "assets") return assetItems(reading.folder, read.value as unknown as AuthoredAsset);
  return [{ kind, record: read.value } as unknown as SourceItem];
}

function addAll(found: readonly ShapeFault[], read: ReadValue, faults: Faults): void {
  for (const { path, message } of found) {
    faults.add({ file: read.file, ...read.place(path), message });
  }
}
