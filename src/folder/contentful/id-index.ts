import { isId, toId } from "../../workspace/ids.ts";

/** The ids of records of an export and of what links point at, each with a number. */
export class IdIndex {
  readonly ids: string[] = [];
  readonly #numbers = new Map<string, number>();

  numberOf(id: string): number {
    const known = this.#numbers.get(id);
    if (known !== undefined) return known;
    const number = this.ids.length;
    this.#numbers.set(id, number);
    this.ids.push(id);
    return number;
  }

  find(id: string): number | undefined {
    return this.#numbers.get(id);
  }
}

/**
 * Maps Contentful's ids to valid ones (I1): unchanged where they are valid, and always distinct. A
 * converted id never takes the place of a valid one, nor of one that only a link names.
 */
export class IdMap {
  readonly #converted = new Map<string, string>();

  constructor(index: IdIndex, onChange: (from: string, to: string) => void) {
    const used = new Set<string>();
    for (const id of index.ids) {
      if (isId(id)) continue;
      const converted = toId(id);
      let name = converted;
      for (let n = 2; used.has(name) || index.find(name) !== undefined; n += 1) {
        name = `${converted.slice(0, 120)}-${n}`;
      }
      used.add(name);
      this.#converted.set(id, name);
      onChange(id, name);
    }
  }

  of(id: string): string {
    return this.#converted.get(id) ?? id;
  }
}
