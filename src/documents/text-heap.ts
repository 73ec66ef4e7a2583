/** Where texts go that memory is not to hold. */
export interface Overflow {
  /** Writes at the end. */
  append(bytes: Uint8Array): void;
  /** Reads as many bytes as `target` has. */
  read(target: Uint8Array, position: number): void;
}

/** Bytes that are written and, once memory is used up, go to the overflow together. */
const CHUNK = 1024 * 1024;

/** What stays in memory when there is an overflow, in bytes. */
const HELD = 64 * CHUNK;

/**
 * Many short texts as UTF-8, one behind the other: a fraction of the memory that as many strings
 * take, and ready to be copied into documents.
 */
export class TextHeap {
  readonly #overflow: Overflow | undefined;
  /** Undefined: in the overflow. */
  readonly #chunks: (Buffer | undefined)[] = [];
  /** Where each chunk stands in the overflow. */
  readonly #overflowed: number[] = [];
  #overflowSize = 0;
  #held = 0;
  #last: Buffer = Buffer.alloc(0);
  #used = 0;

  /** Without an overflow everything stays in memory. */
  constructor(overflow?: Overflow) {
    this.#overflow = overflow;
  }

  /** Adds a text of so many bytes of UTF-8. Returns its place. */
  add(text: string, size: number): number {
    if (this.#used + size > this.#last.length) this.#begin(size);
    const place = (this.#chunks.length - 1) * CHUNK + this.#used;
    this.#used += this.#last.write(text, this.#used);
    return place;
  }

  /** Copies the text of so many bytes that stands at a place. */
  copy(place: number, size: number, target: Buffer, at: number): void {
    const index = Math.floor(place / CHUNK);
    const start = place - index * CHUNK;
    const chunk = this.#chunks[index];
    if (chunk !== undefined) chunk.copy(target, at, start, start + size);
    else {
      const overflowed = (this.#overflowed[index] as number) + start;
      this.#overflow?.read(target.subarray(at, at + size), overflowed);
    }
  }

  /** A text longer than a chunk has a longer one to itself, so each begins within `CHUNK`. */
  #begin(size: number): void {
    const length = Math.max(size, CHUNK);
    const free = this.#makeRoom();
    const isReusable = free !== undefined && free.length >= length;
    this.#last = isReusable ? free.subarray(0, length) : Buffer.allocUnsafeSlow(length);
    this.#held += this.#last.length;
    this.#chunks.push(this.#last);
    this.#used = 0;
  }

  /** Moves the last chunk to the overflow when enough is held. Returns its memory. */
  #makeRoom(): Buffer | undefined {
    if (this.#overflow === undefined || this.#held < HELD) return undefined;
    const full = this.#last;
    this.#overflow.append(full.subarray(0, this.#used));
    this.#overflowed[this.#chunks.length - 1] = this.#overflowSize;
    this.#overflowSize += this.#used;
    this.#chunks[this.#chunks.length - 1] = undefined;
    this.#held -= full.length;
    return full;
  }
}
