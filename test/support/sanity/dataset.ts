import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { FormatOptions } from "../../../src/import/format.ts";
import { sanity } from "../../../src/import/sanity.ts";
import { type Read, readExport } from "../read-export.ts";
import { temporaryFolder } from "../test-bed.ts";

/** A document or a value of one, without types, so that tests can build odd ones. */
// biome-ignore lint/suspicious/noExplicitAny: tests build odd exports freely
export type Loose = Record<string, any>;

export const ref = (id: string, more: Loose = {}) => ({ _type: "reference", _ref: id, ...more });

export const image = (name: string, more: Loose = {}) => ({
  _type: "image",
  _sanityAsset: `image@file://./images/${name}`,
  ...more,
});

/** A Portable Text block with one span. */
export const textBlock = (text: string, more: Loose = {}) => ({
  _type: "block",
  _key: text,
  style: "normal",
  markDefs: [],
  children: [{ _type: "span", _key: `${text}0`, marks: [], text }],
  ...more,
});

/** An image that can be measured: 3 by 2 pixels. */
export const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="3" height="2"/>';

/** Writes a folder as `sanity dataset export` packs it; returns its path. */
export function datasetFolder(
  documents: readonly Loose[],
  files: Readonly<Record<string, string>> = {},
): string {
  const folder = join(temporaryFolder(), "shop");
  const lines = documents.map((document) => `${JSON.stringify(document)}\n`).join("");
  for (const [name, text] of Object.entries({ "data.ndjson": lines, ...files })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

/** Reads a dataset with the importer. */
export function readDataset(path: string, options: Partial<FormatOptions> = {}): Read {
  return readExport(sanity, [path], options);
}
