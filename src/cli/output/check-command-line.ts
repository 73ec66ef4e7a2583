import type { WorkspaceOptions } from "../command.ts";

/** The `svc check` that checks what a command with these options has read. */
export function checkCommandLine(
  { store, workspace }: WorkspaceOptions,
  folder: string | undefined,
): string {
  if (folder !== undefined) return `svc check ${quoted(folder)}`;
  const options = [
    ...(store === "workspace.db" ? [] : ["--store", quoted(store)]),
    ...(workspace === undefined ? [] : ["--workspace", quoted(workspace)]),
  ];
  return ["svc check", ...options].join(" ");
}

/** A word for a POSIX shell. */
function quoted(word: string): string {
  return /^[\w./@:+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
