/** The memory of an index, which several threads may read. */
export interface SharedTexts {
  readonly keys: Uint32Array<SharedArrayBuffer>;
  readonly numbers: Float64Array<SharedArrayBuffer>;
  readonly size: number;
}

/** From this many slots on it doubles instead of quadrupling. */
const LARGE = 2 ** 18;

/** 32-bit words of a hash. */
const WORDS = 4;

/** The numbers of texts by their hashes, so that each text is stored once. */
export class TextIndex {
  #keys: Uint32Array<SharedArrayBuffer>;
  /** A number plus one; 0: free. */
  #numbers: Float64Array<SharedArrayBuffer>;
  #size: number;

  constructor(shared?: SharedTexts) {
    this.#keys = shared?.keys ?? new Uint32Array(new SharedArrayBuffer(1024 * WORDS * 4));
    this.#numbers = shared?.numbers ?? new Float64Array(new SharedArrayBuffer(1024 * 8));
    this.#size = shared?.size ?? 0;
  }

  get shared(): SharedTexts {
    return { keys: this.#keys, numbers: this.#numbers, size: this.#size };
  }

  /** @param hash one byte a character. */
  find(hash: string): number | undefined {
    if (this.#size === 0) return undefined;
    const word = (at: number) => {
      const byte = (offset: number) => hash.charCodeAt(at + offset);
      return (byte(0) | (byte(1) << 8) | (byte(2) << 16) | (byte(3) << 24)) >>> 0;
    };
    const number = this.#numbers[this.#slot(word(0), word(4), word(8), word(12))] as number;
    return number === 0 ? undefined : number - 1;
  }

  /**
   * Adds a text unless it has a number. Returns the number that it has then.
   *
   * @param at where the hash begins in `hashes`.
   */
  add(number: number, hashes: Buffer, at: number): number {
    if (2 * this.#size >= this.#numbers.length) this.#grow();
    const word = (offset: number) => hashes.readUInt32LE(at + offset);
    return this.#put(number + 1, word(0), word(4), word(8), word(12)) - 1;
  }

  #put(value: number, a: number, b: number, c: number, d: number): number {
    const slot = this.#slot(a, b, c, d);
    const known = this.#numbers[slot] as number;
    if (known !== 0) return known;
    this.#size += 1;
    const at = slot * WORDS;
    this.#keys[at] = a;
    this.#keys[at + 1] = b;
    this.#keys[at + 2] = c;
    this.#keys[at + 3] = d;
    this.#numbers[slot] = value;
    return value;
  }

  #slot(a: number, b: number, c: number, d: number): number {
    const mask = this.#numbers.length - 1;
    for (let slot = a & mask; ; slot = (slot + 1) & mask) {
      if (this.#numbers[slot] === 0) return slot;
      const at = slot * WORDS;
      const keys = this.#keys;
      if (keys[at] === a && keys[at + 1] === b && keys[at + 2] === c && keys[at + 3] === d) {
        return slot;
      }
    }
  }

  #grow(): void {
    const [keys, numbers] = [this.#keys, this.#numbers];
    const factor = numbers.length < LARGE ? 4 : 2;
    this.#keys = new Uint32Array(new SharedArrayBuffer(keys.byteLength * factor));
    this.#numbers = new Float64Array(new SharedArrayBuffer(numbers.byteLength * factor));
    this.#size = 0;
    for (let slot = 0; slot < numbers.length; slot += 1) {
      const number = numbers[slot] as number;
      if (number === 0) continue;
      const word = (offset: number) => keys[slot * WORDS + offset] as number;
      this.#put(number, word(0), word(1), word(2), word(3));
    }
  }
}
