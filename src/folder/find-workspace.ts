import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { didYouMean } from "../workspace/did-you-mean.ts";
import { SvcError } from "../workspace/errors.ts";
import { KINDS } from "../workspace/records.ts";

/** Whether it is a workspace folder: it has `workspace.json`, or `workspace.jsonc` (W3). */
export function hasWorkspaceFile(folder: string): boolean {
  return ["workspace.json", "workspace.jsonc"].some((name) => existsSync(join(folder, name)));
}

/** Whether `svc publish` has written the folder. */
export function isPublished(folder: string): boolean {
  const names = readdirSync(folder);
  const isWritten = names.includes("manifest.json") || names.includes(".svc-writing.json");
  return isWritten && names.includes("api");
}

/**
 * W7: what a path is that was given as a workspace folder, and which one was meant.
 *
 * @returns undefined when it is one, or is one whose `workspace.json` is missing.
 */
export function notAWorkspace(path: string): SvcError | undefined {
  const folder = resolve(path);
  const stats = statSync(folder, { throwIfNoEntry: false });
  const isFolder = stats?.isDirectory() === true;
  if (isFolder && hasWorkspaceFile(folder)) return undefined;
  const around = workspaceAround(folder);
  const others = isFolder ? workspacesIn(folder) : [];
  const holdsPublished = isFolder && isPublished(folder);
  const isElse = around !== undefined || others.length > 0 || holdsPublished;
  if (isFolder && !isElse && hasRecords(folder)) return undefined;
  const what =
    stats === undefined
      ? `there is no folder "${path}"`
      : isFolder
        ? `"${path}" is no workspace folder: it has no workspace.json`
        : `"${path}" is a file, not a workspace folder`;
  const named = (one: string) => `"${relative(".", one) || "."}"`;
  let hint = "check the path; svc init <folder> creates an example to start from";
  if (around !== undefined) {
    hint = `it is inside the workspace folder ${named(around)}: name that`;
  } else if (others.length > 0) {
    hint = `did you mean ${others.slice(0, 5).map(named).join(" or ")}?`;
  } else if (holdsPublished) {
    hint = "it holds published files; name the folder that has workspace.json";
  } else if (stats === undefined) {
    const beside = workspacesIn(dirname(folder));
    const similar = didYouMean(
      basename(folder),
      beside.map((one) => basename(one)),
    );
    const meant =
      beside.find((one) => basename(one) === similar) ??
      (beside.length === 1 ? beside[0] : undefined);
    if (meant !== undefined) hint = `did you mean ${named(meant)}?`;
  } else if (!isFolder) {
    hint = "to import an export of another system, use svc import --from contentful";
  }
  return new SvcError("folder-not-found", what, { hint });
}

/** Whether there are files or folders that only a workspace folder has. */
function hasRecords(folder: string): boolean {
  return readdirSync(folder).some((name) => {
    const [stem = ""] = name.split(".");
    return /^workspace\./i.test(name) || (KINDS as readonly string[]).includes(stem);
  });
}

/** The nearest folder above that is a workspace folder. */
function workspaceAround(folder: string): string | undefined {
  const parent = dirname(folder);
  if (parent === folder) return undefined;
  return hasWorkspaceFile(parent) ? parent : workspaceAround(parent);
}

/** The workspace folders right below a folder; none where it cannot be read. */
function workspacesIn(folder: string): string[] {
  try {
    const paths = readdirSync(folder).map((name) => join(folder, name));
    return paths.filter(hasWorkspaceFile);
  } catch {
    return [];
  }
}
