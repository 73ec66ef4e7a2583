import { type AST, RegExpParser } from "@eslint-community/regexpp";
import { type CharacterNode, type CharacterSet, CharacterSets } from "./character-sets.ts";

/**
 * The ways in which a backtracking engine reads a text, as a position automaton: a path from state 0
 * for each sequence of choices. There may be more paths than ways, and never fewer.
 */
export interface PatternGraph {
  /** By state; that of state 0 matches nothing. */
  readonly sets: readonly (CharacterSet | undefined)[];
  /** By state: the next state and in how many ways it is reached, in turns. */
  readonly next: readonly (readonly number[])[];
  /** Whether a match may begin anywhere in the text. */
  readonly isSearched: boolean;
}

export interface PatternGraphs {
  readonly main: PatternGraph;
  /** Of lookarounds against the direction of the rest: they read the text backwards. */
  readonly behind: readonly PatternGraph[];
  /** How many empty ways each step may try besides. */
  readonly emptyWays: number;
  /** Whether what may match nothing must match so often that the choices have no bound. */
  readonly repeatsEmpty: boolean;
  readonly characters: CharacterSets;
}

/** Thrown for patterns that are too large to be analysed. */
export class TooLarge extends Error {}

/** @throws TooLarge, SyntaxError. */
export function patternGraphs(source: string): PatternGraphs {
  const parser = new RegExpParser({ ecmaVersion: 2025 });
  const pattern = parser.parsePattern(source, 0, source.length, { unicode: true });
  const shared: Shared = {
    characters: new CharacterSets(),
    behind: [],
    states: 0,
    emptyWays: 1,
    repeatsEmpty: false,
  };
  const main = new GraphBuilder(shared, false).graph(pattern.alternatives, isAnchored(pattern));
  return { ...shared, main };
}

interface Shared {
  readonly characters: CharacterSets;
  readonly behind: PatternGraph[];
  states: number;
  emptyWays: number;
  repeatsEmpty: boolean;
}

const MAX_STATES = 2000;
const MAX_EDGES = 100_000;

/** Part of a pattern: states and the number of ways in which each is its first or its last. */
interface Part {
  readonly first: ReadonlyMap<number, number>;
  readonly last: ReadonlyMap<number, number>;
  /** The number of ways in which it matches nothing. */
  readonly empty: number;
  readonly hasLoop: boolean;
}

const NONE: ReadonlyMap<number, number> = new Map();
const EMPTY: Part = { first: NONE, last: NONE, empty: 1, hasLoop: false };

class GraphBuilder {
  readonly #shared: Shared;
  readonly #isBackward: boolean;
  readonly #sets: (CharacterSet | undefined)[] = [undefined];
  readonly #next: Map<number, number>[] = [new Map()];
  #edges = 0;

  constructor(shared: Shared, isBackward: boolean) {
    this.#shared = shared;
    this.#isBackward = isBackward;
  }

  graph(alternatives: readonly AST.Alternative[], anchored: boolean, flags = "u"): PatternGraph {
    this.#link(new Map([[0, 1]]), this.#either(alternatives, flags).first);
    const next = this.#next.map((ways) => [...ways].flat());
    return { sets: this.#sets, next, isSearched: !anchored };
  }

  #either(alternatives: readonly AST.Alternative[], flags: string): Part {
    return alternatives
      .map(({ elements }) =>
        this.#sequence(elements.map((element) => () => this.#part(element, flags))),
      )
      .reduce((a, b) => ({
        first: sum(a.first, b.first),
        last: sum(a.last, b.last),
        empty: a.empty + b.empty,
        hasLoop: a.hasLoop || b.hasLoop,
      }));
  }

  #sequence(parts: readonly (() => Part)[]): Part {
    const made = parts.map((part) => part());
    if (this.#isBackward) made.reverse();
    return made.reduce((a, b) => {
      this.#link(a.last, b.first);
      return {
        first: sum(a.first, times(b.first, a.empty)),
        last: sum(b.last, times(a.last, b.empty)),
        empty: a.empty * b.empty,
        hasLoop: a.hasLoop || b.hasLoop,
      };
    }, EMPTY);
  }

  #part(node: AST.Element, flags: string): Part {
    switch (node.type) {
      case "Character":
      case "CharacterSet":
      case "CharacterClass":
        return this.#character(node, flags);
      case "Group":
        return this.#either(node.alternatives, withModifiers(flags, node.modifiers));
      case "CapturingGroup":
        return this.#either(node.alternatives, flags);
      case "Quantifier":
        return this.#repeated(node, flags);
      case "Backreference":
        return this.#backreference(node, flags);
      case "Assertion":
        return this.#assertion(node, flags);
      default:
        throw new TooLarge(node.type);
    }
  }

  #character(node: CharacterNode | undefined, flags: string): Part {
    this.#shared.states += 1;
    if (this.#shared.states > MAX_STATES) throw new TooLarge("states");
    this.#next.push(new Map());
    const state = this.#sets.push(this.#shared.characters.of(node, flags)) - 1;
    const ends = new Map([[state, 1]]);
    return { first: ends, last: ends, empty: 0, hasLoop: false };
  }

  #repeated({ element, min, max }: AST.Quantifier, flags: string): Part {
    if (max === 0) return EMPTY;
    const before = this.#shared.states;
    const part = this.#part(element, flags);
    if (max === 1) return min === 0 ? { ...part, empty: part.empty + 1 } : part;
    if (part.empty > 0) {
      // Each of the first `min` rounds may match nothing, the others may not.
      if (min >= OFTEN) this.#shared.repeatsEmpty = true;
      const first = min > 0 ? [part, ...this.#copies(element, flags, min - 1)] : [];
      if (max === min) return this.#sequence(first.map((one) => () => one));
      const rest = min > 0 ? this.#part(element, flags) : part;
      this.#shared.emptyWays *= rest.empty;
      return this.#sequence([...first, this.#looped(rest)].map((one) => () => one));
    }
    const size = this.#shared.states - before;
    const isSmall = max <= 3 || (!part.hasLoop && max * size <= MAX_COPIED);
    if (!isSmall) return { ...this.#looped(part), empty: min === 0 ? 1 : 0 };
    const copies = [part, ...this.#copies(element, flags, max - 1)];
    for (const [at, copy] of copies.entries()) {
      if (at > 0) this.#link((copies[at - 1] as Part).last, copy.first);
    }
    const last = copies.slice(Math.max(min, 1) - 1).map((copy) => copy.last);
    return { ...part, last: last.reduce(sum), empty: min === 0 ? 1 : 0 };
  }

  #copies(element: AST.Element, flags: string, count: number): Part[] {
    if (count > MAX_STATES) throw new TooLarge("copies");
    return Array.from({ length: count }, () => this.#part(element, flags));
  }

  #looped(part: Part): Part {
    this.#link(part.last, part.first);
    return { ...part, empty: 1, hasLoop: true };
  }

  /** Any text, unless the group is one character. */
  #backreference({ resolved }: AST.Backreference, flags: string): Part {
    const part = { ...this.#character(undefined, flags), empty: 1 };
    return [resolved].flat().every(isOneCharacter) ? part : this.#looped(part);
  }

  #assertion(node: AST.Assertion, flags: string): Part {
    if (node.kind !== "lookahead" && node.kind !== "lookbehind") return EMPTY;
    const isBackward = node.kind === "lookbehind";
    if (isBackward === this.#isBackward) {
      // Its ways are tried, and then the text is read on from where it began.
      const { first, hasLoop } = this.#either(node.alternatives, flags);
      return { first, last: NONE, empty: 1, hasLoop };
    }
    const builder = new GraphBuilder(this.#shared, isBackward);
    this.#shared.behind.push(builder.graph(node.alternatives, false, flags));
    return EMPTY;
  }

  #link(from: ReadonlyMap<number, number>, to: ReadonlyMap<number, number>): void {
    this.#edges += from.size * to.size;
    if (this.#edges > MAX_EDGES) throw new TooLarge("edges");
    for (const [state, ways] of from) {
      const next = this.#next[state] as Map<number, number>;
      for (const [target, count] of to) next.set(target, (next.get(target) ?? 0) + ways * count);
    }
  }
}

/** Repetitions of at most this many states are written out, since they are no loops. */
const MAX_COPIED = 64;

/** Ten choices are a thousand ways. */
const OFTEN = 10;

function sum(a: ReadonlyMap<number, number>, b: ReadonlyMap<number, number>) {
  if (a.size === 0) return b;
  const both = new Map(a);
  for (const [state, ways] of b) both.set(state, (both.get(state) ?? 0) + ways);
  return both;
}

function times(ends: ReadonlyMap<number, number>, factor: number) {
  if (factor === 0) return NONE;
  return factor === 1 ? ends : new Map([...ends].map(([state, ways]) => [state, ways * factor]));
}

function isOneCharacter({ alternatives }: AST.CapturingGroup): boolean {
  return alternatives.every(
    ({ elements: [only, ...others] }) =>
      others.length === 0 && only !== undefined && only.type.startsWith("Character"),
  );
}

function isAnchored({ alternatives }: AST.Pattern | AST.CapturingGroup | AST.Group): boolean {
  return alternatives.every(({ elements: [first] }) => {
    if (first?.type === "Assertion") return first.kind === "start";
    if (first?.type === "Group") return first.modifiers === null && isAnchored(first);
    return first?.type === "CapturingGroup" && isAnchored(first);
  });
}

/** `i` and `s`; `m` changes anchors only. */
function withModifiers(flags: string, modifiers: AST.Modifiers | null): string {
  const set = new Set(flags);
  if (modifiers?.add.ignoreCase) set.add("i");
  if (modifiers?.add.dotAll) set.add("s");
  if (modifiers?.remove?.ignoreCase) set.delete("i");
  if (modifiers?.remove?.dotAll) set.delete("s");
  return [...set].sort().join("");
}
