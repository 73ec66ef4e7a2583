import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { PublishedDocuments } from "../diff/published-documents.ts";
import { addressOfFilePath } from "../documents/address.ts";
import { SvcError } from "../workspace/errors.ts";
import { EMPTY_MANIFEST, readManifest } from "./manifest.ts";

/**
 * Reads the documents of a workspace from `out/`, and verifies that they are the version of the manifest.
 *
 * @returns the version; undefined when the workspace is not published there.
 * @throws SvcError `out-differs`, `manifest-invalid`.
 */
export function readOut(
  out: string,
  workspaceId: string,
  documents: PublishedDocuments,
): string | undefined {
  const { workspaces } = readManifest(out) ?? EMPTY_MANIFEST;
  const published = Object.hasOwn(workspaces, workspaceId) ? workspaces[workspaceId] : undefined;
  if (published === undefined) return undefined;
  const { versionId, files } = published;
  for (const path of Object.keys(files)) {
    if (addressOfFilePath(path) === undefined) continue;
    if (documents.add(path, read(out, path)) !== versionId) {
      throw differs(out, `"${path}" is not of version ${versionId}`);
    }
  }
  if (!documents.areAllOf(versionId)) throw differs(out, `its files are not version ${versionId}`);
  return versionId;
}

function read(out: string, path: string): Buffer {
  try {
    return readFileSync(join(out, path));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw differs(out, `"${path}" cannot be read (${code})`);
  }
}

function differs(out: string, reason: string): SvcError {
  return new SvcError("out-differs", `"${out}" differs from what was published: ${reason}`, {
    hint: "svc verify lists the differences, and svc publish repairs them; or another svc is writing there now",
  });
}
