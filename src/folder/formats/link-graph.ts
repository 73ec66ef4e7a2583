import { MAXIMUM_DEPTH } from "../../documents/references.ts";

/** Whole numbers from 0, four bytes each. */
export class NumberColumn {
  #numbers = new Int32Array(1024);
  length = 0;

  push(number: number): void {
    if (this.length === this.#numbers.length) {
      const longer = new Int32Array(2 * this.length);
      longer.set(this.#numbers);
      this.#numbers = longer;
    }
    this.#numbers[this.length] = number;
    this.length += 1;
  }

  at(index: number): number {
    return this.#numbers[index] as number;
  }
}

/** The references between entries, by their numbers; none of an entry to itself. */
export class LinkGraph {
  readonly #size: number;
  /** The targets of entry n: `#targets` from `#starts[n]` to `#starts[n + 1]`. */
  readonly #starts: Int32Array;
  readonly #targets: Int32Array;
  readonly #isReferenced: Uint8Array;

  constructor(size: number, from: NumberColumn, to: NumberColumn) {
    this.#size = size;
    this.#starts = new Int32Array(size + 1);
    this.#isReferenced = new Uint8Array(size);
    for (let at = 0; at < from.length; at += 1) {
      this.#starts[from.at(at) + 1] = (this.#starts[from.at(at) + 1] as number) + 1;
      if (from.at(at) !== to.at(at)) this.#isReferenced[to.at(at)] = 1;
    }
    for (let n = 0; n < size; n += 1) {
      this.#starts[n + 1] = (this.#starts[n + 1] as number) + (this.#starts[n] as number);
    }
    this.#targets = new Int32Array(from.length);
    const next = this.#starts.slice();
    for (let at = 0; at < from.length; at += 1) {
      const place = next[from.at(at)] as number;
      this.#targets[place] = to.at(at);
      next[from.at(at)] = place + 1;
    }
  }

  /** Which of these entries no other one references. */
  unreferenced(numbers: readonly number[]): number[] {
    return numbers.filter((number) => this.#isReferenced[number] === 0);
  }

  /**
   * The roots that entries need beside `roots`, so that each one is at most 5 references away from
   * one (E2): those that nothing references, those that are too far away, and the first of each cycle.
   *
   * @param isEntry by number; others are targets that do not exist.
   * @param inOrder the numbers of all entries, in the order in which one of a cycle is taken.
   */
  rootsBeside(
    roots: readonly number[],
    isEntry: (number: number) => boolean,
    inOrder: readonly number[],
  ): { unreached: number[]; added: number[] } {
    const depths = new Uint8Array(this.#size).fill(UNREACHED);
    const isUnreached = (number: number) => depths[number] === UNREACHED;
    const tooFar = this.#spread(roots, depths, isEntry);
    const unreached = inOrder.filter(isUnreached);
    const added: number[] = [];
    const add = (sources: readonly number[]) => {
      for (const number of sources) added.push(number);
      return this.#spread(sources, depths, isEntry);
    };
    const addAll = (sources: readonly number[]) => {
      for (let wave = sources; wave.length > 0; ) {
        wave = add([...new Set(wave)]).filter(isUnreached);
      }
    };
    const unreferenced = this.unreferenced(unreached);
    addAll([...tooFar, ...add(unreferenced)].filter(isUnreached));
    for (const number of unreached) if (isUnreached(number)) addAll([number]);
    return { unreached, added };
  }

  /** Notes the depths from these roots on. Returns what the deepest of them reference. */
  #spread(
    roots: readonly number[],
    depths: Uint8Array,
    isEntry: (number: number) => boolean,
  ): number[] {
    for (const root of roots) depths[root] = 0;
    let level: readonly number[] = roots;
    for (let depth = 1; depth <= MAXIMUM_DEPTH; depth += 1) {
      const next: number[] = [];
      for (const number of level) {
        for (const target of this.#targetsOf(number)) {
          if ((depths[target] as number) <= depth || !isEntry(target)) continue;
          depths[target] = depth;
          next.push(target);
        }
      }
      level = next;
    }
    return level
      .flatMap((number) => [...this.#targetsOf(number)])
      .filter((target) => isEntry(target));
  }

  #targetsOf(number: number): Int32Array {
    return this.#targets.subarray(this.#starts[number], this.#starts[number + 1]);
  }
}

const UNREACHED = 255;
