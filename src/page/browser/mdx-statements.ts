/** Of markdown-it. */
interface Token {
  readonly type: string;
  readonly level: number;
  readonly content: string;
}

/** As they are written, so that no sentence that begins with such a word is one. */
const STATEMENT =
  /^(?:import\s+(?:[\w$*{][^"']*\sfrom\s+)?["'][^"'\n]+["'];?\s*(?:\n|$)|export\s+(?:(?:const|let|var)\s+[\w$]+\s*=|(?:default\s+)?(?:async\s+)?(?:function|class)\s*[\w$({]|default\s+(?:[({[]|[\w$]+;?\s*$)|[{*]))/;

/** H25c: the tokens without paragraphs that are import and export statements of MDX. */
export function withoutStatements<T extends Token>(tokens: readonly T[]): readonly T[] {
  const isStatement = (at: number) => {
    const { type, level, content } = tokens[at] ?? { type: "", level: 0, content: "" };
    // No other block has its text at level 1 behind a paragraph's opening.
    const isParagraph = type === "inline" && tokens[at - 1]?.type === "paragraph_open";
    return isParagraph && level === 1 && STATEMENT.test(content);
  };
  return tokens.filter((_, at) => ![at - 1, at, at + 1].some(isStatement));
}
