/** The HTML tag of a node by its name; `a` of a link whose address is `data.uri`. */
export function nodeTag(name: string, node: { readonly attrs?: { readonly level?: unknown } }) {
  const [, digit] = /^h(?:eading)?([1-6]?)$/.exec(plain(name)) ?? [];
  const level = Number(digit) || (digit === "" && Number(node.attrs?.level)) || 0;
  return TAGS.get(plain(name)) ?? (level >= 1 && level <= 6 ? `h${level}` : undefined);
}

/** The HTML tag of a mark by its name. */
export function markTag(name: string): string | undefined {
  return MARKS.get(plain(name));
}

/** "Heading-1" as "heading1": dialects differ in how they separate words. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[-_]/g, "");
}

/** The tag of each name, in plain form. */
const table = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text.split(" ").flatMap((line) => {
      const [tag = "", ...names] = line.split(",");
      return names.map((name) => [name, tag] as const);
    }),
  );
const TAGS = table(
  "p,paragraph,normal ul,unorderedlist,bulletlist,bullet ol,orderedlist,number li,listitem " +
    "blockquote,blockquote hr,hr,horizontalrule br,hardbreak pre,codeblock table,table " +
    "tr,tablerow td,tablecell th,tableheadercell,tableheader a,hyperlink",
);
const MARKS = table(
  "strong,bold,strong em,italic,em u,underline code,code " +
    "s,strike,strikethrough sup,superscript,sup sub,subscript,sub",
);
