import { createReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { unpackTar } from "modern-tar/fs";
import { SvcError } from "../workspace/errors.ts";

export function isArchive(path: string): boolean {
  return /\.(?:tar\.gz|tgz)$/i.test(path);
}

/**
 * Unpacks the plain files of a `.tar.gz` archive into a folder, as a stream. Links and everything else
 * are left out, and no path leaves the folder (X16).
 *
 * @throws SvcError `export-invalid` for what is no archive, or a part of one.
 */
export async function unpackArchive(path: string, folder: string): Promise<void> {
  const files = unpackTar(folder, {
    strict: true,
    fmode: 0o600,
    dmode: 0o700,
    filter: ({ type, name }) => type === "file" && innerPath(name) !== undefined,
    map: (header) => ({ ...header, name: innerPath(header.name) ?? "" }),
  });
  try {
    await pipeline(createReadStream(path), createGunzip(), files);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const isMissing = code === "ENOENT";
    throw new SvcError(
      isMissing ? "export-not-found" : "export-invalid",
      isMissing ? `there is no file "${path}"` : `"${path}" cannot be unpacked: ${message}`,
      { hint: "give the .tar.gz file of an export, or the folder that it was unpacked to" },
    );
  }
}

/** The path inside the archive, if it stays there on every system. */
function innerPath(name: string): string | undefined {
  const segments = name.split("/").filter((segment) => segment !== "" && segment !== ".");
  const leaves = segments.some((segment) => segment === ".." || /[\\:\0]/.test(segment));
  return leaves || segments.length === 0 ? undefined : segments.join("/");
}
