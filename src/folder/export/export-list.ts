import { join } from "node:path";
import { readIfFile } from "../../files/replace-file.ts";
import { fileNameFault } from "../../workspace/asset.ts";
import { byCodeUnit } from "../../workspace/json.ts";
import { isRecordPath } from "../reading.ts";

/** The list of the files that exports wrote into a folder. Lines, so that Git can merge it. */
export const EXPORT_LIST = ".svc/exported.txt";

/** F9a: whether an export may write, replace or remove a file with this path. */
export function isExportPath(path: string): boolean {
  return path === EXPORT_LIST || isContentPath(path);
}

/** F9a: whether it is the path of a record, or of the file of an asset as an export writes it. */
export function isContentPath(path: string): boolean {
  const [, fileName] = /^files\/[0-9a-f]{16}\/(.+)$/s.exec(path) ?? [];
  return fileName === undefined ? isRecordPath(path) : fileNameFault(fileName) === undefined;
}

const WORKSPACE = "# workspace ";
const TITLE = "# Files that svc export wrote, by SHA-256. It replaces and removes no others.";

/** The SHA-256 (hex) of exported files by path; several after a merge or an interrupted export. */
export class ExportList {
  readonly workspaceId: string;
  readonly #hashes = new Map<string, string>();

  constructor(workspaceId: string) {
    this.workspaceId = workspaceId;
  }

  add(path: string, hashes: string): void {
    const known = this.#hashes.get(path);
    this.#hashes.set(path, known === undefined ? hashes : `${known} ${hashes}`);
  }

  has(path: string, hash: string): boolean {
    return this.#hashes.get(path)?.includes(hash) ?? false;
  }

  get paths(): Iterable<string> {
    return this.#hashes.keys();
  }

  /** Both lists in one: the files of an export that is under way. */
  with(other: ExportList): ExportList {
    const both = new ExportList(this.workspaceId);
    for (const list of [this, other]) for (const [path, hash] of list.#hashes) both.add(path, hash);
    return both;
  }

  text(): string {
    const lines = [...this.#hashes]
      .sort(([a], [b]) => byCodeUnit(a, b))
      .flatMap(([path, hashes]) => [...new Set(hashes.split(" "))].map((one) => `${one}  ${path}`));
    return `${[TITLE, WORKSPACE + this.workspaceId, ...lines].join("\n")}\n`;
  }
}

/** The list of a folder; undefined when there is none. */
export function readExportList(folder: string): ExportList | undefined {
  const text = readIfFile(join(folder, EXPORT_LIST));
  if (text === undefined) return undefined;
  const lines = text.split(/\r?\n/);
  const workspace = lines.find((line) => line.startsWith(WORKSPACE)) ?? WORKSPACE;
  const list = new ExportList(workspace.slice(WORKSPACE.length));
  for (const line of lines) {
    const [, hash = "", path = ""] = /^([0-9a-f]{64}) {2}(.+)$/.exec(line) ?? [];
    if (isContentPath(path)) list.add(path, hash);
  }
  return list;
}
