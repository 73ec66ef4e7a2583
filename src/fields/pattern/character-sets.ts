import type { AST } from "@eslint-community/regexpp";

/** What one position of a pattern matches. */
export interface CharacterSet {
  matches(codePoint: number): boolean;
}

export type CharacterNode = AST.Character | AST.CharacterSet | AST.CharacterClass;

/** The sets of one pattern, and which of them have a character in common. */
export class CharacterSets {
  readonly #sets = new Map<string, KnownSet>();
  readonly #samples = new Set([...ASCII, ...OTHER_SPACES]);
  #masks: Map<CharacterSet, bigint> | undefined;
  readonly #scanned = new Map<string, boolean>();

  /** @param flags `u`, and `i` or `s` where a modifier sets them. */
  of(node: CharacterNode | undefined, flags: string): CharacterSet {
    const source = node?.raw ?? "[^]";
    const key = `${flags} ${source}`;
    let set = this.#sets.get(key);
    if (set === undefined) {
      set = new KnownSet(source, flags, node !== undefined && isOpen(node, flags));
      this.#sets.set(key, set);
      for (const edge of node === undefined ? [] : edgesOf(node)) this.#samples.add(edge);
    }
    return set;
  }

  /** Call it when all sets are known. */
  overlap(a: CharacterSet, b: CharacterSet): boolean {
    this.#masks ??= new Map([...this.#sets.values()].map((set) => [set, this.#mask(set)]));
    if (((this.#masks.get(a) as bigint) & (this.#masks.get(b) as bigint)) !== 0n) return true;
    const [one, other] = [a as KnownSet, b as KnownSet];
    const mayMissOne = one.isOpen ? this.#isWide(other) : other.isOpen && this.#isWide(one);
    return mayMissOne && this.#scan(one, other);
  }

  /** Whether a set has characters beyond ASCII. */
  #isWide(set: KnownSet): boolean {
    return set.isOpen || [...this.#samples].some((code) => code >= 128 && set.matches(code));
  }

  #mask(set: CharacterSet): bigint {
    let mask = 0n;
    for (const sample of this.#samples) mask = (mask << 1n) | (set.matches(sample) ? 1n : 0n);
    return mask;
  }

  /** Compares two sets in every character, in about 10 ms. */
  #scan(a: KnownSet, b: KnownSet): boolean {
    if (a.flags !== b.flags) return true;
    const key = `${a.source} ${b.source}`;
    let overlap = this.#scanned.get(key);
    if (overlap === undefined) {
      const both = new RegExp(`(?=${a.source})${b.source}`, a.flags);
      overlap = both.test(otherCharacters());
      this.#scanned.set(key, overlap);
    }
    return overlap;
  }
}

const LAST = 0x10ffff;
const ASCII = Array.from({ length: 128 }, (_, code) => code);
/** What `\s` matches beyond ASCII. */
const OTHER_SPACES = [
  ...[0xa0, 0x1680, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff],
  ...Array.from({ length: 11 }, (_, at) => 0x2000 + at),
];

let others: string | undefined;

/** Every character beyond ASCII. Surrogates are in an order in which none form a pair. */
function otherCharacters(): string {
  if (others === undefined) {
    const units = new Uint16Array(0xffff - 127 + 2 * (LAST - 0xffff));
    let length = 0;
    for (const [first, last] of [
      [128, 0xd7ff],
      [0xdc00, 0xdfff],
      [0xd800, 0xdbff],
      [0xe000, 0xffff],
    ] as const) {
      for (let unit = first; unit <= last; unit += 1) units[length++] = unit;
    }
    for (let code = 0x10000; code <= LAST; code += 1) {
      units[length++] = 0xd800 + ((code - 0x10000) >> 10);
      units[length++] = 0xdc00 + ((code - 0x10000) & 0x3ff);
    }
    others = Buffer.from(units.buffer).toString("utf16le");
  }
  return others;
}

class KnownSet implements CharacterSet {
  readonly source: string;
  readonly flags: string;
  /** Whether the samples may miss characters beyond ASCII. */
  readonly isOpen: boolean;
  readonly #expression: RegExp;
  readonly #ascii: Uint8Array;

  constructor(source: string, flags: string, isOpenSet: boolean) {
    this.source = source;
    this.flags = flags;
    this.isOpen = isOpenSet;
    this.#expression = new RegExp(`^${source}$`, flags);
    this.#ascii = Uint8Array.from(ASCII, (code) => (this.#test(code) ? 1 : 0));
  }

  matches(codePoint: number): boolean {
    return codePoint < 128 ? this.#ascii[codePoint] === 1 : this.#test(codePoint);
  }

  #test(codePoint: number): boolean {
    return this.#expression.test(String.fromCodePoint(codePoint));
  }
}

/** Whether a set has edges that its source does not show: of Unicode properties and cases. */
function isOpen(node: CharacterNode | AST.CharacterClassElement, flags: string): boolean {
  if (flags.includes("i")) return true;
  if (node.type === "CharacterSet") return node.kind === "property";
  return node.type === "CharacterClass" && node.elements.some((element) => isOpen(element, flags));
}

/** The first and the last character of each range, and their neighbours. */
function edgesOf(node: CharacterNode | AST.CharacterClassElement): number[] {
  switch (node.type) {
    case "Character":
      return around(node.value);
    case "CharacterClassRange":
      return [...around(node.min.value), ...around(node.max.value)];
    case "CharacterClass":
      return node.elements.flatMap(edgesOf);
    default:
      return [];
  }
}

function around(code: number): number[] {
  return [code - 1, code, code + 1].filter((one) => one >= 0 && one <= LAST);
}
