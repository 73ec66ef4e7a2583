import type { Pack } from "./text-packs.ts";
import type { PackStore } from "./texts.ts";

/** Above the numbers of a store, and never reused, since drafts are compared by them. */
let next = 2 ** 40;

/** Packs in memory, on top of those of a store that is only read. */
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

  *all(): ReturnType<PackStore["all"]> {
    yield* this.#store.all();
    for (const [number, { contents }] of this.#packs) yield { number, contents };
  }
}
