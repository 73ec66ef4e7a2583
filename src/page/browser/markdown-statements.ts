/** As they are written, so that no sentence that begins with such a word is one. */
const STATEMENT =
  /^(?:import\s+(?:[\w$*{][^"']*\sfrom\s+)?["'][^"'\n]+["'];?\s*(?:\n|$)|export\s+(?:(?:const|let|var)\s+[\w$]+\s*=|(?:default\s+)?(?:async\s+)?(?:function|class)\s*[\w$({]|default\s+(?:[({[]|[\w$]+;?\s*$)|[{*]))/;

/** H25c: whether a paragraph is an import or export statement of MDX. */
export const isStatement = (text: string) => STATEMENT.test(text);

/** An address as it is written in the text: the parser encodes some letters. */
export function writtenAddress(href: string): string {
  try {
    return decodeURI(href);
  } catch {
    return href;
  }
}
