import { createHash } from "node:crypto";
import { createReadStream, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { FileFact, FileFacts } from "../documents/version-id.ts";
import { SvcError } from "../workspace/errors.ts";
import type { ObjectBody } from "./object-store.ts";

/** A folder of published files that `svc verify` accepts, with its manifest. */
export interface PublishedFolder {
  readonly folder: string;
  /** Files shared by all workspaces, by path. */
  readonly files: FileFacts;
  readonly workspaces: Readonly<
    Record<string, { readonly versionId: string; readonly files: FileFacts }>
  >;
}

/** Bytes; larger files are streamed. */
const LARGE = 8 * 1024 * 1024;

/**
 * Opens a file for an upload.
 *
 * @throws SvcError `file-changed` when it does not match the manifest.
 */
export function bodyOf(folder: string, path: string, fact: FileFact): ObjectBody {
  const file = join(folder, path);
  try {
    if (fact.size > LARGE) {
      if (statSync(file).size !== fact.size) throw changed(file);
      return { bytes: () => createReadStream(file), ...fact };
    }
    const bytes = readFileSync(file);
    if (createHash("sha256").update(bytes).digest("hex") !== fact.sha256) throw changed(file);
    return { bytes, ...fact };
  } catch (error) {
    if (error instanceof SvcError) throw error;
    throw changed(file, error);
  }
}

/**
 * The MD5 of a file in lower-case hex, which most stores use as ETag.
 *
 * @throws SvcError `file-changed` when it does not match the manifest.
 */
export async function md5Of(folder: string, path: string, fact: FileFact): Promise<string> {
  const file = join(folder, path);
  const [md5, sha256] = [createHash("md5"), createHash("sha256")];
  try {
    if (fact.size <= LARGE) {
      const bytes = readFileSync(file);
      md5.update(bytes);
      sha256.update(bytes);
    } else {
      for await (const piece of createReadStream(file)) {
        md5.update(piece);
        sha256.update(piece);
      }
    }
  } catch (error) {
    throw changed(file, error);
  }
  if (sha256.digest("hex") !== fact.sha256) throw changed(file);
  return md5.digest("hex");
}

export function textBody(text: string): ObjectBody {
  const bytes = Buffer.from(text);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return { bytes, size: bytes.length, sha256 };
}

function changed(file: string, cause?: unknown): SvcError {
  return new SvcError("file-changed", `"${file}" changed during the deploy`, {
    hint: "do not publish while a deploy runs; svc verify checks the folder",
    cause,
  });
}
