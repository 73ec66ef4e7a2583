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
    return [{ isTakenBack: text.startsWith("!"), test: patternOf(text.replace(/^[!\\]/, "")) }];
  });
  return (path) => {
    const last = patterns.findLast(({ test }) => test.test(path));
    return last !== undefined && !last.isTakenBack;
  };
}

/** A `**` within a name stands for any text too. */
const TOKEN =
  /(?<any>(?:\*\*\/)+)|(?<all>\*{2,})|(?<some>\*)|(?<one>\?)|\[(?<not>[!^]?)(?<set>[^\]]+)\]|(?<open>\{)|(?<close>\})|(?<or>,)|\\?(?<sign>.)/gsu;

function patternOf(text: string): RegExp {
  const bare = text.replace(/^(?:\.?\/)+|\/+$/g, "");
  const isAnywhere = !/^\.?\/|\/./.test(text);
  const hasBraces = /\{[^{}]*\}/.test(bare);
  const source = bare.replace(TOKEN, (sign, ...rest) => {
    const groups = rest.at(-1) as Readonly<Record<string, string | undefined>>;
    if (groups.any) return "(?:.*/)?";
    if (groups.all) return ".*";
    if (groups.some) return "[^/]*";
    if (groups.one) return "[^/]";
    if (groups.set) {
      return `[${groups.not ? "^" : ""}${groups.set.replace(/[\\[&~|]/g, "\\$&")}]`;
    }
    if (hasBraces && groups.open) return "(?:";
    if (hasBraces && groups.close) return ")";
    if (hasBraces && groups.or) return "|";
    return escaped(groups.sign ?? sign);
  });
  const start = isAnywhere ? "(?:^|/)" : "^";
  // A folder is what has something in it.
  const end = text.endsWith("/") ? "/" : "(?:/|$)";
  try {
    return RegExp(`${start}(?:${source})${end}`, "s");
  } catch {
    return RegExp(`${start}${escaped(bare)}${end}`);
  }
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
