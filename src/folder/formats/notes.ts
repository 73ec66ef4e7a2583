/** How many places a warning about several names. */
const NAMED = 3;

/** What a warning about several places says of one of them, and of several. */
export type Nouns = readonly [one: string, several: string];

export class Notes {
  readonly leftOut = new Map<string, number>();
  /** The number of validations without an equivalent constraint, by name. */
  readonly notCarriedOver = new Map<string, number>();
  /** Texts, and what is warned of at several places, in the order in which they came first. */
  readonly #warnings = new Map<string, Several>();

  /** Each text, and of several places one with their number and the first of them. */
  get warnings(): string[] {
    return Array.from(this.#warnings, ([what, { nouns: [one, several] = ["", ""], places }]) => {
      if (places.length === 0) return what;
      const count = `${places.length} ${places.length === 1 ? one : several}`;
      const rest = places.length - NAMED;
      const more = rest > 0 ? ` and ${rest} more` : "";
      return `${count} ${what}: ${places.slice(0, NAMED).join(", ")}${more}`;
    });
  }

  leaveOut(reason: string, times = 1): void {
    if (times > 0) count(this.leftOut, reason, times);
  }

  /** Adds the notes of another reading. */
  add(other: Notes): void {
    for (const [reason, times] of other.leftOut) this.leaveOut(reason, times);
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
