import fc from "fast-check";

const WORD = fc.constantFrom(
  "word",
  "two words",
  "*em*",
  "_em_",
  "**strong** text",
  "__strong__",
  "~~old~~",
  "`code`",
  "``a ` b``",
  "[link](https://example.com/a)",
  '[link](</a b> "title")',
  "[ref]",
  "[text][ref]",
  "<https://example.com>",
  "![picture](a.png)",
  "<b>html</b>",
  "snake_case",
  "2 * 3 * 4",
  "a\\*b",
  "&amp; &copy;",
  "ä<&>",
  "1.",
  "# no",
  "[^1]",
  "{{< short >}}",
  "$x_1$",
);

const LINE = fc.array(WORD, { minLength: 1, maxLength: 4 }).map((words) => words.join(" "));

const PARAGRAPH = fc
  .array(fc.tuple(LINE, fc.constantFrom("\n", "  \n", "\\\n")), { minLength: 1, maxLength: 3 })
  .map((lines) =>
    lines.map(([line, end], at) => line + (at < lines.length - 1 ? end : "")).join(""),
  );

const LEAF = fc.oneof(
  { weight: 4, arbitrary: PARAGRAPH },
  fc
    .tuple(fc.integer({ min: 1, max: 6 }), LINE)
    .map(([level, line]) => `${"#".repeat(level)} ${line}`),
  fc.tuple(LINE, fc.constantFrom("===", "---")).map(([line, under]) => `${line}\n${under}`),
  fc.constantFrom(
    "```js\nlet a = 1;\n\nlet b;\n```",
    "~~~\n```\n~~~",
    "    indented\n    code",
    "---",
    "***",
    "<div>\n*html*\n</div>",
    "<!-- a\ncomment -->",
    "| a | b |\n| - | - |\n| 1 | 2 |",
    "import a from 'b'",
    "```\nopen",
  ),
);

const indented = (text: string, first: string, others: string) =>
  text
    .split("\n")
    .map((line, at) => (at === 0 ? first : line === "" ? "" : others) + line)
    .join("\n");

const { block } = fc.letrec<{ block: string }>((tie) => ({
  block: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    { weight: 4, arbitrary: LEAF },
    {
      weight: 2,
      arbitrary: fc
        .record({
          items: fc.array(fc.array(tie("block"), { minLength: 1, maxLength: 2 }), {
            minLength: 1,
            maxLength: 3,
          }),
          marker: fc.constantFrom("-", "*", "+", "1.", "7)", "one", "  -"),
          spaces: fc.constantFrom(" ", "  ", "   ", "\t"),
          gap: fc.constantFrom("\n", "\n\n"),
        })
        .map(({ items, marker, spaces, gap }) =>
          items
            .map((blocks, at) => {
              const sign = marker === "one" ? `${at + 1}.` : marker;
              const width = spaces === "\t" ? "    " : " ".repeat(sign.length + spaces.length);
              return indented(blocks.join(gap), sign + spaces, width);
            })
            .join(gap),
        ),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.array(tie("block"), { minLength: 1, maxLength: 2 }), fc.constantFrom("> ", ">"))
        .map(([blocks, sign]) => indented(blocks.join("\n\n"), sign, sign)),
    },
  ),
}));

const TEXT = fc
  .record({
    blocks: fc.array(fc.tuple(block, fc.constantFrom("\n\n", "\n\n", "\n", "\n\n\n")), {
      maxLength: 5,
    }),
    before: fc.constantFrom("", "", "\n", "  \n\n"),
    after: fc.constantFrom("", "\n", "\n\n", "\n\n[ref]: https://example.com/ref\n"),
  })
  .map(({ blocks, before, after }) => {
    const all = blocks.map(([text, gap], at) => text + (at < blocks.length - 1 ? gap : ""));
    return before + all.join("") + after;
  });

/** Markdown as it is written. */
export const tidyMarkdown = fc
  .tuple(TEXT, fc.constantFrom("\n", "\n", "\r\n"))
  .map(([text, end]) => text.replaceAll("\n", end));

const SIGNS = "a b \n \t * _ ` ~ # > - + 1. ) [ ] ( ) ! < / \\ | : = & ; \r".split(" ");

/** The same, and signs in any order. */
export const drawnMarkdown = fc.oneof(
  { weight: 5, arbitrary: tidyMarkdown },
  {
    weight: 2,
    arbitrary: fc
      .array(fc.constantFrom(...SIGNS, " ", "    ", "\n\n"), { maxLength: 30 })
      .map((all) => all.join("")),
  },
);
