import { statSync } from "node:fs";
import { readFolder } from "../folder/read-folder.ts";
import type { Store } from "../store/store.ts";
import { SvcError } from "../workspace/errors.ts";
import type { WorkspaceSource } from "../workspace/source.ts";

/**
 * The records of a workspace folder.
 *
 * @throws SvcError `folder-not-found`, `folder-invalid`.
 */
export function sourceOfFolder(folder: string): WorkspaceSource {
  if (statSync(folder, { throwIfNoEntry: false })?.isFile()) {
    throw new SvcError("folder-not-found", `"${folder}" is a file, not a workspace folder`, {
      hint: "to import an export of another system, use svc import --from contentful",
    });
  }
  return readFolder(folder);
}

/** Imports a workspace folder into a store. Throws as `sourceOfFolder`. */
export function importFolder(store: Store, folder: string) {
  return store.import(sourceOfFolder(folder), new Date());
}
