import { readdirSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { Asset, AssetFile } from "../workspace/asset.ts";
import { SvcError } from "../workspace/errors.ts";
import type { FieldDefinition } from "../workspace/field.ts";
import { ID_RULE, isId } from "../workspace/ids.ts";
import { KINDS, type Kind, type Workspace } from "../workspace/records.ts";
import type { SourceItem } from "../workspace/source.ts";
import { Faults } from "./faults.ts";
import {
  type AuthoredFile,
  assetByBytes,
  assetByUrl,
  fileNameFault,
  readInside,
} from "./measure-file.ts";
import { fieldListFaults, RecordRules } from "./record-rules.ts";
import { type ShapeFault, shapeFaults } from "./record-shapes.ts";
import { type ReadValue, readJsonFile, recordTexts } from "./record-texts.ts";

interface AuthoredAsset extends AuthoredFile {
  readonly versions?: readonly AuthoredFile[];
}

/**
 * Reads a workspace folder, record by record. Every fault in it is thrown together at the end;
 * nothing more is handed out once there is one.
 *
 * @param onNotice hears of files that look like records but are none.
 * @throws SvcError `folder-not-found`, or `folder-invalid` with a `Fault` each in `problems`.
 */
export function* readFolder(
  path: string,
  onNotice: (text: string) => void = () => {},
): Generator<SourceItem> {
  const folder = resolve(path);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new SvcError("folder-not-found", `there is no folder "${path}"`, {
      hint: "svc init <folder> makes an example to start from",
    });
  }
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
  for (const name of strayFiles(folder)) onNotice(`"${name}" is no part of a workspace (ignored)`);
  faults.throwIfAny(path);
}

function readWorkspace(folder: string, faults: Faults): SourceItem | undefined {
  const read = readJsonFile(folder, "workspace.json", faults);
  if (read === undefined) return undefined;
  const found = shapeFaults("workspace", read.value);
  if (found.length === 0) {
    const { id, fields = [] } = read.value as unknown as Workspace;
    if (!isId(id)) {
      found.push({ path: ["id"], message: `malformed id ${JSON.stringify(id)}: ${ID_RULE}` });
    }
    found.push(...fieldListFaults(fields as readonly FieldDefinition[]));
  }
  addAll(found, read, faults);
  const { previewToken, ...record } = read.value as unknown as Workspace & {
    previewToken?: string;
  };
  return { kind: "workspace", record, ...(previewToken !== undefined && { previewToken }) };
}

/** The items of one record; faults are added and no items given when it has any. */
function readRecord(
  folder: string,
  kind: Kind,
  read: ReadValue,
  rules: RecordRules,
  faults: Faults,
): SourceItem[] {
  const inShape = shapeFaults(kind, read.value);
  addAll(inShape, read, faults);
  if (inShape.length > 0) return [];
  const record = read.value as unknown as { readonly id: string };
  addAll(rules.faults(kind, record), read, faults);
  if (kind !== "assets") return [{ kind, record } as SourceItem];
  const { items, found } = readAsset(folder, record as AuthoredAsset);
  addAll(found, read, faults);
  return items;
}

function readAsset(
  folder: string,
  { versions, ...authored }: AuthoredAsset,
): { items: SourceItem[]; found: ShapeFault[] } {
  const items: SourceItem[] = [];
  const found: ShapeFault[] = [];
  const readOne = (one: AuthoredFile, path: (string | number)[]): AssetFile[] => {
    const result = readAssetFile(folder, one);
    found.push(
      ...result.found.map(({ path: inner, message }) => ({ path: [...path, ...inner], message })),
    );
    if (result.file === undefined) return [];
    if (result.file.sha256 !== undefined && result.bytes !== undefined) {
      items.push({ kind: "file", sha256: result.file.sha256, bytes: result.bytes });
    }
    return [result.file];
  };
  const [asset] = readOne(authored, []);
  const ids = new Set<string>();
  const files = versions?.flatMap((version, index) => {
    const path = ["versions", index];
    if (!isId(version.id)) {
      const message = `malformed id ${JSON.stringify(version.id)}: ${ID_RULE}`;
      found.push({ path: [...path, "id"], message });
    } else if (ids.has(version.id)) {
      found.push({ path: [...path, "id"], message: `duplicate version id "${version.id}"` });
    }
    ids.add(version.id);
    return readOne(version, path);
  });
  if (asset !== undefined) {
    const record: Asset = { ...asset, ...(files !== undefined && { versions: files }) };
    items.push({ kind: "assets", record });
  }
  return { items, found };
}

function readAssetFile(
  folder: string,
  authored: AuthoredFile,
): { file?: AssetFile; bytes?: Uint8Array; found: ShapeFault[] } {
  const { file, url, fileName } = authored;
  const found: ShapeFault[] = [];
  const nameFault = fileNameFault(fileName);
  if (nameFault !== undefined) found.push({ path: ["fileName"], message: nameFault });
  if (file !== undefined && url !== undefined) {
    found.push({ path: ["url"], message: "give the asset a file or a url, not both" });
    return { found };
  }
  if (file === undefined) {
    if (!isAbsoluteUrl(url)) {
      const message =
        url === undefined
          ? "without a file, an absolute url is required"
          : `the url ${JSON.stringify(url)} is not an absolute http or https URL`;
      found.push({ path: ["url"], message });
    }
    return { file: assetByUrl(authored), found };
  }
  const bytes = readInside(folder, file);
  if (typeof bytes === "string") {
    found.push({ path: ["file"], message: bytes });
    return { found };
  }
  return { file: assetByBytes(authored, bytes), bytes, found };
}

function isAbsoluteUrl(url: string | undefined): boolean {
  return url !== undefined && /^https?:\/\//i.test(url) && URL.canParse(url);
}

function addAll(found: readonly ShapeFault[], read: ReadValue, faults: Faults): void {
  for (const { path, message } of found) {
    faults.add({ file: read.file, ...read.place(path), message });
  }
}

/** JSON files at the top of the folder that no kind has: a misspelt name would lose records. */
function strayFiles(folder: string): string[] {
  const known = new Set([
    "workspace.json",
    ...KINDS.flatMap((kind) => [`${kind}.json`, `${kind}.ndjson`]),
  ]);
  return readdirSync(folder)
    .filter((name) => /\.(?:nd)?json$/.test(name) && !known.has(name))
    .sort();
}
