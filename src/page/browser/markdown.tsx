import MarkdownIt from "markdown-it";
import { type ComponentChildren, h } from "preact";
import { Media, SafeLink } from "./files.tsx";
import { isStatement, withFootnotes, writtenAddress } from "./markdown-statements.ts";
import { TargetLink } from "./parts.tsx";
import { useReading } from "./reading.ts";

/** H25a: without HTML, which is text then; nested at most 100 levels. */
const PARSER = withFootnotes(new MarkdownIt({ html: false, linkify: false }));

type Token = ReturnType<typeof PARSER.parse>[number];

/** H25a: Markdown laid out; links and pictures go to what the record says that they mean. */
export function Markdown({ text }: { text: string }) {
  return (
    <div class="prose" dir="auto">
      {laidOut(withoutStatements(PARSER.parse(text, {})))}
    </div>
  );
}

/** H25c: the tokens without paragraphs that are import and export statements of MDX. */
function withoutStatements(tokens: readonly Token[]): readonly Token[] {
  const isOne = (at: number) => {
    const { type, level, content } = tokens[at] ?? { type: "", level: 0, content: "" };
    // No other block has its text at level 1 behind a paragraph's opening.
    const isParagraph = type === "inline" && tokens[at - 1]?.type === "paragraph_open";
    return isParagraph && level === 1 && isStatement(content);
  };
  return tokens.filter((_, at) => ![at - 1, at, at + 1].some(isOne));
}

function laidOut(tokens: readonly Token[]): ComponentChildren[] {
  const root: ComponentChildren[] = [];
  const open: { token: Token; inside: ComponentChildren[] }[] = [];
  const add = (one: ComponentChildren) => (open.at(-1)?.inside ?? root).push(one);
  for (const token of tokens) {
    if (token.nesting === 1) open.push({ token, inside: [] });
    else if (token.nesting === 0) add(single(token));
    else {
      const closed = open.pop();
      if (closed) add(element(closed.token, closed.inside));
    }
  }
  return root;
}

/** The tags of block and inline elements that Markdown has. */
const TAGS =
  /^(?:p|h[1-6]|ul|ol|li|blockquote|pre|hr|table|thead|tbody|tr|th|td|em|strong|s|br|code)$/;

function element(token: Token, inside: ComponentChildren[]): ComponentChildren {
  if (token.hidden) return inside;
  if (token.tag === "a") {
    return <MarkdownLink href={String(token.attrGet("href") ?? "")}>{inside}</MarkdownLink>;
  }
  const tag = below(token.tag);
  const start = Number(token.attrGet("start") ?? 1);
  return TAGS.test(tag) ? h(tag, start === 1 ? null : { start }, inside) : inside;
}

/** The title of the entry is the heading of the page. */
export function below(tag: string): string {
  const [, level] = /^h([1-6])$/.exec(tag) ?? [];
  return level ? `h${Math.min(6, Number(level) + 1)}` : tag;
}

function single(token: Token): ComponentChildren {
  switch (token.type) {
    case "inline":
      return laidOut(token.children ?? []);
    case "image":
      return <MarkdownImage src={String(token.attrGet("src") ?? "")} alt={token.content} />;
    case "fence":
    case "code_block":
      return (
        <pre>
          <code>{token.content}</code>
        </pre>
      );
    case "code_inline":
      return <code>{token.content}</code>;
    case "hr":
      return <hr />;
    case "hardbreak":
      return <br />;
    case "softbreak":
      return "\n";
    default:
      return token.content;
  }
}

function MarkdownLink({ href, children }: { href: string; children: ComponentChildren }) {
  const { links } = useReading();
  const { file, target } = links?.get(writtenAddress(href)) ?? links?.get(href) ?? {};
  if (target) return <TargetLink target={target}>{children}</TargetLink>;
  return (
    <SafeLink href={file?.src ?? href} isFile={file !== undefined}>
      {children}
    </SafeLink>
  );
}

function MarkdownImage({ src, alt }: { src: string; alt: string }) {
  const { links } = useReading();
  const file = (links?.get(writtenAddress(src)) ?? links?.get(src))?.file;
  return (
    <Media src={file?.src ?? src} alt={alt || file?.description || file?.fileName || "Picture"} />
  );
}
