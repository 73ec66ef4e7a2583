import { hash as hashOf } from "node:crypto";
import { zstdDecompressSync } from "node:zlib";
import { compressed, UNPOOLED } from "./compressed.ts";
import type { TextIndex } from "./text-index.ts";

/** The number of a text: that of its pack times `PLACES`, and its place there. */
export type TextNumber = number;

/** More texts are in no pack. */
export const PLACES = 1024;

/** The number of the pack that a text is in. */
export function packOf(text: TextNumber): number {
  return Math.floor(text / PLACES);
}

/** A pack is full beyond so many bytes: small enough to be read for one text, large enough to shrink. */
const FULL = 32 * 1024;

/** Texts kept together. */
export interface Pack {
  /** Of each text: half of its SHA-256, its size in 4 bytes. */
  readonly contents: Uint8Array;
  /** The texts one behind the other, zstd. */
  readonly bytes: Uint8Array;
}

/** Bytes of what a pack says of each text: the hash comes first. */
export const LINE = 20;
const HASH = 16;

/** By which texts are told apart: half of the SHA-256 of their UTF-8, a byte a character. */
function textHash(bytes: Uint8Array): string {
  return hashOf("sha256", bytes, "binary").slice(0, HASH);
}

/** Takes texts one by one. */
export interface TextSink {
  /**
   * Returns the number of a text that is known, and for a new one -1 - (pack * PLACES + place) of
   * the packs that `finish` returns.
   */
  add(text: string, entry: number): number;
  finish(): readonly Pack[];
}

/** Memory for one pack, which the next one takes again. */
const room = Buffer.allocUnsafeSlow(2 * FULL);

/** Makes packs of the texts that are not known yet; one at a time in a thread. */
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
    // A UTF-16 unit becomes three bytes at the most.
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

/** The memory of a pack of a sink, which is nobody else's. */
export function packMemory({ contents, bytes }: Pack): ArrayBuffer[] {
  return [contents, bytes].map(({ buffer }) => buffer as ArrayBuffer);
}

/** The number of a text that a sink has added, given the number of the first text of each pack. */
export function textNumber(added: number, firsts: readonly TextNumber[]): TextNumber | undefined {
  if (added >= 0) return added;
  const first = firsts[Math.floor((-1 - added) / PLACES)];
  return first === undefined ? undefined : first + ((-1 - added) % PLACES);
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

  /** @throws Error when the bytes are no pack. */
  constructor({ contents, bytes }: Pack) {
    const lines = Buffer.from(contents.buffer, contents.byteOffset, contents.byteLength);
    let end = 0;
    for (let at = HASH; at < lines.length; at += LINE) {
      end += lines.readUInt32LE(at);
      this.#ends.push(end);
    }
    // One byte more: where all of it is used, zlib takes as much again.
    this.#bytes = zstdDecompressSync(bytes, { chunkSize: Math.max(UNPOOLED, end + 1) });
    if (end !== this.#bytes.length) throw new Error("the texts of a pack are not its contents");
  }

  get size(): number {
    return this.#bytes.length;
  }

  /** Gives its memory back, at once and not some time: none of its texts may be read any more. */
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
