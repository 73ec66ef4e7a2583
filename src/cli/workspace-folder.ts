import { hasWorkspaceFile } from "../folder/reading.ts";
import { SvcError } from "../workspace/errors.ts";

/** @throws SvcError `folder-not-found`. */
export function requireWorkspaceFolder(folder: string): void {
  if (hasWorkspaceFile(folder)) return;
  throw new SvcError("folder-not-found", `"${folder}" is not a workspace folder`, {
    hint: "name the folder that has workspace.json",
  });
}
