import { byCodeUnit } from "../../workspace/json.ts";
import { listed } from "../../workspace/listed.ts";

/** How many places a warning about several names. */
const NAMED = 3;

/** What a warning about several places says of one of them, and of several. */
export type Nouns = readonly [one: string, several: string];

interface LeftOut {
  count: number;
  readonly places: Set<string>;
}

export class Notes {
  readonly #leftOut = new Map<string, LeftOut>();
  /** The number of validations without an equivalent constraint, by name. */
  readonly notCarriedOver = new Map<string, number>();
  /** Texts, and what is warned of at several places, in the order in which they came first. */
  readonly #warnings = new Map<string, Several>();

  /** Each text, and of several places one with their number and the first of them. */
  get warnings(): string[] {
    return Array.from(this.#warnings, ([what, { nouns: [one, several] = ["", ""], places }]) => {
      if (places.length === 0) return what;
      const count = `${places.length} ${places.length === 1 ? one : several}`;
      return `${count} ${what}: ${listed(places, NAMED)}`;
    });
  }

  /** X9: how often each reason was given, with the first of its places by name. */
  get leftOut(): ReadonlyMap<string, number> {
    return new Map(
      Array.from(this.#leftOut, ([reason, { count, places }]) => {
        const named = places.size === 0 ? "" : `: ${listed([...places].sort(byCodeUnit), NAMED)}`;
        return [`${reason}${named}`, count];
      }),
    );
  }

  /** @param place what is named with the reason, as a field. */
  leaveOut(reason: string, times = 1, place?: string): void {
    if (times === 0) return;
    const known = this.#leftOut.get(reason) ?? { count: 0, places: new Set() };
    known.count += times;
    if (place !== undefined) known.places.add(place);
    this.#leftOut.set(reason, known);
  }

  /** Adds the notes of another reading. */
  add(other: Notes): void {
    for (const [reason, { count, places }] of other.#leftOut) {
      this.leaveOut(reason, count);
      for (const place of places) this.#leftOut.get(reason)?.places.add(place);
    }
    for (const [name, times] of other.notCarriedOver) count(this.notCarriedOver, name, times);
    for (const [what, { nouns, places }] of other.#warnings) {
      if (nouns === undefined) this.warn(what);
      else for (const place of places) this.warnAt(place, nouns, what);
    }
  }

  notCarried(validation: string): void {
    count(this.notCarriedOver, validation);
  }

  warn(text: string): void {
    this.#warnings.set(text, { nouns: undefined, places: [] });
  }

  /** One warning for all places: `12 texts have "unlisted", which means nothing here: a.md, b.md, c.md and 9 more`. */
  warnAt(place: string, nouns: Nouns, what: string): void {
    const known = this.#warnings.get(what);
    if (known === undefined) this.#warnings.set(what, { nouns, places: [place] });
    else known.places.push(place);
  }

  /** The places of warnings that begin so. */
  placesOf(start: string): ReadonlySet<string> {
    const found = [...this.#warnings].filter(([what]) => what.startsWith(start));
    return new Set(found.flatMap(([, { places }]) => places));
  }

  /** X5: that a record came before, too. */
  twice(record: string, id: string): void {
    const what = "in the export more than once, of which the last one is used";
    this.warnAt(`${record} "${id}"`, ["record is", "records are"], what);
  }

  /** X4: that publishing shows nothing of an export of drafts. */
  drafts(drafts: number, entries: number): void {
    if (drafts === 0 || drafts < entries) return;
    this.warn(
      `all entries are drafts (${drafts}): nothing of them is published; --drafts imports them as published`,
    );
  }

  /** Returns a listener for names that had to be changed, `what`: "the id of an entry"; `within` names the place. */
  renamed(what: string, within = ""): (from: string, to: string) => void {
    return (from, to) =>
      this.warnAt(`"${within}${from}" became "${to}"`, ["name", "names"], `cannot be ${what}`);
  }
}

interface Several {
  /** Undefined: it is about no place. */
  readonly nouns: Nouns | undefined;
  readonly places: string[];
}

function count(counts: Map<string, number>, name: string, times = 1): void {
  counts.set(name, (counts.get(name) ?? 0) + times);
}
