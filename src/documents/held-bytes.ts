import { closeSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SvcError } from "../workspace/errors.ts";

/** Bytes outside of V8's heap: a part of a chunk, which is freed with the last part in use. */
export interface HeldBytes {
  readonly chunk: Chunk;
  readonly at: number;
  /** In bytes. */
  readonly size: number;
}

interface Chunk {
  /** Undefined: they are in the file, from `place` on. */
  bytes: Buffer | undefined;
  file: TemporaryFile | undefined;
  place: number;
  length: number;
}

interface TemporaryFile {
  readonly descriptor: number;
}

/** How many bytes are in memory; further ones are in a temporary file. */
const IN_MEMORY = 8 * 1024 * 1024;

/** The size of a chunk in bytes; longer texts have one of their own. */
const CHUNK = 64 * 1024;

const files = new FinalizationRegistry<number>((descriptor) => closeSync(descriptor));

/**
 * Holds bytes in memory up to a limit, further ones in a file that has no name, so that nothing is
 * left of it however the process ends.
 */
export class ByteHolder {
  #chunk: Chunk | undefined;
  #used = 0;
  /** How many texts it was given. */
  count = 0;
  /** The bytes of all chunks before this one. */
  #filled = 0;
  #file: TemporaryFile | undefined;
  #written = 0;

  /** @throws SvcError `disk-full`, `temporary-file-unwritable`. */
  add(bytes: Uint8Array): HeldBytes {
    const chunk = this.#room(bytes.length);
    (chunk.bytes as Buffer).set(bytes, this.#used);
    return this.#take(chunk, bytes.length);
  }

  /** A text as UTF-8. */
  addText(text: string): HeldBytes {
    // A UTF-16 unit takes at most three bytes.
    const most = 3 * text.length;
    const chunk = this.#room(most < CHUNK / 16 ? most : Buffer.byteLength(text));
    return this.#take(chunk, (chunk.bytes as Buffer).write(text, this.#used));
  }

  #take(chunk: Chunk, size: number): HeldBytes {
    const held = { chunk, at: this.#used, size };
    this.#used += size;
    this.count += 1;
    return held;
  }

  /** A chunk with room for so many bytes from `#used` on. */
  #room(size: number): Chunk {
    const last = this.#chunk;
    if (last?.bytes !== undefined && this.#used + size <= last.bytes.length) return last;
    if (last !== undefined) this.#fill(last);
    const length = Math.max(CHUNK, size);
    const bytes = Buffer.allocUnsafeSlow(length);
    this.#chunk = { bytes, file: undefined, place: 0, length };
    this.#used = 0;
    return this.#chunk;
  }

  #fill(chunk: Chunk): void {
    this.#filled += this.#used;
    if (this.#filled <= IN_MEMORY) return;
    const bytes = (chunk.bytes as Buffer).subarray(0, this.#used);
    try {
      this.#file ??= temporaryFile();
      for (let done = 0; done < bytes.length; ) {
        const place = this.#written + done;
        done += writeSync(this.#file.descriptor, bytes, done, bytes.length - done, place);
      }
    } catch (error) {
      throw unwritable(error as NodeJS.ErrnoException);
    }
    chunk.file = this.#file;
    chunk.place = this.#written;
    chunk.length = bytes.length;
    chunk.bytes = undefined;
    this.#written += bytes.length;
  }
}

function unwritable(cause: NodeJS.ErrnoException): SvcError {
  const isFull = ["ENOSPC", "EDQUOT"].includes(cause.code ?? "");
  const message = `cannot write a temporary file in "${tmpdir()}" (${cause.code})`;
  return new SvcError(isFull ? "disk-full" : "temporary-file-unwritable", message, {
    hint: isFull
      ? "make room there, or name another folder with TMPDIR"
      : "name a folder that can be written with TMPDIR",
    cause,
  });
}

/** A file that is read and written by its descriptor only. */
function temporaryFile(): TemporaryFile {
  const path = join(tmpdir(), `svc-${process.pid}-${crypto.randomUUID()}`);
  const file = { descriptor: openSync(path, "wx+", 0o600) };
  files.register(file, file.descriptor);
  rmSync(path);
  return file;
}

/** Copies bytes into `target` from `start` on. */
export function copyHeld({ chunk, at, size }: HeldBytes, target: Buffer, start: number): void {
  bytesOf(chunk).copy(target, start, at, at + size);
}

/** The text that the bytes are. */
export function heldText({ chunk, at, size }: HeldBytes): string {
  return bytesOf(chunk).toString("utf8", at, at + size);
}

export function heldCopy(held: HeldBytes): Buffer {
  const bytes = Buffer.allocUnsafe(held.size);
  copyHeld(held, bytes, 0);
  return bytes;
}

/** Whether these bytes are held. */
export function isHeld({ chunk, at, size }: HeldBytes, bytes: Uint8Array): boolean {
  return (
    size === bytes.length &&
    bytesOf(chunk)
      .subarray(at, at + size)
      .equals(bytes)
  );
}

/** The bytes, to be used at once: the next ones are read into the same memory. */
export function heldBytes({ chunk, at, size }: HeldBytes): Buffer {
  return bytesOf(chunk).subarray(at, at + size);
}

/** The chunk that was read last: what is written together is mostly read together. */
let last: { chunk: Chunk | undefined; bytes: Buffer } = {
  chunk: undefined,
  bytes: Buffer.alloc(0),
};

/** To be used at once: the next chunk is read into the same memory. */
function bytesOf(chunk: Chunk): Buffer {
  if (chunk.bytes !== undefined) return chunk.bytes;
  if (last.chunk !== chunk) {
    const { length } = last.bytes;
    const bytes = length < chunk.length ? Buffer.allocUnsafeSlow(chunk.length) : last.bytes;
    last = { chunk: undefined, bytes };
    read(chunk, bytes);
    last.chunk = chunk;
  }
  return last.bytes;
}

function read({ file, place, length }: Chunk, bytes: Buffer): void {
  const { descriptor } = file as TemporaryFile;
  for (let done = 0; done < length; ) {
    const count = readSync(descriptor, bytes, done, length - done, place + done);
    if (count === 0) throw new Error("a temporary file is shorter than it was written");
    done += count;
  }
}
