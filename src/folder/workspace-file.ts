import { existsSync } from "node:fs";
import { join } from "node:path";

/** Whether it is a workspace folder: it has `workspace.json`, or `workspace.jsonc` (W3). */
export function hasWorkspaceFile(folder: string): boolean {
  return ["workspace.json", "workspace.jsonc"].some((name) => existsSync(join(folder, name)));
}
