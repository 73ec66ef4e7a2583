import type { Random } from "./random.ts";

const WORDS =
  `alder anchor answer apple arch autumn bark basin bay beach bell bench berry birch bird boat bread
  bridge bright broad brook camp candle canvas carry cedar chart clay clear cliff cloud coast cold
  compass copper corner cottage creek dawn deep door drift dune early east edge ember evening fair
  far fern field fire flag flint foam fog forest fox frost garden gate glade glass grain granite
  grass green grove gull harbour harvest hazel heath herb high hill home ice inlet iron island ivy
  journey juniper kettle lake lamp lantern larch leaf light lime linen long lower maple map market
  meadow mill mist moon morning moss mountain near night north oak oat ocean old orchard otter paper
  pass path pear pebble pier pine plain plum pond quarry quiet rain raven reed ridge river road rock
  roof rope rose rowan sail salt sand sea seed shade shell shore silver sky slate slow snow soft south
  spring spruce stable star stone storm stream summer sun tent thistle tide timber trail tree valley
  village walk wall warm water wave west wheat wild willow wind window winter wood wool yard`
    .split(/\s+/)
    .filter(Boolean);

const LATIN_1 = ["Köln", "château", "mañana", "Århus", "élan", "Straße", "piñon", "vélo", "½ hour"];
const WIDER = ["“so”", "it’s", "— as here —", "…", "北京", "🏔", "Gdańsk", "Ελλάδα", "€ 12", "🧭"];

/** The letters of a text: only ASCII, Latin-1, or any. */
export type Letters = "ascii" | "latin1" | "any";

/** Generates texts of random words. */
export class Prose {
  readonly #random: Random;
  readonly #letters: Letters;

  constructor(random: Random, letters: Letters = "ascii") {
    this.#random = random;
    this.#letters = letters;
  }

  title(): string {
    return this.#words(2, 6);
  }

  /** Sentences with about this many characters. */
  text(shortest: number, longest: number): string {
    const length = this.#random.integer(shortest, longest);
    let text = this.#sentence();
    while (text.length < length) {
      text += `${this.#random.chance(0.1) ? "\n\n" : " "}${this.#sentence()}`;
    }
    return text;
  }

  slug(): string {
    return `${this.#random.pick(WORDS)}-${this.#random.pick(WORDS)}-${this.#random.hex(6)}`;
  }

  #sentence(): string {
    return this.#words(5, 14) + this.#random.pick([".", ".", ".", "!", "?", ' ("so").']);
  }

  #words(fewest: number, most: number): string {
    const count = this.#random.integer(fewest, most);
    const text = Array.from({ length: count }, () => this.#word()).join(" ");
    return text.charAt(0).toUpperCase() + text.slice(1);
  }

  #word(): string {
    const isPlain = this.#letters === "ascii" || !this.#random.chance(0.06);
    if (isPlain) return this.#random.pick(WORDS);
    return this.#random.pick(this.#letters === "latin1" ? LATIN_1 : WIDER);
  }
}
