import { statSync } from "node:fs";
import { SvcError } from "../workspace/errors.ts";

/** Changes when another file gets this name, not when the file is written; undefined: no file. */
export function fileIdentity(file: string): string | undefined {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stats && `${stats.dev} ${stats.ino}`;
}

/** @throws SvcError `store-replaced` when the store's name no longer names the file that was opened. */
export function checkIdentity(file: string, opened: string | undefined): void {
  if (fileIdentity(file) === opened) return;
  throw new SvcError("store-replaced", `the store "${file}" was replaced or removed`, {
    hint: "put it back, or start the preview again",
  });
}
