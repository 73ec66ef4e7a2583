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
