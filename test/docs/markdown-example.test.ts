import MarkdownIt from "markdown-it";
import { expect, it } from "vitest";
import { markdown } from "../../src/import/markdown.ts";
import { folderOf } from "../support/markdown-folder.ts";
import { NO_OPTIONS } from "../support/read-export.ts";
import { SVG } from "../support/sanity/dataset.ts";
import { TestBed } from "../support/test-bed.ts";
import { codeBlocks, documentText } from "./documents.ts";

it("X19a: the example of docs/markdown.md shows a body with its pictures and links, without statements of MDX", () => {
  const { code = "" } =
    codeBlocks(documentText("docs/markdown.md")).find((one) => one.code.includes("MarkdownIt")) ??
    {};
  const body = `import Chart from "./Chart.jsx"
export const a = 1

![A loaf](<my loaf.svg>) [Rye](../rye.md) [site](https://example.com) [1](../index.md) [2](../rye.md?a#b) [3](caf%E9.html)

- import "x"
`;
  const folder = folderOf({
    "posts/a.mdx": body,
    "posts/my loaf.svg": SVG,
    "rye.md": "",
    "index.md": "",
  });
  const bed = new TestBed();
  bed.store.import(
    markdown.read([folder], { ...NO_OPTIONS, links: "references" }).source,
    new Date(),
  );
  bed.publish();
  const { content, references } = bed.file({
    kind: "content",
    projectId: "site",
    experienceId: "posts--a",
  });
  const resolve = ({ contentEntryId }: { contentEntryId: string }) =>
    references.find(({ id }: { id: string }) => id === contentEntryId);
  const toHtml = new Function(
    "MarkdownIt",
    `${code.replace(/^import .*$/m, "").replace("export function", "function")}\nreturn bodyToHtml;`,
  )(MarkdownIt);
  expect(toHtml(content[0], { resolve }, "https://cdn.example.com")).toMatch(
    /^<p><img src="https:\/\/cdn\.example\.com\/assets\/[^"]+" alt="A loaf"> <a href="\/rye">Rye<\/a> <a href="https:\/\/example\.com">site<\/a> <a href="\/">1<\/a> <a href="\/rye\?a#b">2<\/a> <a href="caf%E9.html">3<\/a><\/p>\n<ul>\n<li>import &quot;x&quot;<\/li>\n<\/ul>\n$/,
  );
});
