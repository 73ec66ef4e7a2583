import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readSync,
  writeSync,
  writevSync,
} from "node:fs";
import { type Look, lookOf } from "./known-files.ts";

/** What stands there may be a pipe, at which a process would wait. */
const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Memory for one file, which the next one takes again. */
let room = Buffer.allocUnsafeSlow(256 * 1024);

/** The bytes of a file, until the next one is read; undefined when it is no file of that size. */
export function readOfSize(path: string, size: number): Uint8Array | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, READ);
    // One byte more would be too many.
    if (room.length <= size) room = Buffer.allocUnsafeSlow(2 * size);
    return readSync(descriptor, room, 0, size + 1, 0) === size ? room.subarray(0, size) : undefined;
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** Writes a file. Returns how it looks then. */
export function writeWhole(path: string, pieces: readonly Uint8Array[]): Look {
  const descriptor = openSync(path, "w");
  try {
    const size = pieces.reduce((sum, { byteLength }) => sum + byteLength, 0);
    let done = writevSync(descriptor, pieces);
    // What a file system takes only in part is written by parts.
    const left = done < size ? Buffer.concat(pieces) : undefined;
    while (left !== undefined && done < size) done += writeSync(descriptor, left, done);
    return lookOf(fstatSync(descriptor));
  } finally {
    closeSync(descriptor);
  }
}
