import { expect, it } from "vitest";
import { generateTypes } from "../../src/codegen/generate-types.ts";
import { fixtureProjects } from "./served-projects.ts";
import { compile, documentsFile, type Served } from "./type-checking.ts";

/** A corruption of a served document, and the line or member where the compiler must report it. */
interface Corruption {
  readonly title: string;
  // biome-ignore lint/suspicious/noExplicitAny: documents are corrupted freely
  readonly change: (document: any) => void;
  readonly at: RegExp;
}

/** In the project config. */
const CONFIG: readonly Corruption[] = [
  {
    title: "a required member of the config is removed",
    change: (config) => delete config.versionId,
    at: /document0/,
  },
  {
    title: "a required project field is removed",
    change: ({ fields }) => delete fields.siteName,
    at: /"fields": \{/,
  },
  {
    title: "a string in place of a number",
    change: ({ fields }) => Object.assign(fields, { freeDeliveryFrom: "60" }),
    at: /"freeDeliveryFrom": "60"/,
  },
  {
    title: "a single value in place of a list",
    change: ({ fields }) => Object.assign(fields, { openingHours: "always" }),
    at: /"openingHours": "always"/,
  },
  {
    title: "an enum has an unknown value",
    change: ({ fields }) => Object.assign(fields, { currency: "DEM" }),
    at: /"currency": "DEM"/,
  },
  {
    title: "there is a field too many",
    change: ({ fields }) => Object.assign(fields, { siteNames: "x" }),
    at: /"siteNames": "x"/,
  },
  {
    title: "a member of an asset is of another type",
    change: ({ fields }) => Object.assign(fields.logo, { width: "96" }),
    at: /"logo": \{|"width": "96"/,
  },
  {
    title: "a step has an unknown key",
    change: ({ steps }) => Object.assign(steps[1], { key: "nowhere" }),
    at: /"key": "nowhere"/,
  },
  {
    title: "an experience has an unknown key",
    change: ({ experiences }) => Object.assign(experiences[0], { key: "nothing" }),
    at: /"key": "nothing"/,
  },
];

// biome-ignore lint/suspicious/noExplicitAny: documents are corrupted freely
function entryOf(content: any, modelKey: string) {
  const entries = [...content.content, ...content.references];
  const found = entries.find((entry) => entry.contentModelKey === modelKey);
  if (found === undefined) throw new Error(`no ${modelKey} is served`);
  return found;
}

// biome-ignore lint/suspicious/noExplicitAny: documents are corrupted freely
const blockOf = (content: any) => entryOf(content, "page").data.sections[0];

/** In the content of the experience `browse`. */
const CONTENT: readonly Corruption[] = [
  {
    title: "an entry has an unknown model key",
    change: (content) => Object.assign(entryOf(content, "product"), { contentModelKey: "produce" }),
    at: /"contentModelKey": "produce"/,
  },
  {
    title: "a required field of an entry is removed",
    change: (content) => delete entryOf(content, "product").data.sku,
    at: /Property 'sku' is missing/,
  },
  {
    title: "a number of an entry is a string",
    change: (content) => Object.assign(entryOf(content, "product").data, { price: "1" }),
    at: /\.price' .*'string'.*'number'/s,
  },
  {
    title: "a select of an entry has an unknown value",
    change: (content) => Object.assign(entryOf(content, "product").data, { type: "kayak" }),
    at: /\.type' .*'"kayak"'/s,
  },
  {
    title: "an entry has a field too many",
    change: (content) => Object.assign(entryOf(content, "product").data, { discount: 1 }),
    at: /"discount": 1/,
  },
  {
    title: "a field is null",
    change: (content) => Object.assign(entryOf(content, "page").data, { summary: null }),
    at: /\.summary' .*'null'/s,
  },
  {
    title: "a block has an unknown key",
    change: (content) => Object.assign(blockOf(content), { contentBlockKey: "heroine" }),
    at: /\.sections' .*'"heroine"'/s,
  },
  {
    title: "a block has a field too many",
    change: (content) => Object.assign(blockOf(content).data, { more: 1 }),
    at: /"more": 1/,
  },
  {
    title: "a pointer leads to a model that is not accepted",
    change: (content) =>
      Object.assign(entryOf(content, "product").data.guarantee, { contentModelKey: "article" }),
    at: /\.guarantee.*'"article"'.*'"policy"'/s,
  },
  {
    title: "a pointer has no id",
    change: (content) => delete entryOf(content, "product").data.guarantee.contentEntryId,
    at: /\.guarantee'.*'contentEntryId' is missing/s,
  },
];

it.each([
  { name: "project config", documentIndex: 0, corruptions: CONFIG },
  { name: "experience content", documentIndex: 1, corruptions: CONTENT },
])(
  "$name: a corrupted document does not compile, and the error is at the corruption",
  async ({ documentIndex, corruptions }) => {
    const web = fixtureProjects().find(({ name }) => name === "storefront-prj-web-published");
    const document = web?.documents[documentIndex];
    if (web === undefined || document === undefined) throw new Error("no storefront");
    const files = new Map([["web.ts", generateTypes(web.schema, { constants: false })]]);
    for (const { title, change } of [{ title: "nothing", change: () => {} }, ...corruptions]) {
      const corrupted: Served = structuredClone(document);
      change(corrupted.json);
      files.set(`${title}.ts`, documentsFile("./web.ts", [corrupted]));
    }
    const errors = Object.groupBy(compile(files), ({ file }) => file);
    const reported = Object.entries(errors).map(([file, own]) => [
      file,
      own?.map(({ at, message }) => `${at} | ${message}`),
    ]);
    expect(Object.fromEntries(reported)).toEqual(
      Object.fromEntries(
        corruptions.map(({ title, at }) => [`${title}.ts`, [expect.stringMatching(at)]]),
      ),
    );
  },
);
