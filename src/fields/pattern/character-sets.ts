import { type AST, visitRegExpAST } from "@eslint-community/regexpp";

/** What the positions of one pattern match, each by its source; two may have a character in common. */
export class CharacterSets {
  readonly #samples: string;
  readonly #overlaps = new Map<string, boolean>();
  readonly #expressions = new Map<string, RegExp>();

  constructor(pattern: AST.Pattern) {
    const samples = new Set([...ASCII, ...OTHER_SPACES]);
    // Every set but those of properties begins and ends at a character of the pattern, or at one of these.
    visitRegExpAST(pattern, {
      onCharacterEnter({ value }) {
        for (const code of [value - 1, value, value + 1]) samples.add(code);
      },
    });
    // High surrogates are last, so that none forms a pair.
    const codes = [...samples].filter((code) => code >= 0 && code <= LAST);
    codes.sort((a, b) => Number(isHighSurrogate(a)) - Number(isHighSurrogate(b)));
    this.#samples = codes.map((code) => String.fromCodePoint(code)).join("");
  }

  matches(source: string, character: string): boolean {
    let expression = this.#expressions.get(source);
    if (expression === undefined) {
      expression = new RegExp(`^${source}$`, "u");
      this.#expressions.set(source, expression);
    }
    return expression.test(character);
  }

  overlap(a: string, b: string): boolean {
    if (a === b) return true;
    if (isOneCharacter(a) && isOneCharacter(b)) return false;
    const key = `${a} ${b}`;
    let overlap = this.#overlaps.get(key);
    if (overlap === undefined) {
      const both = new RegExp(`(?=${a})${b}`, "u");
      const isOpen = hasProperty(a) ? this.#isWide(b) : hasProperty(b) && this.#isWide(a);
      overlap = both.test(this.#samples) || (isOpen && both.test(otherCharacters()));
      this.#overlaps.set(key, overlap);
    }
    return overlap;
  }

  /** Whether a set has characters beyond ASCII. */
  #isWide(source: string): boolean {
    return hasProperty(source) || new RegExp(`(?![\\0-\\x7f])${source}`, "u").test(this.#samples);
  }
}

/** The source of a set of one character, the same however it is written. */
export function oneCharacter(code: number): string {
  return `\\u{${code.toString(16)}}`;
}

const isOneCharacter = (source: string) =>
  source.startsWith("\\u{") && source.indexOf("}") === source.length - 1;
/** Where such sets begin and end is not in their source. */
const hasProperty = (source: string) => /\\p/i.test(source);

const isHighSurrogate = (code: number) => code >= 0xd800 && code < 0xdc00;

const LAST = 0x10ffff;
const ASCII = Array.from({ length: 128 }, (_, code) => code);
/** What `\s` matches beyond ASCII, and its neighbours. */
const OTHER_SPACES = [
  0x9f,
  0xa0,
  0x1680,
  0x2028,
  0x2029,
  0x202f,
  0x205f,
  0x3000,
  0xfeff,
  ...Array.from({ length: 12 }, (_, at) => 0x2000 + at),
];

let others: string | undefined;

/** Every character beyond ASCII; a search takes about 10 ms. */
function otherCharacters(): string {
  if (others !== undefined) return others;
  others = "";
  // High surrogates are behind the low ones, so that none forms a pair.
  for (const [first, last] of [
    [128, 0xd7ff],
    [0xdc00, 0xdfff],
    [0xd800, 0xdbff],
    [0xe000, LAST],
  ] as const) {
    for (let code = first; code <= last; code += 1024) {
      const length = Math.min(1024, last - code + 1);
      others += String.fromCodePoint(...Array.from({ length }, (_, at) => code + at));
    }
  }
  return others;
}
