import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { chosenWorkspace, PublishedDocuments } from "../diff/published-documents.ts";
import { nothingPublished, type PublishedSide } from "../diff/snapshot.ts";
import { addressOfFilePath } from "../documents/address.ts";
import { SvcError } from "../workspace/errors.ts";
import { doneAtOnce } from "../workspace/work.ts";
import { EMPTY_MANIFEST, MANIFEST, readManifest } from "./manifest.ts";

/**
 * D4a: reads the documents of a workspace from `out/`, and verifies that they are the manifest's version.
 *
 * @param wanted undefined: the only workspace there.
 * @throws SvcError `out-differs`, `workspace-ambiguous`, `manifest-invalid`.
 */
export function readOut(out: string, wanted: string | undefined): PublishedSide {
  return doneAtOnce(readOutInParts(out, wanted));
}

/** The same, in parts of a document. */
export function* readOutInParts(
  out: string,
  wanted: string | undefined,
): Generator<void, PublishedSide> {
  const { workspaces } = readManifest(out) ?? EMPTY_MANIFEST;
  const others = Object.keys(workspaces);
  const workspaceId = chosenWorkspace(`"${out}"`, others, wanted) ?? "";
  const published = Object.hasOwn(workspaces, workspaceId) ? workspaces[workspaceId] : undefined;
  if (published === undefined) {
    return { ...nothingPublished("out", out), ...(others.length > 0 && { others }) };
  }
  const { versionId, files } = published;
  const documents = new PublishedDocuments();
  for (const path of Object.keys(files)) {
    if (addressOfFilePath(path) === undefined) continue;
    if (documents.add(path, read(out, path)) !== versionId) {
      throw differs(out, `"${path}" is not of version ${versionId}`);
    }
    yield;
  }
  if (!documents.areAllOf(versionId)) throw differs(out, `its files are not version ${versionId}`);
  const at = statSync(join(out, MANIFEST)).mtime.toISOString();
  return { kind: "out", name: out, workspaceId, versionId, at, snapshot: documents.snapshot() };
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
