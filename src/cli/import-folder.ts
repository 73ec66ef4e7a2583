import { statSync } from "node:fs";
import { readFolder } from "../folder/read-folder.ts";
import type { Store } from "../store/store.ts";
import { SvcError } from "../workspace/errors.ts";

/**
 * Imports a workspace folder into a store.
 *
 * @throws SvcError `folder-not-found`, `folder-invalid`.
 */
export function importFolder(store: Store, folder: string) {
  if (statSync(folder, { throwIfNoEntry: false })?.isFile()) {
    throw new SvcError("folder-not-found", `"${folder}" is a file, not a workspace folder`, {
      hint: "to import an export of another system, use svc import --from contentful",
    });
  }
  return store.import(readFolder(folder), new Date());
}
