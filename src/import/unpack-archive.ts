import { createReadStream, statSync } from "node:fs";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { unpackTar } from "modern-tar/fs";
import { SvcError } from "../workspace/errors.ts";

const MB = 2 ** 20;

/** Limits of an archive (X16a): texts of an export compress some ten times, an attack a thousand times. */
const MAX_RECORDS = 200_000;
const MAX_RATIO = 100;
const ALWAYS_ALLOWED_BYTES = 64 * MB;
/** Of paths, and of headers beside the one of each record. */
const MAX_HEADERS = 8 * MB;
const MAX_DEPTH = 100;
/** How much may be read before the header is looked at that it belongs to. */
const READ_AHEAD = MB;

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
  let [records, paths, ofRecords, seen] = [0, 0, 0, 0];
  // Makes the folder at once, so that it is not called for an archive that is not there.
  const unpacking = () =>
    unpackTar(folder, {
      strict: true,
      dmode: 0o700,
      fmode: 0o600,
      maxDepth: MAX_DEPTH,
      filter: ({ type, name, size }) => {
        records += 1;
        paths += name.length;
        ofRecords += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
        if (records > MAX_RECORDS) throw new Error(`it has more than ${MAX_RECORDS} files`);
        if (paths > MAX_HEADERS) throw new Error(`its paths have more than ${inMb(MAX_HEADERS)}`);
        return type === "file" && innerPath(name) !== undefined;
      },
      map: (header) => {
        const name = innerPath(header.name) ?? "";
        if (names.has(name)) throw new Error(`it has two files "${name}"`);
        names.add(name);
        return { ...header, name };
      },
    });
  try {
    const most = Math.max(MAX_RATIO * statSync(path).size, ALWAYS_ALLOWED_BYTES);
    const bounded = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        seen += chunk.length;
        const isLarge = seen > most;
        const hasHeaders = seen - ofRecords > MAX_HEADERS + READ_AHEAD;
        if (isLarge) done(new Error(`it unpacks to more than ${inMb(most)}`));
        else if (hasHeaders) done(new Error(`its headers have more than ${inMb(MAX_HEADERS)}`));
        else done(null, chunk);
      },
    });
    await pipeline(createReadStream(path), createGunzip(), bounded, unpacking());
  } catch (error) {
    const { code = "", message } = error as NodeJS.ErrnoException;
    const isMissing = code === "ENOENT";
    // Such as a full disk: it says nothing about the archive.
    if (/^E[A-Z]+$/.test(code) && !isMissing && !OF_PATHS.has(code)) throw error;
    throw new SvcError(
      isMissing ? "export-not-found" : "export-invalid",
      isMissing ? `there is no file "${path}"` : `"${path}" cannot be unpacked: ${message}`,
      { hint: "give the .tar.gz file of an export, or the folder that it was unpacked to" },
    );
  }
}

/** The unit of an archive, in bytes. */
const BLOCK = 512;

/** Of a file in place of a folder, and a path that is too long. */
const OF_PATHS: ReadonlySet<string> = new Set(["ENOTDIR", "EISDIR", "EEXIST", "ENAMETOOLONG"]);

function inMb(bytes: number): string {
  return `${Math.round(bytes / MB)} MB`;
}

/** The path inside the archive, if it stays there on every system. */
function innerPath(name: string): string | undefined {
  const segments = name.split("/").filter((segment) => segment !== "" && segment !== ".");
  const leaves = segments.some((segment) => segment === ".." || /[\\:\0]/.test(segment));
  return leaves || segments.length === 0 ? undefined : segments.join("/");
}
