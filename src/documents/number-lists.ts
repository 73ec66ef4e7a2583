/** A list of numbers for each entry, in columns: 8 bytes an entry and 4 a number. */
export class NumberLists {
  #starts: Uint32Array;
  #counts: Uint32Array;
  #numbers: Int32Array;
  #used = 0;

  constructor(counts: Uint32Array = new Uint32Array(0), numbers: Int32Array = new Int32Array(0)) {
    this.#counts = counts;
    this.#starts = new Uint32Array(counts.length);
    this.#numbers = numbers;
    for (let at = 0; at < counts.length; at += 1) {
      this.#starts[at] = this.#used;
      this.#used += counts[at] as number;
    }
  }

  get(at: number): Int32Array {
    const start = this.#starts[at] ?? 0;
    return this.#numbers.subarray(start, start + (this.#counts[at] ?? 0));
  }

  /** Sets the list to `count` numbers of `from`, from `start` on. Returns whether it was the same. */
  set(at: number, from: Int32Array, start: number, count: number): boolean {
    if (at >= this.#counts.length) this.#grow(at + 1);
    if (count > (this.#counts[at] as number)) {
      this.#starts[at] = this.#used;
      this.#used += count;
      if (this.#used > this.#numbers.length) {
        const longer = new Int32Array(Math.max(ROOM, 1.5 * this.#used));
        longer.set(this.#numbers);
        this.#numbers = longer;
      }
    }
    const place = this.#starts[at] as number;
    let isSame = this.#counts[at] === count;
    for (let index = 0; index < count; index += 1) {
      const number = from[start + index] as number;
      if (this.#numbers[place + index] !== number) isSame = false;
      this.#numbers[place + index] = number;
    }
    this.#counts[at] = count;
    return isSame;
  }

  /** The concatenated lists of these entries. */
  columns(which: Uint32Array): { counts: Uint32Array; numbers: Int32Array } {
    const counts = new Uint32Array(which.length);
    let total = 0;
    for (let at = 0; at < which.length; at += 1) {
      counts[at] = this.#counts[which[at] as number] ?? 0;
      total += counts[at] as number;
    }
    const numbers = new Int32Array(total);
    let used = 0;
    for (let at = 0; at < which.length; at += 1) {
      const start = this.#starts[which[at] as number] ?? 0;
      const end = start + (counts[at] as number);
      for (let from = start; from < end; from += 1) numbers[used++] = this.#numbers[from] as number;
    }
    return { counts, numbers };
  }

  #grow(size: number): void {
    const room = Math.max(ROOM, Math.ceil(1.5 * size));
    const [starts, counts] = [new Uint32Array(room), new Uint32Array(room)];
    starts.set(this.#starts);
    counts.set(this.#counts);
    this.#starts = starts;
    this.#counts = counts;
  }
}

const ROOM = 1024;
