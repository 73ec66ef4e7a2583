import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathsBelow } from "../support/file-tree.ts";

export const ROOT = join(import.meta.dirname, "../..");

/** The rooms of the program. */
export const ROOMS = readdirSync(join(ROOT, "src"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

/** README.md, every Markdown file below docs/, and the pages of the rooms, by path, with their texts. */
export const DOCUMENTS: ReadonlyMap<string, string> = new Map(
  [
    "README.md",
    ...pathsBelow(join(ROOT, "docs")).map((path) => `docs/${path}`),
    ...ROOMS.map((room) => `src/${room}/README.md`),
  ]
    .filter((path) => path.endsWith(".md"))
    .map((path) => [path, readFileSync(join(ROOT, path), "utf8")]),
);

export function documentText(path: string): string {
  const text = DOCUMENTS.get(path);
  if (text === undefined) throw new Error(`there is no ${path}`);
  return text;
}

/** A fenced code block: its language, what follows that in its first line, and its lines. */
export interface CodeBlock {
  readonly language: string;
  readonly info: string;
  readonly code: string;
}

export function codeBlocks(text: string): CodeBlock[] {
  return [...text.matchAll(/^```(\S*) ?(.*)\n([\s\S]*?)^```$/gm)].map(
    ([, language = "", info = "", code = ""]) => ({ language, info, code }),
  );
}

/** A section: its heading, without marks, and the text up to the next heading of any level. */
export function sections(text: string): { heading: string; body: string }[] {
  const parts = withoutCode(text).split(/^#+ /m).slice(1);
  return parts.map((part) => {
    const [heading = "", ...body] = part.split("\n");
    return { heading: heading.trim(), body: body.join("\n") };
  });
}

export function withoutCode(text: string): string {
  return text.replace(/^```[\s\S]*?^```$/gm, "");
}

/** Where the relative links of a document lead, with their anchors. */
export function linksOf(text: string): string[] {
  const links = withoutCode(text)
    .replace(/`[^`]*`/g, "")
    .matchAll(/\]\(([^)\s]+)\)/g);
  return Array.from(links, ([, target = ""]) => target).filter((to) => !/^https?:/.test(to));
}
