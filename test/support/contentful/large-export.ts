import { closeSync, openSync, writeSync } from "node:fs";
import { asset, entry, exportOf, link, type } from "./contentful-export.ts";

const WORDS =
  'a page of a site has words that are not the same on every page, so that nothing is shared "quoted"\n'.split(
    " ",
  );

const SECTION = {
  title: "Symbol",
  text: "Text",
  picture: { type: "Link", linkType: "Asset" },
  next: { type: "Array", items: { type: "Link", linkType: "Entry" } },
};

/** About 2,500 characters. */
function prose(seed: number): string {
  const words: string[] = [];
  for (let at = 0, state = seed + 1; at < 500; at += 1) {
    state = (state * 48271) % 2147483647;
    words.push(WORDS[state % WORDS.length] as string);
  }
  return words.join(" ");
}

/** Writes an export of at least so many bytes. Every tenth entry is a page with links to sections. */
export function writeLargeExport(path: string, bytes: number): { entries: number } {
  const file = openSync(path, "w");
  const { locales } = exportOf({});
  const contentTypes = [
    type("page", { slug: "Symbol", ...SECTION }, { displayField: "title" }),
    type("section", SECTION, { displayField: "title" }),
  ];
  let written = writeSync(file, `{"contentTypes":${JSON.stringify(contentTypes)},"entries":[`);
  let number = 0;
  for (; written < bytes; number += 1) {
    const isPage = number % 10 === 0;
    const first = number - (number % 10) + 1;
    const values = {
      ...(isPage && { slug: `/page/${number}` }),
      title: `Entry ${number}`,
      text: prose(number),
      picture: link(`asset-${number % 100}`, "Asset"),
      next: isPage ? [link(`id-${first}`), link(`id-${first + 5}`)] : [link(`id-${number - 1}`)],
    };
    const text = JSON.stringify(
      entry(`id-${number}`, isPage ? "page" : "section", values),
      null,
      2,
    );
    written += writeSync(file, number === 0 ? text : `,\n${text}`);
  }
  const assets = Array.from({ length: 100 }, (_, at) => asset(`asset-${at}`));
  writeSync(file, `],"assets":${JSON.stringify(assets)},"locales":${JSON.stringify(locales)}}\n`);
  closeSync(file);
  return { entries: number };
}
