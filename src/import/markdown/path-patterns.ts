/** Of paths with "/". */
export type PathTest = (path: string) => boolean;

/**
 * What lines as those of `.gitignore` name, and all below it: the last one that fits decides, and "!" takes back.
 * A pattern without "/" fits at any depth.
 */
export function ignoredBy(lines: readonly string[]): PathTest {
  const patterns = lines.flatMap((line) => {
    const text = line.trim();
    if (text === "" || text.startsWith("#")) return [];
    const isTakenBack = text.startsWith("!");
    const tests = alternatives(text.replace(/^[!\\]/, "")).map(patternOf);
    return [{ isTakenBack, fits: (path: string) => tests.some((test) => test(path)) }];
  });
  return (path) => {
    const last = patterns.findLast(({ fits }) => fits(path));
    return last !== undefined && !last.isTakenBack;
  };
}

/** `a.md` and `b.md` of `{a,b}.md`. */
function alternatives(text: string): string[] {
  let all = [text];
  while (all.length <= MOST) {
    const next = all.flatMap((one) => {
      const [group, inside = ""] = /\{([^{}]*,[^{}]*)\}/.exec(one) ?? [];
      return group === undefined
        ? [one]
        : inside.split(",").map((part) => one.replace(group, () => part));
    });
    if (next.length === all.length) break;
    all = next;
  }
  return all;
}

/** A few braces may say millions. */
const MOST = 256;

/** A part of a pattern: signs that it is one of, or any number of these. */
interface Part {
  readonly is: (sign: string) => boolean;
  readonly isMany?: boolean;
  /** Whether it is no sign, and the two parts after it may be absent. */
  readonly isFolders?: boolean;
}

/** A `**` within a name stands for any text too. */
const PART = /(?:\*\*\/)+|\*{2,}|\*|\?|\[[!^]?[^\]]+\]|\\?./gsu;

/** In time that grows with the lengths of pattern and path only. */
function patternOf(text: string): PathTest {
  const bare = text.replace(/^(?:\.?\/)+|\/+$/g, "");
  const isAnywhere = !/^\.?\/|\/./.test(text);
  const isFolder = text.endsWith("/");
  const parts = Array.from(bare.matchAll(PART), ([one]) => partsOf(one)).flat();
  const reach = (at: number, places: Set<number>) => {
    places.add(at);
    const { isMany, isFolders } = parts[at] ?? {};
    if (isMany || isFolders) reach(at + 1, places);
    if (isFolders) reach(at + 3, places);
  };
  return (path) => {
    let places = new Set<number>();
    reach(0, places);
    for (const sign of path) {
      if (sign === "/" && places.has(parts.length)) return true;
      const next = new Set<number>();
      for (const at of places) {
        const part = parts[at];
        if (part?.is(sign)) reach(part.isMany ? at : at + 1, next);
      }
      if (sign === "/" && isAnywhere) reach(0, next);
      places = next;
    }
    return !isFolder && places.has(parts.length);
  };
}

const ANY: Part = { is: () => true, isMany: true };

function partsOf(text: string): Part[] {
  if (text.startsWith("**/")) {
    return [{ is: () => false, isFolders: true }, ANY, { is: (sign) => sign === "/" }];
  }
  if (text.startsWith("**")) return [ANY];
  const isInName = (sign: string) => sign !== "/";
  if (text === "*") return [{ is: isInName, isMany: true }];
  if (text === "?") return [{ is: isInName }];
  if (text.startsWith("[") && text.length > 1) return [{ is: isOneOf(text) }];
  const own = text.length > 1 ? text.replace("\\", "") : text;
  return [{ is: (sign) => sign === own }];
}

/** `[a-z]`, `[!ab]`. */
function isOneOf(text: string): Part["is"] {
  const [, not, signs = ""] = /^\[([!^]?)(.*)\]$/s.exec(text) ?? [];
  const ranges = Array.from(signs.matchAll(/(.)(?:-(.))?/gsu), ([, from = "", to = from]) => [
    from,
    to,
  ]);
  return (sign) => {
    const isIn = ranges.some(([from = "", to = ""]) => from <= sign && sign <= to);
    return sign !== "/" && isIn !== Boolean(not);
  };
}
