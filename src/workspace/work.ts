/** Work in parts, a generator that yields after each, so that others are answered in between (H12). */
export class Work<T> {
  readonly #start: () => Generator<void, T>;
  #parts: Generator<void, T> | undefined;
  #made: { readonly value: T } | undefined;

  constructor(start: () => Generator<void, T>) {
    this.#start = start;
  }

  /** Goes on until a reading of `performance.now()`; returns whether it is done. */
  isDoneBy(time: number): boolean {
    while (this.#made === undefined && performance.now() < time) this.#step();
    return this.#made !== undefined;
  }

  /** What is made; what is left of it is done now. */
  get made(): T {
    while (this.#made === undefined) this.#step();
    return this.#made.value;
  }

  /** As parts of other work. */
  *rest(): Generator<void, T> {
    while (this.#made === undefined) {
      this.#step();
      yield;
    }
    return this.#made.value;
  }

  #step(): void {
    this.#parts ??= this.#start();
    try {
      const { done, value } = this.#parts.next();
      if (!done) return;
      this.#made = { value };
      this.#parts = undefined;
    } catch (error) {
      // It begins anew when it is asked for again.
      this.#parts = undefined;
      throw error;
    }
  }
}

/** Does all parts at once. */
export function doneAtOnce<T>(parts: Generator<void, T>): T {
  return new Work(() => parts).made;
}
