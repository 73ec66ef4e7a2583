import { type AST, RegExpParser, visitRegExpAST } from "@eslint-community/regexpp";
import { CharacterSets, oneCharacter } from "./character-sets.ts";

/**
 * The ways in which a backtracking engine reads a text, as a position automaton: a path from state 0
 * for each sequence of choices. There may be more paths than ways, and never fewer.
 */
export interface PatternGraph {
  /** By state the source of what it matches; that of state 0 matches nothing. */
  readonly sets: readonly (string | undefined)[];
  /** By state: the next states, each with the number of ways in which it is reached. */
  readonly next: readonly ReadonlyMap<number, number>[];
  /** Whether a match may begin anywhere in the text. */
  readonly isSearched: boolean;
  /** How many empty ways each step may try besides. */
  readonly emptyWays: number;
  /** Whether what may match nothing must match so often that the choices have no bound. */
  readonly repeatsEmpty: boolean;
  /** Whether it reads an unknown length of the text backwards, as paths do not. */
  readonly readsBack: boolean;
  readonly characters: CharacterSets;
}

/** Thrown for patterns that are too large, or have what is too rare, to be analysed. */
export class TooLarge extends Error {}

/** @throws TooLarge, SyntaxError. */
export function patternGraph(source: string): PatternGraph {
  const parser = new RegExpParser({ ecmaVersion: 2025 });
  const pattern = parser.parsePattern(source, 0, source.length, { unicode: true });
  return new GraphBuilder(pattern).graph;
}

const MAX_STATES = 2000;
const MAX_EDGES = 100_000;
/** Repetitions of at most this many states are written out, since they are no loops. */
const MAX_COPIED = 64;
/** Ten choices are a thousand ways. */
const OFTEN = 10;

/** States, each with a number of ways. */
type Ways = ReadonlyMap<number, number>;

/** Part of a pattern: in how many ways each state is its first or its last. */
interface Part {
  readonly first: Ways;
  readonly last: Ways;
  /** The number of ways in which it matches nothing. */
  readonly empty: number;
  readonly hasLoop: boolean;
}

const NONE: Ways = new Map();
const EMPTY: Part = { first: NONE, last: NONE, empty: 1, hasLoop: false };

class GraphBuilder {
  readonly #sets: (string | undefined)[] = [undefined];
  readonly #next: Map<number, number>[] = [new Map()];
  #edges = 0;
  #emptyWays = 1;
  #repeatsEmpty = false;
  #readsBack = false;
  readonly graph: PatternGraph;

  constructor(pattern: AST.Pattern) {
    this.#link(new Map([[0, 1]]), this.#either(pattern.alternatives).first);
    this.graph = {
      sets: this.#sets,
      next: this.#next,
      isSearched: !isAnchored(pattern),
      emptyWays: this.#emptyWays,
      repeatsEmpty: this.#repeatsEmpty,
      readsBack: this.#readsBack,
      characters: new CharacterSets(pattern),
    };
  }

  #either(alternatives: readonly AST.Alternative[]): Part {
    return alternatives
      .map(({ elements }) => this.#sequence(elements.map((element) => this.#part(element))))
      .reduce((a, b) => ({
        first: sum(a.first, b.first),
        last: sum(a.last, b.last),
        empty: a.empty + b.empty,
        hasLoop: a.hasLoop || b.hasLoop,
      }));
  }

  #sequence(parts: readonly Part[]): Part {
    return parts.reduce((a, b) => {
      this.#link(a.last, b.first);
      return {
        first: sum(a.first, b.first, a.empty),
        last: sum(b.last, a.last, b.empty),
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
      case "Backreference":
        return this.#backreference(node);
      case "Assertion":
        return this.#assertion(node);
      default:
        throw new TooLarge(node.type);
    }
  }

  #position(set: string): Part {
    if (this.#sets.length > MAX_STATES) throw new TooLarge("states");
    this.#next.push(new Map());
    const ends = new Map([[this.#sets.push(set) - 1, 1]]);
    return { first: ends, last: ends, empty: 0, hasLoop: false };
  }

  #repeated({ element, min, max }: AST.Quantifier): Part {
    if (max === 0) return EMPTY;
    const before = this.#sets.length;
    const part = this.#part(element);
    const size = this.#sets.length - before;
    if (max === 1) return min === 0 ? { ...part, empty: part.empty + 1 } : part;
    if (part.empty > 0) {
      // Each of the first `min` rounds may match nothing, the others may not.
      if (min >= OFTEN) this.#repeatsEmpty = true;
      const first = min > 0 ? [part, ...this.#copies(element, min - 1)] : [];
      if (max === min) return this.#sequence(first);
      const rest = min > 0 ? this.#part(element) : part;
      this.#emptyWays *= rest.empty;
      return this.#sequence([...first, this.#looped(rest)]);
    }
    const empty = min === 0 ? 1 : 0;
    const isSmall = max <= 3 || (!part.hasLoop && max * size <= MAX_COPIED);
    if (!isSmall) return { ...this.#looped(part), empty };
    const copies = [part, ...this.#copies(element, max - 1)];
    for (const [at, copy] of copies.slice(1).entries()) {
      this.#link((copies[at] as Part).last, copy.first);
    }
    const last = copies.slice(Math.max(min, 1) - 1).map((copy) => copy.last);
    return { ...part, last: last.reduce((a, b) => sum(a, b)), empty };
  }

  #copies(element: AST.Element, count: number): Part[] {
    if (count > MAX_STATES) throw new TooLarge("copies");
    return Array.from({ length: count }, () => this.#part(element));
  }

  #looped(part: Part): Part {
    this.#link(part.last, part.first);
    return { ...part, empty: 1, hasLoop: true };
  }

  /** Any text, unless the group is one character. */
  #backreference({ resolved }: AST.Backreference): Part {
    const part = { ...this.#position("[^]"), empty: 1 };
    return [resolved].flat().every(isOneCharacter) ? part : this.#looped(part);
  }

  #assertion(node: AST.Assertion): Part {
    if (node.kind !== "lookahead" && node.kind !== "lookbehind") return EMPTY;
    if (node.kind === "lookbehind") {
      const onQuantifierEnter = ({ max }: AST.Quantifier) => {
        if (max > 1) this.#readsBack = true;
      };
      visitRegExpAST(node, { onQuantifierEnter });
    }
    // Its ways are tried, and then the text is read on from where it began.
    const { first, hasLoop } = this.#either(node.alternatives);
    return { first, last: NONE, empty: 1, hasLoop };
  }

  #link(from: Ways, to: Ways): void {
    this.#edges += from.size * to.size;
    if (this.#edges > MAX_EDGES) throw new TooLarge("edges");
    for (const [state, ways] of from) {
      const next = this.#next[state] as Map<number, number>;
      for (const [target, count] of to) next.set(target, (next.get(target) ?? 0) + ways * count);
    }
  }
}

/** The ways of both; each of the second is there `factor` times. */
function sum(a: Ways, b: Ways, factor = 1): Ways {
  if (b.size === 0 || factor === 0) return a;
  const both = new Map(a);
  for (const [state, ways] of b) both.set(state, (both.get(state) ?? 0) + ways * factor);
  return both;
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
    return (first?.type === "Group" || first?.type === "CapturingGroup") && isAnchored(first);
  });
}
