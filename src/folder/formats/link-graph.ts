import { MAXIMUM_DEPTH } from "../../documents/references.ts";

const UNREACHED = MAXIMUM_DEPTH + 1;

/** The references between entries, by their numbers. */
export class LinkGraph {
  readonly #targets: readonly (readonly number[] | undefined)[];
  readonly #referenced: ReadonlySet<number>;

  /** @param targets of each entry; undefined: it is only a target. */
  constructor(targets: readonly (readonly number[] | undefined)[]) {
    this.#targets = targets;
    const referenced = new Set<number>();
    for (const [from, all = []] of targets.entries()) {
      for (const to of all) if (to !== from) referenced.add(to);
    }
    this.#referenced = referenced;
  }

  /** Which of these entries no other one references. */
  unreferenced(numbers: readonly number[]): number[] {
    return numbers.filter((number) => !this.#referenced.has(number));
  }

  /**
   * The roots that entries need beside `roots`, so that each one is at most 5 references away from
   * one (E2): those that nothing references, those that are too far away, and the first of each cycle.
   *
   * @param inOrder the entries, in the order in which one of a cycle is taken.
   */
  rootsBeside(
    roots: readonly number[],
    inOrder: readonly number[],
  ): { unreached: number[]; added: number[] } {
    const depths = new Uint8Array(this.#targets.length);
    for (const number of inOrder) depths[number] = UNREACHED;
    const isUnreached = (number: number) => depths[number] === UNREACHED;
    const tooFar = this.#spread(roots, depths);
    const unreached = inOrder.filter(isUnreached);
    const added: number[] = [];
    const add = (sources: readonly number[]) => {
      for (const number of sources) added.push(number);
      return this.#spread(sources, depths);
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
  #spread(roots: readonly number[], depths: Uint8Array): number[] {
    for (const root of roots) depths[root] = 0;
    const targetsOf = (number: number) => this.#targets[number] ?? [];
    let level: readonly number[] = roots;
    for (let depth = 1; depth <= MAXIMUM_DEPTH; depth += 1) {
      const next: number[] = [];
      for (const number of level) {
        for (const target of targetsOf(number)) {
          // What is no entry has depth 0.
          if ((depths[target] as number) <= depth) continue;
          depths[target] = depth;
          next.push(target);
        }
      }
      level = next;
    }
    return level.flatMap(targetsOf);
  }
}
