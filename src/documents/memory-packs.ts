import type { Pack } from "./text-packs.ts";
import type { PackStore } from "./texts.ts";

/** Beyond the numbers that a store gives, and given once: drafts are compared by them. */
let next = 2 ** 40;

/** Packs that are kept for as long as the program runs, beside those of a store that is only read. */
export class MemoryPacks implements PackStore {
  readonly #store: PackStore;
  readonly #packs = new Map<number, Pack>();

  constructor(store: PackStore) {
    this.#store = store;
  }

  add(pack: Pack): number {
    this.#packs.set(next, pack);
    return next++;
  }

  get(number: number): Pack {
    return this.#packs.get(number) ?? this.#store.get(number);
  }

  all(): ReturnType<PackStore["all"]> {
    return this.#store.all();
  }
}
