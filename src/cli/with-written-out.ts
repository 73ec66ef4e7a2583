import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Command } from "commander";
import { hasWorkspaceFile } from "../folder/reading.ts";
import { MANIFEST } from "../publish/manifest.ts";
import { SvcError } from "../workspace/errors.ts";
import { KINDS } from "../workspace/records.ts";
import { withOut } from "./command.ts";

/**
 * `--out` of a command that writes there: refused for a workspace folder, and for one that has its
 * records (`out-is-workspace`).
 */
export function withWrittenOut(to: Command): Command {
  return withOut(to).hook("preAction", (command) => {
    const { out } = command.opts<{ out: string }>();
    const isWorkspace = !existsSync(join(out, MANIFEST)) && hasWorkspaceFile(out);
    if (!isWorkspace && !hasRecords(resolve(out))) return;
    const what = isWorkspace ? "a workspace folder" : "part of a workspace folder";
    throw new SvcError("out-is-workspace", `"${out}" is ${what}`, {
      hint: "choose another folder with --out: the published files would be among its own",
    });
  });
}

/** Whether the files below a folder are read as the records of a workspace. */
function hasRecords(folder: string): boolean {
  const parent = dirname(folder);
  if (parent === folder) return false;
  const isKind = KINDS.some((kind) => kind === basename(folder));
  return (isKind && hasWorkspaceFile(parent)) || hasRecords(parent);
}
