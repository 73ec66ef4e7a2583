/** Numbers names in the order of first use. */
export class Names {
  readonly list: string[] = [];
  readonly #numbers = new Map<string, number>();

  constructor(names: readonly string[] = []) {
    for (const name of names) this.number(name);
  }

  find(name: string): number | undefined {
    return this.#numbers.get(name);
  }

  /** The number of the name, added if it is new. */
  number(name: string): number {
    let number = this.#numbers.get(name);
    if (number === undefined) {
      number = this.list.push(name) - 1;
      this.#numbers.set(name, number);
    }
    return number;
  }
}

/** The names that are in use, renumbered. */
export class UsedNames {
  readonly list: string[] = [];
  readonly #all: readonly string[];
  readonly #numbers: (number | undefined)[];

  constructor({ list }: Names) {
    this.#all = list;
    this.#numbers = new Array(list.length);
  }

  /** The new number of a name. */
  number(before: number): number {
    this.#numbers[before] ??= this.list.push(this.#all[before] as string) - 1;
    return this.#numbers[before];
  }
}
