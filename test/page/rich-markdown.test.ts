import fc from "fast-check";
import MarkdownIt from "markdown-it";
import { Fragment, type Node } from "prosemirror-model";
import { Transform } from "prosemirror-transform";
import { describe, expect, it } from "vitest";
import { withFootnotes } from "../../src/page/browser/markdown-statements.ts";
import { MarkdownMapping } from "../../src/page/browser/rich-markdown.ts";
import { saidBy } from "../../src/page/browser/rich-markdown-inline.ts";
import { drawnMarkdown, tidyMarkdown } from "../support/page/drawn-markdown.ts";
import { edited, edits } from "../support/page/rich-edits.ts";
import { randomRuns } from "../support/random-runs.ts";

const PARSER = withFootnotes(new MarkdownIt({ html: true }));
const mapping = () => new MarkdownMapping(PARSER);

/** The kinds of blocks with their depth, and what the texts say. */
function said(doc: Node, hasMarks = true): string[] {
  const all: string[] = [];
  const walk = (node: Node, depth: number) => {
    const { name } = node.type;
    const isText = node.isTextblock && name !== "code_block";
    const words = node.children.map((one) => one.mark([]));
    const text = hasMarks ? node : node.copy(Fragment.from(words));
    const own = isText ? saidBy(text) : (node.attrs.of?.text ?? "");
    // Two lists in a row are one, and nothing is written of a paragraph without words.
    if (isText && own !== "") all.push(`${depth} ${name} ${node.attrs.level ?? ""} ${own}`);
    if (name === "code_block") all.push(`${depth} code ${node.textContent}`);
    // Definitions of links cannot be deleted.
    if (name === "opaque" && node.attrs.of.type !== "Definition")
      all.push(`${depth} kept ${own.trimStart()}`);
    const isDeeper = name === "list_item" || name === "blockquote";
    if (!node.isTextblock) for (const child of node.children) walk(child, depth + Number(isDeeper));
  };
  walk(doc, 0);
  return all;
}

function changed(text: string, all: Parameters<typeof edited>[1][]) {
  const own = mapping();
  const transform = new Transform(own.read(text));
  for (const one of all) edited(transform, one);
  const { doc } = transform;
  doc.check();
  // Such a line is a block of HTML.
  doc.descendants((node) => {
    fc.pre(!node.isTextblock || !/^<[a-z/!]/.test(saidBy(node)));
  });
  return { own, doc };
}

/** The letters and digits of all texts, and of what is kept as it is written. */
function lettersIn(doc: Node, hasKept: boolean): readonly string[] {
  const all: string[] = [];
  doc.descendants(({ type, text = "", attrs: { of } }) => {
    all.push(hasKept && type.name.startsWith("opaque") ? of.text : text);
  });
  return all.join("").match(/[\p{L}\p{N}]/gu) ?? [];
}

describe("H57b: Markdown ↔ the editor's document", () => {
  it("H25a: a footnote is a text, whatever it says, and no definition of a link", () => {
    const note = "[^1]: https://e.example/a\n";
    const tokens = PARSER.parse(`A[^1] and [b]\n\n${note}\n> [^n]:\n> once\n\n[b]: /c\n`, {});
    const inLines = tokens.flatMap(({ children }) => children ?? []);
    const links = inLines.flatMap((one) => one.attrGet("href") ?? []);
    expect(links).toEqual(["/c"]);
    expect(tokens.map(({ content }) => content)).toContain(note.trim());
  });

  it("H57b: read and written without a change it is the same text", () => {
    fc.assert(
      fc.property(drawnMarkdown, (text) => {
        const own = mapping();
        const doc = own.read(text);
        doc.check();
        expect(own.write(doc)).toBe(text);
      }),
      { numRuns: randomRuns(5000) },
    );
  });

  it("H57b: one changed word changes its block alone", () => {
    fc.assert(
      fc.property(drawnMarkdown, fc.nat(), (text, which) => {
        const own = mapping();
        const doc = own.read(text);
        const places: { at: number; top: number }[] = [];
        doc.descendants((node, at) => {
          // In what is empty there was no block yet.
          if (node.isTextblock && node.childCount > 0)
            places.push({ at: at + 1, top: doc.resolve(at).index(0) });
        });
        fc.pre(places.length > 0 && text.trim() !== "");
        const { at, top } = places[which % places.length] as (typeof places)[number];
        const after = own.write(new Transform(doc).insert(at, own.schema.text("NEW")).doc);
        const sources = doc.children.map((node) => node.attrs.of as { text: string; gap: string });
        const start = text.indexOf(sources[0]?.text ?? "");
        const length = (from: number, to: number) =>
          sources.slice(from, to).reduce((all, { text, gap }) => all + text.length + gap.length, 0);
        const before = text.slice(0, start + length(0, top));
        const behind = text.slice(before.length + (sources[top]?.text.length ?? 0));
        expect(after.slice(0, before.length)).toBe(before);
        expect(behind === "" ? "" : after.slice(-behind.length)).toBe(behind);
      }),
      { numRuns: randomRuns(3000) },
    );
  });

  it("H57b: what was written says what the editor showed", () => {
    fc.assert(
      fc.property(tidyMarkdown, edits, (text, all) => {
        const { own, doc } = changed(text, all);
        // Of a part of a word there is not every mark.
        expect(said(mapping().read(own.write(doc)), false)).toEqual(said(doc, false));
      }),
      // Always the same: of some shapes that nobody writes only the words are sure.
      { numRuns: 1000, seed: 1 },
    );
  });

  it("H57b: no word is lost, whatever the text was", () => {
    fc.assert(
      fc.property(drawnMarkdown, edits, (text, all) => {
        const { own, doc } = changed(text, all);
        const after = lettersIn(mapping().read(own.write(doc)), true);
        const before = lettersIn(doc, false);
        let found = 0;
        for (const letter of after) if (letter === before[found]) found += 1;
        expect(before.slice(found)).toEqual([]);
      }),
      { numRuns: randomRuns(5000) },
    );
  });

  it("H57b: words are marked, whatever is around them and in them", () => {
    fc.assert(
      fc.property(
        drawnMarkdown,
        fc.nat(),
        fc.constantFrom("strong", "em", "link"),
        (text, which, kind) => {
          const own = mapping();
          const doc = own.read(text);
          const words: [number, number][] = [];
          doc.descendants((node, at) => {
            if (!node.isText || node.marks.length > 0) return;
            const { text: all = "" } = node;
            for (const { index, 0: word } of all.matchAll(/(?<=\s)\w+(?=\s)/g))
              words.push([at + index, at + index + word.length]);
          });
          fc.pre(words.length > 0);
          const [from, to] = words[which % words.length] as [number, number];
          const mark = own.schema.mark(kind, kind === "link" ? { href: "/new" } : {});
          const marked = new Transform(doc).addMark(from, to, mark).doc;
          expect(said(mapping().read(own.write(marked)))).toEqual(said(marked));
        },
      ),
      { numRuns: randomRuns(3000) },
    );
  });
});
