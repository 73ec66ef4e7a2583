import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readSync,
  type Stats,
  writeSync,
  writevSync,
} from "node:fs";

/** Renaming a file changes none of these; writing to it does. */
export type FileSignature = readonly [inode: number, size: number, mtimeMs: number];

export function signatureOf({ ino, size, mtimeMs }: Stats): FileSignature {
  return [ino, size, mtimeMs];
}

/** O_NONBLOCK: opening a pipe must not block. */
const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Reused for every file. */
let buffer = Buffer.allocUnsafeSlow(256 * 1024);

/** The bytes of a file, valid until the next call; undefined unless it is a file of this size. */
export function readFileOfSize(path: string, size: number): Uint8Array | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, READ);
    if (buffer.length <= size) buffer = Buffer.allocUnsafeSlow(2 * size);
    // One byte more shows that the file is longer.
    const length = readSync(descriptor, buffer, 0, size + 1, 0);
    return length === size ? buffer.subarray(0, size) : undefined;
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Writes a file and returns its signature. */
export function writeFile(path: string, pieces: readonly Uint8Array[]): FileSignature {
  const descriptor = openSync(path, "w");
  try {
    const size = pieces.reduce((sum, { byteLength }) => sum + byteLength, 0);
    let done = writevSync(descriptor, pieces);
    // The system may write only a part.
    const rest = done < size ? Buffer.concat(pieces) : undefined;
    while (rest !== undefined && done < size) done += writeSync(descriptor, rest, done);
    return signatureOf(fstatSync(descriptor));
  } finally {
    closeSync(descriptor);
  }
}
