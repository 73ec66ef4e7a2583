import { type AST, RegExpParser, visitRegExpAST } from "@eslint-community/regexpp";

/** Thrown for what is too large or too rare to be looked at. */
export class NotAnalysed extends Error {}

/** Sources of sets of characters; "" is the end of the pattern, or of a part of it. */
type Sets = ReadonlySet<string>;

/** More rounds are a loop, of which a warning tells. */
const FEW = 10;
const MAX_SOURCE = 3000;
/** Of a loop that is looked at for texts that can be read in two ways. */
const MAX_WORDS = 100;

/**
 * The choices that a backtracking engine has in a pattern, where the next character does not decide: how often
 * to repeat, and which alternative to take.
 */
export class Choices {
  /** Whether one is how often to repeat, or which, in a loop of many rounds: then each may double the time. */
  areNested = false;
  /** How many ways there are for each character, by the choices in repetitions. */
  #ways = 1;
  /** And by those outside: a text of n characters takes n to this power, so many times. */
  #power: number;
  #times = 1;
  readonly #samples: string;
  readonly #members = new Map<string, readonly string[]>();

  /** @throws NotAnalysed, SyntaxError, RangeError. */
  constructor(source: string) {
    if (source.length > MAX_SOURCE) throw new NotAnalysed();
    const parser = new RegExpParser({ ecmaVersion: 2025 });
    const pattern = parser.parsePattern(source, 0, source.length, { unicode: true });
    const { alternatives } = pattern;
    const codes: number[] = [];
    visitRegExpAST(pattern, {
      onCharacterEnter({ value }) {
        codes.push(Math.max(value - 1, 0), value, Math.min(value + 1, 0x10ffff));
      },
    });
    this.#samples = COMMON + textOf(codes);
    // A search begins anew at each character.
    this.#power = isAnchored(alternatives) || !/[*+{]/.test(source) ? 1 : 2;
    this.#either(alternatives, new Set([""]), 1);
  }

  /** At most so many steps are taken for a text, whatever it is. */
  steps(length: number): number {
    return this.#times * length ** this.#power * this.#ways ** length;
  }

  #either(alternatives: readonly AST.Alternative[], next: Sets, rounds: number): void {
    const all = alternatives.map(({ elements }) => this.#sequence(elements, next, rounds));
    const before = new Set<string>();
    const areApart = all.every((one) => {
      const isApart = this.#overlap(before, one) === false;
      for (const set of one) before.add(set);
      return isApart;
    });
    if (areApart) return;
    if (rounds > 1) this.#ways *= alternatives.length;
    else this.#times *= alternatives.length;
  }

  /** @param next with what may be read after it; returns that with what may be read from its beginning. */
  #sequence(elements: readonly AST.Element[], next: Sets, rounds: number): Sets {
    let [after, second]: [Sets, Sets?] = [next];
    for (const element of elements.toReversed()) {
      this.#element(element, after, second, rounds);
      second = isSet(element) ? after : undefined;
      after = followed(startsOf(element), after);
    }
    return after;
  }

  /** @param second what may be read after the next character, if that is always one. */
  #element(element: AST.Element, next: Sets, second: Sets | undefined, rounds: number): void {
    if (element.type === "Group" || element.type === "CapturingGroup") {
      this.#either(element.alternatives, next, rounds);
    } else if (element.type === "Assertion" && "alternatives" in element) {
      const repeats = /[*+{]/.test(element.raw);
      // A lookbehind reads the text backwards.
      if (repeats && element.kind === "lookbehind") throw new NotAnalysed();
      if (repeats && rounds > 1) this.#ways = Number.POSITIVE_INFINITY;
      this.#either(element.alternatives, new Set([""]), rounds);
    } else if (element.type === "Quantifier") {
      const { element: part, min, max } = element;
      const starts = startsOf(part);
      // How often nothing is tried depends on the engine.
      if (max > 1 && starts.has("")) throw new NotAnalysed();
      this.#sequence([part], max > 1 ? new Set([...starts, ...next]) : next, rounds * max);
      if (max > FEW && "alternatives" in part)
        this.areNested ||= this.#areAmbiguous(part.alternatives);
      // The last round is known by what is read after the next character, as in `[a-z-]*[a-z],`.
      const isKnown = isSet(part) && second && this.#overlap(starts, second) === false;
      const isOpen = this.#overlap(starts, next);
      if (min === max || isKnown || isOpen === false) return;
      if (isOpen && rounds > FEW && max > 1) this.areNested = true;
      if (rounds > 1) this.#ways *= 2;
      else if (max > 1) this.#power += 1;
      else this.#times *= 2;
    }
  }

  /** Whether a text of these, of characters alone, can be read in two ways (Sardinas and Patterson). */
  #areAmbiguous(alternatives: readonly AST.Alternative[]): boolean {
    const words = alternatives.map(({ elements }) => elements);
    if (words.length > MAX_WORDS || !words.flat().every(isSet)) return false;
    /** What is left of the longer word, where one may begin as the other does. */
    const rest = (a: readonly AST.Element[], b: readonly AST.Element[]) => {
      const isSame = ({ raw }: AST.Element, at: number) =>
        b[at] === undefined || this.#overlap(new Set([raw]), new Set([b[at].raw]));
      return a.every(isSame) ? [...a.slice(b.length), ...b.slice(a.length)] : undefined;
    };
    const rests = new Map<string, readonly AST.Element[]>();
    const add = (found: readonly AST.Element[] | undefined) =>
      found && rests.set(found.map(({ raw }) => raw).join(" "), found);
    for (const [at, word] of words.entries()) {
      for (const other of words.slice(at + 1)) add(rest(word, other));
    }
    for (const one of rests.values()) for (const word of words) add(rest(one, word));
    return rests.has("");
  }

  /** Whether some character is in one of each, or both may be the end; undefined: perhaps. */
  #overlap(a: Sets, b: Sets): boolean | undefined {
    const ofA = new Set([...a].flatMap((set) => this.#membersOf(set)));
    if ([...b].some((set) => a.has(set) || this.#membersOf(set).some((one) => ofA.has(one)))) {
      return true;
    }
    // Where sets by properties begin is not in their sources.
    const areSets = [a, b].every((sets) => [...sets].some((set) => set !== ""));
    return areSets && /\\p/i.test([...a, ...b].join("")) ? undefined : false;
  }

  #membersOf(set: string): readonly string[] {
    if (set === "") return [];
    const members = this.#members.get(set) ?? this.#samples.match(new RegExp(set, "gu")) ?? [];
    this.#members.set(set, members);
    return members;
  }
}

const isSet = ({ type }: AST.Element) => /^Character(?:Set|Class)?$/.test(type);

function isAnchored(alternatives: readonly AST.Alternative[]): boolean {
  return alternatives.every(({ elements: [first] }) => {
    if (first?.type === "Assertion") return first.kind === "start";
    return (
      (first?.type === "Group" || first?.type === "CapturingGroup") &&
      isAnchored(first.alternatives)
    );
  });
}

/** What may be read first; "": nothing. */
function startsOf(element: AST.Element): Sets {
  if (isSet(element)) return new Set([element.raw]);
  if (element.type === "Assertion") return new Set([""]);
  if (element.type === "Quantifier") {
    const { element: part, min, max } = element;
    return new Set([...(max > 0 ? startsOf(part) : []), ...(min === 0 ? [""] : [])]);
  }
  const isGroup =
    element.type === "CapturingGroup" || (element.type === "Group" && !element.modifiers);
  if (!isGroup) throw new NotAnalysed();
  return new Set(
    element.alternatives.flatMap(({ elements }) => [
      ...elements.reduceRight<Sets>((after, one) => followed(startsOf(one), after), new Set([""])),
    ]),
  );
}

function followed(starts: Sets, next: Sets): Sets {
  return starts.has("") ? new Set([...[...starts].filter((set) => set !== ""), ...next]) : starts;
}

/** High surrogates are last, so that none forms a pair. */
function textOf(codes: readonly number[]): string {
  const isHigh = (code: number) => code >= 0xd800 && code < 0xdc00;
  return [...codes.filter((code) => !isHigh(code)), ...codes.filter(isHigh)]
    .map((code) => String.fromCodePoint(code))
    .join("");
}

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);

/** Each set without properties begins at one of these, or beside a character of the pattern. */
const COMMON = textOf([
  ...range(0, 0x600),
  ...range(0x2000, 0x200c),
  ...[0x1680, 0x2028, 0x202f, 0x205f, 0x3000, 0xfeff].flatMap((code) => range(code, code + 3)),
]);
