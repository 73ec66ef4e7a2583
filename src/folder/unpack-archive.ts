import { closeSync, createReadStream, mkdirSync, openSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import { createGunzip } from "node:zlib";
import { SvcError } from "../workspace/errors.ts";

/** Whether a file is an archive, by its name. */
export function isArchive(path: string): boolean {
  return /\.(?:tar\.gz|tgz)$/i.test(path);
}

/** In bytes: headers and contents fill blocks of this size. */
const BLOCK = 512;

/**
 * Unpacks the plain files of a `.tar.gz` archive into a folder, as a stream. Links and everything else
 * are left out, and no path leaves the folder.
 *
 * @throws SvcError `export-invalid` for what is no archive, or a part of one.
 */
export async function unpackArchive(path: string, folder: string): Promise<void> {
  try {
    await unpack(new ByteStream(unzipped(path)), folder);
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

function unzipped(path: string): AsyncIterable<Uint8Array> {
  const file = createReadStream(path);
  const gunzip = createGunzip();
  file.on("error", (error) => gunzip.destroy(error));
  return file.pipe(gunzip);
}

async function unpack(bytes: ByteStream, folder: string): Promise<void> {
  let longName: string | undefined;
  for (;;) {
    const header = await bytes.take(BLOCK);
    if (header.every((byte) => byte === 0)) return;
    const { name, size, type } = readHeader(header);
    const rest = -size & (BLOCK - 1);
    if (type === "x" || type === "L") {
      const text = (await bytes.take(size)).toString("utf8");
      longName = type === "L" ? text.replace(/\0.*$/s, "") : (paxPath(text) ?? longName);
    } else {
      const target = type === "0" || type === "" ? innerPath(longName ?? name) : undefined;
      longName = undefined;
      if (target === undefined) for await (const _ of bytes.chunks(size));
      else await writeFile(join(folder, target), bytes.chunks(size));
    }
    await bytes.take(rest);
  }
}

async function writeFile(path: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  const descriptor = openSync(path, "w");
  try {
    for await (const chunk of chunks) writeSync(descriptor, chunk);
  } finally {
    closeSync(descriptor);
  }
}

function readHeader(header: Buffer): { name: string; size: number; type: string } {
  const text = (from: number, length: number) =>
    header
      .subarray(from, from + length)
      .toString("utf8")
      .replace(/\0.*$/s, "");
  const size = Number.parseInt(text(124, 12).trim() || "0", 8);
  // The checksum counts its own eight bytes as spaces.
  const sum = header.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0);
  if (Number.parseInt(text(148, 8).trim(), 8) !== sum || !(size >= 0)) {
    throw new Error("it is not a tar archive");
  }
  const prefix = text(257, 5) === "ustar" ? text(345, 155) : "";
  return {
    name: prefix === "" ? text(0, 100) : `${prefix}/${text(0, 100)}`,
    size,
    type: text(156, 1),
  };
}

/** The path in a record of an extended header: `<length> path=<path>\n`. */
function paxPath(text: string): string | undefined {
  return /(?:^|\n)\d+ path=([^\n]*)\n/.exec(text)?.[1];
}

/** The path inside the archive, if it stays there on every system. */
function innerPath(name: string): string | undefined {
  const segments = name.split("/").filter((segment) => segment !== "" && segment !== ".");
  const leaves = segments.some((segment) => segment === ".." || /[\\:\0]/.test(segment));
  return leaves || segments.length === 0 ? undefined : segments.join("/");
}

/** Bytes that are taken from the front of a stream. */
class ByteStream {
  readonly #source: AsyncIterator<Uint8Array>;
  #held: Uint8Array = new Uint8Array();

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** So many bytes, in pieces as they come. */
  async *chunks(count: number): AsyncGenerator<Uint8Array> {
    for (let left = count; left > 0; ) {
      if (this.#held.length === 0) {
        const { value, done } = await this.#source.next();
        if (done) throw new Error("it ends early");
        this.#held = value;
      }
      const taken = this.#held.subarray(0, left);
      this.#held = this.#held.subarray(taken.length);
      left -= taken.length;
      yield taken;
    }
  }

  async take(count: number): Promise<Buffer> {
    const taken: Uint8Array[] = [];
    for await (const chunk of this.chunks(count)) taken.push(chunk);
    return Buffer.concat(taken);
  }
}
