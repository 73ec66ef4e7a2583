import { readFileSync } from "node:fs";
import { join } from "node:path";
import { chosenWorkspace, type PublishedDocuments } from "../diff/published-documents.ts";
import { addressOfFilePath } from "../documents/address.ts";
import { SvcError } from "../workspace/errors.ts";
import { EMPTY_MANIFEST, type Manifest, readManifest } from "./manifest.ts";

/**
 * D4a: reads the documents of a workspace from `out/`, and verifies that they are the manifest's version.
 *
 * @param wanted undefined: the only workspace there.
 * @returns undefined when the workspace is not published there.
 * @throws SvcError `out-differs`, `workspace-ambiguous`, `manifest-invalid`.
 */
export function readOut(
  out: string,
  wanted: string | undefined,
  documents: PublishedDocuments,
): { workspaceId: string; versionId: string } | undefined {
  const { workspaces } = readManifest(out) ?? EMPTY_MANIFEST;
  const workspaceId = chosenWorkspace(`"${out}"`, Object.keys(workspaces), wanted);
  if (workspaceId === undefined || !Object.hasOwn(workspaces, workspaceId)) return undefined;
  const published = workspaces[workspaceId] as Manifest["workspaces"][string];
  const { versionId, files } = published;
  for (const path of Object.keys(files)) {
    if (addressOfFilePath(path) === undefined) continue;
    if (documents.add(path, read(out, path)) !== versionId) {
      throw differs(out, `"${path}" is not of version ${versionId}`);
    }
  }
  if (!documents.areAllOf(versionId)) throw differs(out, `its files are not version ${versionId}`);
  return { workspaceId, versionId };
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
    hint: "svc verify lists the differences, and svc publish <folder> repairs them; or another svc is writing there now",
  });
}
