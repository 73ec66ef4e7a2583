import { didYouMean } from "../../workspace/did-you-mean.ts";
import type { Notes } from "../formats/notes.ts";

interface Rare {
  /** Looked up when it is named: a text may have thousands of members. */
  readonly place: () => string;
  readonly beside: ReadonlySet<string>;
}

interface Members {
  texts: number;
  /** How many texts have a member, and the first of them. */
  readonly used: Map<string, { count: number; readonly first: Rare[] }>;
  readonly untitled: string[];
}

/** How many texts at most have a member that is taken for a mistake, and of how many these are one. */
const [RARE, OF] = [3, 10];

/** X24e: finds members of front matter that nearly no other text has, or nearly all others. */
export class MemberUse {
  readonly #models = new Map<string, Members>();

  /** @param placeOf where a member is. */
  add(
    model: string,
    path: string,
    members: readonly string[],
    placeOf: (member: string) => string,
  ): void {
    const none: Members = { texts: 0, used: new Map(), untitled: [] };
    const known = this.#models.get(model) ?? none;
    this.#models.set(model, known);
    known.texts += 1;
    if (!members.includes("title")) known.untitled.push(path);
    const beside = new Set(members);
    for (const name of members) {
      const use = known.used.get(name) ?? { count: 0, first: [] };
      known.used.set(name, use);
      use.count += 1;
      if (use.count <= RARE) use.first.push({ place: () => placeOf(name), beside });
    }
  }

  note(notes: Notes): void {
    for (const [model, { texts, used, untitled }] of this.#models) {
      const isFew = (count: number) => count * OF <= texts;
      const common = [...used].flatMap(([other, use]) => (use.count * 2 > texts ? [other] : []));
      for (const [name, { count, first }] of used) {
        if (count > RARE || !isFew(count)) continue;
        const isMissing = (other: string) => first.every(({ beside }) => !beside.has(other));
        const meant = didYouMean(name, common.filter(isMissing));
        if (meant === undefined) continue;
        const what = `"${name}", where most of ${model} have "${meant}"`;
        for (const { place } of first) notes.warnAt(place(), HAS, what);
      }
      if (!isFew(untitled.length)) continue;
      for (const path of untitled) notes.warnAt(path, HAS, "no title, as nearly all others have");
    }
  }
}

const HAS = ["text has", "texts have"] as const;
