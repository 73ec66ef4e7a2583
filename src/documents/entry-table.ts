/** How many elements a new column has room for. */
const ROOM = 1024;

/**
 * What is known of each entry, by columns: about 100 bytes an entry, its id included, where an
 * object each would take several times that. Entries have numbers in the order of adding.
 */
export class EntryTable<M> {
  readonly #numbers = new Map<string, number>();
  readonly #ids: string[] = [];
  readonly #models: (M | undefined)[] = [];
  #textPlaces = new Float64Array(ROOM);
  #textSizes = new Int32Array(ROOM);
  /** Where the pointers of each begin, plus one; 0: not known yet. */
  #pointerStarts = new Int32Array(ROOM);
  #pointerCounts = new Int32Array(ROOM);
  #pointers = new Int32Array(ROOM);
  #pointerCount = 0;
  #isInOrder = true;

  /** Whether the numbers are in the order of the ids, by code unit. */
  get isInOrder(): boolean {
    return this.#isInOrder;
  }

  get size(): number {
    return this.#ids.length;
  }

  find(id: string): number | undefined {
    return this.#numbers.get(id);
  }

  add(id: string, model: M | undefined): number {
    const number = this.#ids.length;
    if (number > 0 && id < this.id(number - 1)) this.#isInOrder = false;
    this.#ids.push(id);
    this.#models.push(model);
    this.#numbers.set(id, number);
    if (number >= this.#textSizes.length) this.#grow();
    return number;
  }

  id(entry: number): string {
    return this.#ids[entry] as string;
  }

  model(entry: number): M | undefined {
    return this.#models[entry];
  }

  /** Whether its pointers are known. */
  isServed(entry: number): boolean {
    return this.#pointerStarts[entry] !== 0;
  }

  pointers(entry: number): Int32Array {
    const start = (this.#pointerStarts[entry] as number) - 1;
    return this.#pointers.subarray(start, start + (this.#pointerCounts[entry] as number));
  }

  setPointers(entry: number, targets: readonly number[]): void {
    if (this.isServed(entry)) return;
    const start = this.#pointerCount;
    this.#pointerStarts[entry] = start + 1;
    this.#pointerCounts[entry] = targets.length;
    this.#pointerCount += targets.length;
    if (this.#pointerCount > this.#pointers.length) {
      this.#pointers = grown(this.#pointers, new Int32Array(2 * this.#pointerCount));
    }
    this.#pointers.set(targets, start);
  }

  hasText(entry: number): boolean {
    return this.#textSizes[entry] !== 0;
  }

  textPlace(entry: number): number {
    return this.#textPlaces[entry] as number;
  }

  /** Bytes. */
  textSize(entry: number): number {
    return this.#textSizes[entry] as number;
  }

  setText(entry: number, place: number, size: number): void {
    this.#textPlaces[entry] = place;
    this.#textSizes[entry] = size;
  }

  #grow(): void {
    const room = 2 * this.#textSizes.length;
    this.#textPlaces = grown(this.#textPlaces, new Float64Array(room));
    this.#textSizes = grown(this.#textSizes, new Int32Array(room));
    this.#pointerStarts = grown(this.#pointerStarts, new Int32Array(room));
    this.#pointerCounts = grown(this.#pointerCounts, new Int32Array(room));
  }
}

function grown<C extends Int32Array | Float64Array>(column: C, longer: C): C {
  longer.set(column);
  return longer;
}
