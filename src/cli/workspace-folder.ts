import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { readIfFile, replaceFile } from "../files/replace-file.ts";
import { hasWorkspaceFile, notAWorkspace } from "../folder/find-workspace.ts";
import { MANIFEST } from "../publish/manifest.ts";
import { SvcError } from "../workspace/errors.ts";
import { KINDS } from "../workspace/records.ts";

export function requireWorkspaceFolder(folder: string): void {
  if (hasWorkspaceFile(folder)) return;
  const hint = "name the folder that has workspace.json";
  throw (
    notAWorkspace(folder) ??
    new SvcError("folder-not-found", `"${folder}" has no workspace.json`, { hint })
  );
}

/** @throws SvcError `out-is-workspace` for a folder to write to that is one, or has its records. */
export function assertNoWorkspaceIn(out: string): void {
  const isWorkspace = !existsSync(join(out, MANIFEST)) && hasWorkspaceFile(out);
  if (!isWorkspace && !hasRecords(resolve(out))) return;
  const what = isWorkspace ? "a workspace folder" : "part of a workspace folder";
  throw new SvcError("out-is-workspace", `"${out}" is ${what}`, {
    hint: "choose another folder with --out: the published files would be among its own",
  });
}

/** Whether the files below a folder are read as the records of a workspace. */
function hasRecords(folder: string): boolean {
  const parent = dirname(folder);
  if (parent === folder) return false;
  const isKind = KINDS.some((kind) => kind === basename(folder));
  return (isKind && hasWorkspaceFile(parent)) || hasRecords(parent);
}

/** Adds the lines that a file does not have yet; returns their number. */
export function addLines(file: string, lines: readonly string[]): number {
  const text = readIfFile(file) ?? "";
  const known = new Set(text.split(/\r?\n/));
  const missing = lines.filter((line) => !known.has(line));
  if (missing.length === 0) return 0;
  const start = text === "" || text.endsWith("\n") ? text : `${text}\n`;
  replaceFile(file, `${start}${missing.join("\n")}\n`);
  return missing.length;
}
