/** The memory of an index, which several threads may read. */
export interface SharedIds {
  readonly bytes: Uint8Array<SharedArrayBuffer>;
  readonly ends: Uint32Array<SharedArrayBuffer>;
  readonly slots: Int32Array<SharedArrayBuffer>;
  readonly size: number;
}

/**
 * Numbers ids in the order of adding. It takes some 50 bytes an id, a third of a map of strings, and
 * is in memory that other threads can read. Ids are ASCII (I1).
 */
export class IdIndex {
  #bytes: Uint8Array<SharedArrayBuffer>;
  #ends: Uint32Array<SharedArrayBuffer>;
  /** A number plus one; 0: free. */
  #slots: Int32Array<SharedArrayBuffer>;
  #size: number;

  constructor(shared?: SharedIds) {
    this.#bytes = shared?.bytes ?? new Uint8Array(new SharedArrayBuffer(ROOM * 40));
    this.#ends = shared?.ends ?? new Uint32Array(new SharedArrayBuffer(ROOM * 4));
    this.#slots = shared?.slots ?? new Int32Array(new SharedArrayBuffer(ROOM * 8));
    this.#size = shared?.size ?? 0;
  }

  /** The index of concatenated ids, given the end of each. */
  static of(bytes: Uint8Array, ends: Uint32Array): IdIndex {
    const slots = 2 ** Math.ceil(Math.log2(Math.max(ROOM, ends.length) * 2));
    const index = new IdIndex({
      bytes: shared(bytes, new Uint8Array(new SharedArrayBuffer(bytes.length + ROOM))),
      ends: shared(ends, new Uint32Array(new SharedArrayBuffer((ends.length + ROOM) * 4))),
      slots: new Int32Array(new SharedArrayBuffer(slots * 4)),
      size: ends.length,
    });
    index.#fillSlots();
    return index;
  }

  get size(): number {
    return this.#size;
  }

  get shared(): SharedIds {
    return { bytes: this.#bytes, ends: this.#ends, slots: this.#slots, size: this.#size };
  }

  /** The concatenated ids, and the end of each. */
  get columns(): { bytes: Uint8Array; ends: Uint32Array } {
    const end = this.#size === 0 ? 0 : (this.#ends[this.#size - 1] as number);
    return { bytes: this.#bytes.subarray(0, end), ends: this.#ends.subarray(0, this.#size) };
  }

  id(number: number): string {
    const start = number === 0 ? 0 : (this.#ends[number - 1] as number);
    const { buffer } = this.#bytes;
    return Buffer.from(buffer, start, (this.#ends[number] as number) - start).toString("latin1");
  }

  find(id: string): number | undefined {
    const slots = this.#slots;
    const mask = slots.length - 1;
    for (let at = hashOf(id) & mask; ; at = (at + 1) & mask) {
      const number = (slots[at] as number) - 1;
      if (number < 0) return undefined;
      if (number < this.#size && this.#is(number, id)) return number;
    }
  }

  /** Adds a new id. */
  add(id: string): number {
    const number = this.#size;
    const start = number === 0 ? 0 : (this.#ends[number - 1] as number);
    if (start + id.length > this.#bytes.length) {
      const room = new SharedArrayBuffer(2 * (start + id.length));
      this.#bytes = shared(this.#bytes, new Uint8Array(room));
    }
    if (number >= this.#ends.length) {
      this.#ends = shared(this.#ends, new Uint32Array(new SharedArrayBuffer(number * 8)));
    }
    for (let at = 0; at < id.length; at += 1) this.#bytes[start + at] = id.charCodeAt(at);
    this.#ends[number] = start + id.length;
    this.#size += 1;
    if (2 * this.#size > this.#slots.length) {
      this.#slots = new Int32Array(new SharedArrayBuffer(this.#slots.length * 8));
      this.#fillSlots();
    } else this.#fill(number, hashOf(id));
    return number;
  }

  #fillSlots(): void {
    let start = 0;
    for (let number = 0; number < this.#size; number += 1) {
      const end = this.#ends[number] as number;
      let hash = FNV_BASIS;
      for (let at = start; at < end; at += 1) {
        hash = Math.imul(hash ^ (this.#bytes[at] as number), FNV_PRIME);
      }
      this.#fill(number, mixed(hash));
      start = end;
    }
  }

  #fill(number: number, hash: number): void {
    const mask = this.#slots.length - 1;
    let at = hash & mask;
    while (this.#slots[at] !== 0) at = (at + 1) & mask;
    this.#slots[at] = number + 1;
  }

  #is(number: number, id: string): boolean {
    const start = number === 0 ? 0 : (this.#ends[number - 1] as number);
    if ((this.#ends[number] as number) - start !== id.length) return false;
    for (let at = 0; at < id.length; at += 1) {
      if (this.#bytes[start + at] !== id.charCodeAt(at)) return false;
    }
    return true;
  }
}

const ROOM = 1024;

const [FNV_BASIS, FNV_PRIME] = [0x811c9dc5, 0x01000193];

/** FNV-1a. */
function hashOf(id: string): number {
  let hash = FNV_BASIS;
  for (let at = 0; at < id.length; at += 1) hash = Math.imul(hash ^ id.charCodeAt(at), FNV_PRIME);
  return mixed(hash);
}

function mixed(hash: number): number {
  return (hash ^ (hash >>> 15)) >>> 0;
}

function shared<C extends Uint8Array<SharedArrayBuffer> | Uint32Array<SharedArrayBuffer>>(
  from: Uint8Array | Uint32Array,
  to: C,
): C {
  to.set(from);
  return to;
}
