import { resolve } from "node:path";
import { withoutNullMembers } from "../records/null-members.ts";
import {
  fieldListFaults,
  idFaults,
  RecordRules,
  wellFormedFaults,
} from "../records/record-rules.ts";
import { type ShapeFault, shapeFaults } from "../records/record-shapes.ts";
import type { FolderFault } from "../workspace/errors.ts";
import { isJsonObject, type JsonValue, ownMember } from "../workspace/json.ts";
import { KINDS, type Kind, singular, type Workspace } from "../workspace/records.ts";
import type { SourceItem } from "../workspace/source.ts";
import { type AuthoredAsset, assetFaults, assetItems } from "./asset-records.ts";
import { notAWorkspace } from "./find-workspace.ts";
import { assertNotMigrating } from "./migrate/replace-files.ts";
import { type Faults, kindOf, openReading, type Reading } from "./reading.ts";
import { filesOfKind, type ReadValue, textsIn, workspaceText } from "./record-texts.ts";

/** H10: how a folder is read again. */
interface ReadingAgain {
  /** Gets the faults: they are not thrown, and all items without faults are yielded. */
  readonly faults: Faults;
  /** They know the ids and keys in the files that are not read. */
  readonly rules: RecordRules;
  /** The files of records to read, in order; undefined: all. */
  readonly files: readonly string[] | undefined;
  /** Whether a line of NDJSON is to be parsed. */
  readonly isWanted: (file: string, line: Uint8Array) => boolean;
}

/**
 * Reads a workspace folder record by record. All faults are thrown together at the end; after the
 * first fault, no more items are yielded.
 *
 * @throws SvcError `folder-not-found`, `migration-interrupted`, or `folder-invalid` with the `Fault`s in `problems`.
 */
export function* readFolder(path: string, again?: ReadingAgain): Generator<SourceItem> {
  const folder = resolve(path);
  const wrong = notAWorkspace(path);
  if (wrong !== undefined) throw wrong;
  assertNotMigrating(folder, path);
  const reading = openReading(folder, again?.faults);
  const { faults } = reading;
  const isYielded = () => again !== undefined || !faults.any;
  const workspace = readWorkspace(reading);
  if (workspace !== undefined && isYielded()) yield workspace;
  const rules = again?.rules ?? new RecordRules();
  // W4b: what a faulty `workspace.json` says is not known.
  const assetTexts = workspace?.kind !== "workspace" || workspace.record.assetTexts === true;
  for (const kind of KINDS) {
    const some = again?.files?.filter((file) => kindOf(file) === kind);
    for (const file of some ?? filesOfKind(reading, kind)) {
      const isWanted = again && ((line: Uint8Array) => again.isWanted(file, line));
      for (const read of textsIn(reading, file, isWanted)) {
        const items = readRecord(reading, kind, read, rules, assetTexts);
        if (isYielded()) yield* items;
      }
    }
  }
  if (again?.files === undefined) reading.unread.report(folder, faults);
  if (again === undefined) faults.throwIfAny(path);
}

function readWorkspace(reading: Reading): SourceItem | undefined {
  const read = workspaceText(reading);
  if (read === undefined) return undefined;
  const value = withoutNullMembers("workspace", read.value);
  const found = [
    ...shapeFaults("workspace", value),
    ...(isJsonObject(value)
      ? [
          ...idFaults(value.id, ["id"]),
          ...wellFormedFaults(value, "previewToken"),
          ...fieldListFaults(value.fields, "workspace"),
        ]
      : []),
  ];
  addAll(found, read, reading.faults);
  if (found.length > 0) return undefined;
  const { previewToken, ...record } = value as unknown as Workspace & {
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
  assetTexts: boolean,
): SourceItem[] {
  const value = withoutNullMembers(kind, read.value);
  const found = shapeFaults(kind, value);
  if (isJsonObject(value)) {
    found.push(...rules.faults(kind, value, read.file));
    if (kind === "assets") found.push(...assetFaults(reading, value, assetTexts));
  }
  if (found.length > 0) {
    addAll(found, read, reading.faults, recordOf(kind, value));
    return [];
  }
  const { file } = read;
  if (kind === "assets") {
    return assetItems(reading.folder, value as unknown as AuthoredAsset).map((item) =>
      item.kind === "assets" ? { ...item, file } : item,
    );
  }
  // Without the members that are null, the record is another one than its text.
  const json = kind === "entries" && value === read.value && read.json && { json: read.json };
  return [{ kind, record: value, file, ...json } as unknown as SourceItem];
}

/** The record that a fault names (W4). */
function recordOf(kind: Kind, value: JsonValue): FolderFault["record"] {
  const id = isJsonObject(value) ? ownMember(value, "id") : undefined;
  return typeof id === "string" ? { kind: singular(kind), id } : undefined;
}

function addAll(
  found: readonly ShapeFault[],
  read: ReadValue,
  faults: Faults,
  record?: FolderFault["record"],
): void {
  for (const { path, ...said } of found) {
    const code = "record-invalid";
    faults.add({ code, file: read.file, ...read.place(path), ...(record && { record }), ...said });
  }
}
