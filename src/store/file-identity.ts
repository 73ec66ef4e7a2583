import { statSync } from "node:fs";
import { SvcError } from "../workspace/errors.ts";

/**
 * Which file stands under a name: another text when it is replaced by another file, the same when
 * it is written to; undefined when there is none.
 */
export function fileIdentity(file: string): string | undefined {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stats && `${stats.dev} ${stats.ino}`;
}

/** @throws SvcError `store-replaced` when under the store's name is no longer the file that was opened. */
export function checkIdentity(file: string, opened: string | undefined): void {
  if (fileIdentity(file) === opened) return;
  throw new SvcError("store-replaced", `the store "${file}" was replaced or removed`, {
    hint: "put it back, or start the preview again",
  });
}
