import { hash as hashOf } from "node:crypto";
import { zstdDecompressSync } from "node:zlib";
import { compressed, UNPOOLED } from "./compressed.ts";
import type { TextIndex } from "./text-index.ts";

/** The number of a text: the number of its pack times `PLACES`, plus its place there. */
export type TextNumber = number;

/** The greatest number of texts in a pack. */
export const PLACES = 1024;

/** The number of the pack that a text is in. */
export function packOf(text: TextNumber): number {
  return Math.floor(text / PLACES);
}

/** Bytes from which a pack is full: small enough to read for one text, large enough to compress. */
const FULL = 32 * 1024;

/** Texts that are compressed and stored together. */
export interface Pack {
  /** Of each text: half of its SHA-256, its size in 4 bytes. */
  readonly contents: Uint8Array;
  /** The concatenated texts, zstd. */
  readonly bytes: Uint8Array;
}

/** Bytes of `contents` for each text: its hash, then its size. */
export const LINE = 20;
const HASH = 16;

/** Identifies a text: half of the SHA-256 of its UTF-8, one byte a character. */
function textHash(bytes: Uint8Array): string {
  return hashOf("sha256", bytes, "binary").slice(0, HASH);
}

/** Collects texts. */
export interface TextSink {
  /**
   * Returns the number of a text that is known, and for a new one -1 - (pack * PLACES + place) of
   * the packs that `finish` returns.
   */
  add(text: string, entry: number): number;
  finish(): readonly Pack[];
}

/** Memory for one pack, which the next one reuses. */
const room = Buffer.allocUnsafeSlow(2 * FULL);

/** Packs the texts that are not known yet. A thread may use one at a time. */
export class PackSink implements TextSink {
  readonly #known: TextIndex;
  readonly #packs: Pack[] = [];
  #bytes = room;
  #used = 0;
  #contents = Buffer.allocUnsafe(PLACES * LINE);
  #count = 0;

  constructor(known: TextIndex) {
    this.#known = known;
  }

  add(text: string): number {
    if (this.#used >= FULL || this.#count === PLACES) this.#end();
    // A UTF-16 unit takes at most three bytes.
    if (this.#used + 3 * text.length > this.#bytes.length) this.#grow(3 * text.length);
    const size = this.#bytes.write(text, this.#used);
    const hash = textHash(this.#bytes.subarray(this.#used, this.#used + size));
    const number = this.#known.find(hash);
    if (number !== undefined) return number;
    this.#contents.write(hash, this.#count * LINE, HASH, "latin1");
    this.#contents.writeUInt32LE(size, this.#count * LINE + HASH);
    this.#count += 1;
    this.#used += size;
    return -(this.#packs.length * PLACES + this.#count);
  }

  finish(): readonly Pack[] {
    this.#end();
    return this.#packs;
  }

  #end(): void {
    if (this.#count === 0) return;
    const contents = Buffer.alloc(this.#count * LINE, this.#contents);
    this.#packs.push({ contents, bytes: compressed(this.#bytes.subarray(0, this.#used)) });
    this.#used = 0;
    this.#count = 0;
  }

  #grow(size: number): void {
    const longer = Buffer.allocUnsafe(2 * (this.#used + size));
    this.#bytes.copy(longer, 0, 0, this.#used);
    this.#bytes = longer;
  }
}

/** The memory of a pack of a sink, to transfer to another thread. */
export function packMemory({ contents, bytes }: Pack): ArrayBuffer[] {
  return [contents, bytes].map(({ buffer }) => buffer as ArrayBuffer);
}

/** The number of a text that a sink has added, given those of the texts of each pack. */
export function textNumber(
  added: number,
  packs: readonly (readonly TextNumber[])[],
): TextNumber | undefined {
  if (added >= 0) return added;
  return packs[Math.floor((-1 - added) / PLACES)]?.[(-1 - added) % PLACES];
}

/** A pack of one text, whose SHA-256 is known. */
export function singlePack(sha256: string, bytes: Uint8Array): Pack {
  const contents = Buffer.alloc(LINE);
  contents.write(sha256.slice(0, 2 * HASH), "hex");
  contents.writeUInt32LE(bytes.byteLength, HASH);
  return { contents, bytes: compressed(bytes) };
}

/** How many texts a pack has. */
export function countOf(contents: Uint8Array): number {
  return contents.length / LINE;
}

/** An opened pack. */
export class OpenPack {
  readonly #bytes: Buffer;
  readonly #ends: number[] = [];

  /** @throws Error when the bytes are not a pack. */
  constructor({ contents, bytes }: Pack) {
    const lines = Buffer.from(contents.buffer, contents.byteOffset, contents.byteLength);
    let end = 0;
    for (let at = HASH; at < lines.length; at += LINE) {
      end += lines.readUInt32LE(at);
      this.#ends.push(end);
    }
    // One byte more: zlib allocates another chunk when the first is full.
    this.#bytes = zstdDecompressSync(bytes, { chunkSize: Math.max(UNPOOLED, end + 1) });
    if (end !== this.#bytes.length) throw new Error("the texts of a pack are not its contents");
  }

  get size(): number {
    return this.#bytes.length;
  }

  /** Frees its memory without waiting for garbage collection. Its texts become invalid. */
  close(): void {
    (this.#bytes.buffer as ArrayBuffer).transfer(0);
  }

  /** A text, in memory that it shares with the others. */
  text(place: number): Buffer {
    const end = this.#ends[place];
    if (end === undefined) throw new Error("a pack has fewer texts");
    return this.#bytes.subarray(place === 0 ? 0 : this.#ends[place - 1], end);
  }
}
