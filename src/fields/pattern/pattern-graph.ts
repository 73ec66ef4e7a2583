import { type AST, RegExpParser, visitRegExpAST } from "@eslint-community/regexpp";

/**
 * The ways in which a backtracking engine reads a text, as a position automaton: a path from state 0
 * for each sequence of choices. There may be more paths than ways, and never fewer.
 */
export interface PatternGraph {
  /** By state the source of what it matches; that of state 0 matches nothing. */
  readonly sets: readonly (string | undefined)[];
  /** By state: the next states, each as often as there are ways to it. */
  readonly next: readonly (readonly number[])[];
  /** Whether a match may begin anywhere in the text. */
  readonly isSearched: boolean;
  /** Whether two sets have a character in common. */
  readonly overlap: (a: string, b: string) => boolean;
}

/** Thrown for patterns that are too large, or have what is too rare, to be analysed. */
export class TooLarge extends Error {}

/** @throws TooLarge, SyntaxError. */
export function patternGraph(source: string): PatternGraph {
  const parser = new RegExpParser({ ecmaVersion: 2025 });
  const pattern = parser.parsePattern(source, 0, source.length, { unicode: true });
  const { sets, next } = new GraphBuilder(pattern);
  return { sets, next, isSearched: !isAnchored(pattern), overlap: overlapIn(pattern) };
}

const MAX_STATES = 1000;
const MAX_EDGES = 50_000;
/** Repetitions of at most this many states are written out, since they are no loops. */
const MAX_COPIED = 64;
/** Ways to match nothing, and so as often a next state. */
const MAX_EMPTY = 16;

/** Part of a pattern: the states that are its first or its last, each as often as there are ways. */
interface Part {
  readonly first: readonly number[];
  readonly last: readonly number[];
  /** The number of ways in which it matches nothing. */
  readonly empty: number;
  readonly hasLoop: boolean;
}

const EMPTY: Part = { first: [], last: [], empty: 1, hasLoop: false };

class GraphBuilder {
  readonly sets: (string | undefined)[] = [undefined];
  readonly next: number[][] = [[]];
  #edges = 0;

  constructor(pattern: AST.Pattern) {
    this.#link([0], this.#either(pattern.alternatives).first);
  }

  #either(alternatives: readonly AST.Alternative[]): Part {
    return alternatives
      .map(({ elements }) => this.#sequence(elements.map((element) => this.#part(element))))
      .reduce((a, b) => ({
        first: [...a.first, ...b.first],
        last: [...a.last, ...b.last],
        empty: a.empty + b.empty,
        hasLoop: a.hasLoop || b.hasLoop,
      }));
  }

  #sequence(parts: readonly Part[]): Part {
    return parts.reduce((a, b) => {
      this.#link(a.last, b.first);
      return {
        first: [...a.first, ...times(b.first, a.empty)],
        last: [...b.last, ...times(a.last, b.empty)],
        empty: a.empty * b.empty,
        hasLoop: a.hasLoop || b.hasLoop,
      };
    }, EMPTY);
  }

  #part(node: AST.Element): Part {
    switch (node.type) {
      case "Character":
        return this.#position(oneCharacter(node.value));
      case "CharacterSet":
      case "CharacterClass":
        return this.#position(node.raw);
      case "CapturingGroup":
        return this.#either(node.alternatives);
      case "Group":
        if (node.modifiers !== null) throw new TooLarge("modifiers");
        return this.#either(node.alternatives);
      case "Quantifier":
        return this.#repeated(node);
      case "Assertion":
        return this.#assertion(node);
      default:
        throw new TooLarge(node.type);
    }
  }

  #position(set: string): Part {
    if (this.sets.length > MAX_STATES) throw new TooLarge("states");
    this.next.push([]);
    const ends = [this.sets.push(set) - 1];
    return { first: ends, last: ends, empty: 0, hasLoop: false };
  }

  #repeated({ element, min, max }: AST.Quantifier): Part {
    if (max === 0) return EMPTY;
    const before = this.sets.length;
    const part = this.#part(element);
    if (max === 1) return min === 0 ? { ...part, empty: part.empty + 1 } : part;
    // How often nothing is tried depends on the engine.
    if (part.empty > 0) throw new TooLarge("a repeated part that may match nothing");
    const empty = min === 0 ? 1 : 0;
    const size = this.sets.length - before;
    const isSmall = max <= 3 || (!part.hasLoop && max * size <= MAX_COPIED);
    if (!isSmall) {
      this.#link(part.last, part.first);
      return { ...part, empty, hasLoop: true };
    }
    const copies = [part, ...Array.from({ length: max - 1 }, () => this.#part(element))];
    for (const [at, copy] of copies.slice(1).entries()) {
      this.#link((copies[at] as Part).last, copy.first);
    }
    return { ...part, last: copies.slice(Math.max(min, 1) - 1).flatMap(({ last }) => last), empty };
  }

  #assertion(node: AST.Assertion): Part {
    if (node.kind !== "lookahead" && node.kind !== "lookbehind") return EMPTY;
    // A lookbehind reads the text backwards, as paths do not.
    if (node.kind === "lookbehind" && /[*+{]/.test(node.raw)) throw new TooLarge(node.kind);
    // Its ways are tried, and then the text is read on from where it began.
    const { first, hasLoop } = this.#either(node.alternatives);
    return { first, last: [], empty: 1, hasLoop };
  }

  #link(from: readonly number[], to: readonly number[]): void {
    this.#edges += from.length * to.length;
    if (this.#edges > MAX_EDGES) throw new TooLarge("edges");
    for (const state of from) this.next[state]?.push(...to);
  }
}

function times(states: readonly number[], count: number): readonly number[] {
  if (count > MAX_EMPTY || count * states.length > MAX_EDGES) throw new TooLarge("ways");
  return Array<readonly number[]>(count).fill(states).flat();
}

function isAnchored({ alternatives }: AST.Pattern | AST.CapturingGroup | AST.Group): boolean {
  return alternatives.every(({ elements: [first] }) => {
    if (first?.type === "Assertion") return first.kind === "start";
    return (first?.type === "Group" || first?.type === "CapturingGroup") && isAnchored(first);
  });
}

/** The source of a set of one character, the same however it is written. */
function oneCharacter(code: number): string {
  return `\\u{${code.toString(16)}}`;
}

/** Tells of two sets of a pattern, by their sources, whether they have a character in common. */
function overlapIn(pattern: AST.Pattern): PatternGraph["overlap"] {
  // Every set but those of properties begins and ends at a character of the pattern, or at one of these.
  const codes = new Set([...ASCII, ...OTHER_SPACES]);
  visitRegExpAST(pattern, {
    onCharacterEnter({ value }) {
      for (const code of [value - 1, value, value + 1]) codes.add(code);
    },
  });
  const samples = textOf([...codes].filter((code) => code >= 0 && code <= LAST));
  /** Whether a set has characters beyond ASCII. */
  const isWide = (set: string) =>
    hasProperty(set) || new RegExp(`(?![\\0-\\x7f])${set}`, "u").test(samples);
  const known = new Map<string, boolean>();
  return (a, b) => {
    const key = `${a} ${b}`;
    let overlap = known.get(key) ?? (a === b || undefined);
    if (overlap === undefined) {
      const both = new RegExp(`(?=${a})${b}`, "u");
      const isOpen = hasProperty(key) && isWide(a) && isWide(b);
      overlap = both.test(samples) || (isOpen && both.test(allCharacters()));
      known.set(key, overlap);
    }
    return overlap;
  };
}

const hasProperty = (source: string) => /\\p/i.test(source);
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

/** High surrogates are last, so that none forms a pair. */
function textOf(codes: readonly number[]): string {
  const isHigh = (code: number) => code >= 0xd800 && code < 0xdc00;
  return String.fromCodePoint(...codes.filter((code) => !isHigh(code)), ...codes.filter(isHigh));
}

const BLOCK = 1024;
let all: string | undefined;

/** For sets by properties, whose ends are not in their sources; a search takes about 10 ms. */
function allCharacters(): string {
  const blocks = Array.from({ length: (LAST + 1) / BLOCK }, (_, at) => at);
  // The high surrogates behind the low ones.
  blocks.splice(0xd800 / BLOCK, 2, 0xdc00 / BLOCK, 0xd800 / BLOCK);
  const textAt = (block: number) =>
    textOf(Array.from({ length: BLOCK }, (_, at) => block * BLOCK + at));
  all ??= blocks.map(textAt).join("");
  return all;
}
