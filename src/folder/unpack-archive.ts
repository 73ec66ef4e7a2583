import { createReadStream, createWriteStream, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream, TransformStream } from "node:stream/web";
import { createGunzip } from "node:zlib";
import { createTarDecoder, type TarHeader } from "modern-tar";
import { SvcError } from "../workspace/errors.ts";

export function isArchive(path: string): boolean {
  return /\.(?:tar\.gz|tgz)$/i.test(path);
}

/**
 * Unpacks the plain files of a `.tar.gz` archive into a folder, as a stream; of a path that stands
 * twice the last file counts. Links and everything else are left out, and no path leaves the folder
 * (X16).
 *
 * @throws SvcError `export-invalid` for what is no archive, or a part of one.
 */
export async function unpackArchive(path: string, folder: string): Promise<void> {
  const bytes = createReadStream(path).compose(createGunzip());
  const entries = Readable.toWeb(bytes).pipeThrough(tarDecoder());
  try {
    for await (const { header, body } of entries) {
      const name = header.type === "file" ? innerPath(header.name) : undefined;
      if (name === undefined) {
        await body.cancel();
        continue;
      }
      const file = join(folder, name);
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
      await pipeline(Readable.fromWeb(body), createWriteStream(file, { mode: 0o600 }));
    }
  } catch (error) {
    const { code = "", message } = error as NodeJS.ErrnoException;
    const isMissing = code === "ENOENT";
    // Such as a full disk: it says nothing about the archive.
    if (/^E[A-Z]+$/.test(code) && !isMissing) throw error;
    throw new SvcError(
      isMissing ? "export-not-found" : "export-invalid",
      isMissing ? `there is no file "${path}"` : `"${path}" cannot be unpacked: ${message}`,
      { hint: "give the .tar.gz file of an export, or the folder that it was unpacked to" },
    );
  }
}

/** The decoder's types are those of a browser's streams. */
function tarDecoder() {
  type Entry = { header: TarHeader; body: ReadableStream<Uint8Array> };
  return createTarDecoder({ strict: true }) as unknown as TransformStream<Uint8Array, Entry>;
}

/** The path inside the archive, if it stays there on every system. */
function innerPath(name: string): string | undefined {
  const segments = name.split("/").filter((segment) => segment !== "" && segment !== ".");
  const leaves = segments.some((segment) => segment === ".." || /[\\:\0]/.test(segment));
  return leaves || segments.length === 0 ? undefined : segments.join("/");
}
