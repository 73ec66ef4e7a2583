import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { readFolder } from "../../../src/folder/read-folder.ts";
import { type FolderFault, SvcError } from "../../../src/workspace/errors.ts";
import type { SourceItem } from "../../../src/workspace/source.ts";
import { temporaryFolder } from "../test-bed.ts";

/** Files by path: text and bytes as they are, anything else written as JSON. */
export type Files = Readonly<Record<string, string | Uint8Array | object | null>>;

/** A workspace folder with these files, and a plain `workspace.json` unless they have one. */
export function workspaceFolder(files: Files, folder = temporaryFolder()): string {
  const all: Files = { "workspace.json": { id: "w", name: "Workspace" }, ...files };
  for (const [path, contents] of Object.entries(all)) {
    const isRaw = typeof contents === "string" || contents instanceof Uint8Array;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), isRaw ? contents : JSON.stringify(contents));
  }
  return folder;
}

/** The items of the folder, without the workspace itself. */
export function recordsIn(files: Files): SourceItem[] {
  const items: SourceItem[] = [];
  for (const item of readFolder(workspaceFolder(files))) {
    if (item.kind === "file") items.push({ kind: "file", sha256: item.sha256, bytes: item.bytes });
    else if (item.kind === "entries") {
      const { kind, record, json } = item;
      if (json !== undefined) expect(JSON.parse(Buffer.from(json).toString())).toEqual(record);
      items.push({ kind, record });
    } else if (item.kind !== "workspace") {
      const { file, ...record } = item;
      items.push(record);
    }
  }
  return items;
}

/** Every fault of the folder; none: []. */
export function faultsOf(folder: string): readonly FolderFault[] {
  try {
    for (const _ of readFolder(folder));
  } catch (error) {
    if (error instanceof SvcError && error.problems?.kind === "folder") return error.problems.list;
    throw error;
  }
  return [];
}

/** The faults of a folder with these files, each as `<file>:<line>:<column> <message>`. */
export function faultsIn(files: Files): string[] {
  return faultsOf(workspaceFolder(files)).map(({ file, line, column, message }) =>
    [[file, line, column].filter((part) => part !== undefined).join(":"), message].join(" "),
  );
}
