import { createReadStream, statSync } from "node:fs";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { unpackTar } from "modern-tar/fs";
import { SvcError } from "../workspace/errors.ts";

/** Limits of an archive (X16): texts of an export compress some ten times, an attack a thousand times. */
const MAX_FILES = 200_000;
const MAX_RATIO = 100;
const ALWAYS_ALLOWED_BYTES = 64 * 2 ** 20;

export function isArchive(path: string): boolean {
  return /\.(?:tar\.gz|tgz)$/i.test(path);
}

/**
 * Unpacks the plain files of a `.tar.gz` archive into a folder, as a stream. Links and everything
 * else are left out, and no path leaves the folder (X16).
 *
 * @throws SvcError `export-invalid` for what is no archive, a part of one, or more than the limits.
 */
export async function unpackArchive(path: string, folder: string): Promise<void> {
  const names = new Set<string>();
  const unpack = unpackTar(folder, {
    strict: true,
    dmode: 0o700,
    fmode: 0o600,
    filter: ({ type, name }) => type === "file" && innerPath(name) !== undefined,
    map: (header) => {
      const name = innerPath(header.name) ?? "";
      if (names.has(name)) throw new Error(`it has two files "${name}"`);
      if (names.size === MAX_FILES) throw new Error(`it has more than ${MAX_FILES} files`);
      names.add(name);
      return { ...header, name };
    },
  });
  try {
    const { size } = statSync(path);
    await pipeline(
      createReadStream(path),
      createGunzip(),
      atMost(Math.max(MAX_RATIO * size, ALWAYS_ALLOWED_BYTES)),
      unpack,
    );
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

/** Lets at most this many bytes through. */
function atMost(bytes: number): Transform {
  let seen = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      seen += chunk.length;
      if (seen <= bytes) done(null, chunk);
      else done(new Error(`it unpacks to more than ${Math.round(bytes / 2 ** 20)} MB`));
    },
  });
}

/** The path inside the archive, if it stays there on every system. */
function innerPath(name: string): string | undefined {
  const segments = name.split("/").filter((segment) => segment !== "" && segment !== ".");
  const leaves = segments.some((segment) => segment === ".." || /[\\:\0]/.test(segment));
  return leaves || segments.length === 0 ? undefined : segments.join("/");
}
