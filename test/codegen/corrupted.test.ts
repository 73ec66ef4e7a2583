import { expect, it } from "vitest";
import { generateTypes } from "../../src/codegen/generate-types.ts";
import { fixtureProjects } from "./served-projects.ts";
import { compile, documentsFile, type Served } from "./type-checking.ts";

// biome-ignore lint/suspicious/noExplicitAny: documents are corrupted freely
type Any = any;

/** What is set in the document (undefined: removed), and where the compiler must report it. */
type Corruption = readonly [title: string, path: string, value: unknown, at?: RegExp];

const CONFIG: readonly Corruption[] = [
  ["a required member of the config is removed", "versionId", undefined, /document0/],
  ["a required project field is removed", "fields.siteName", undefined, /"fields": \{/],
  ["a string in place of a number", "fields.freeDeliveryFrom", "60"],
  ["a single value in place of a list", "fields.openingHours", "always"],
  ["an enum has an unknown value", "fields.currency", "DEM"],
  ["there is a field too many", "fields.siteNames", "x"],
  [
    "a member of an asset is of another type",
    "fields.logo.width",
    "96",
    /"logo": \{|"width": "96"/,
  ],
  ["a step has an unknown key", "steps.1.key", "nowhere"],
  ["an experience has an unknown key", "experiences.0.key", "nothing"],
];

/** In the content of the experience `browse`; the first segment is a model of which it has an entry. */
const CONTENT: readonly Corruption[] = [
  ["an entry has an unknown model key", "product.contentModelKey", "produce"],
  ["a required field is removed", "product.data.sku", undefined, /Property 'sku' is missing/],
  ["a number is a string", "product.data.price", "1", /\.price' .*'string'.*'number'/s],
  ["a select has an unknown value", "product.data.type", "kayak", /\.type' .*'"kayak"'/s],
  ["an entry has a field too many", "product.data.discount", 1],
  ["a field is null", "page.data.summary", null, /\.summary' .*'null'/s],
  [
    "a block has an unknown key",
    "page.data.sections.0.contentBlockKey",
    "heroine",
    /\.sections' .*'"heroine"'/s,
  ] as const,
  ["a block has a field too many", "page.data.sections.0.data.more", 1],
  [
    "a pointer leads to another model",
    "product.data.guarantee.contentModelKey",
    "article",
    /\.guarantee.*'"article"'.*'"policy"'/s,
  ] as const,
  [
    "a pointer has no id",
    "product.data.guarantee.contentEntryId",
    undefined,
    /\.guarantee'.*'contentEntryId' is missing/s,
  ] as const,
];

function corrupt(document: Any, path: string, value: unknown): void {
  const segments = path.split(".");
  const last = segments.pop() ?? "";
  const entries = [...(document.content ?? []), ...(document.references ?? [])];
  const start = (key = "") =>
    document[key] ?? entries.find((entry) => entry.contentModelKey === key);
  const target = segments.reduce(
    (parent, key, at) => (at === 0 ? start(key) : parent[key]),
    document,
  );
  if (value === undefined) delete target[last];
  else target[last] = value;
}

it("T1: a corrupted document does not compile, and the error is at the corruption", () => {
  const web = fixtureProjects().find(({ name }) => name === "storefront-prj-web-published");
  const [config, content] = web?.documents ?? [];
  if (!web || !config || !content) throw new Error("no storefront");
  const files = new Map([
    ["web.ts", generateTypes([{ document: web.schema }], { constants: false })],
    ["nothing.ts", documentsFile("./web.ts", [config, content])],
  ]);
  for (const [title, path, value] of [...CONFIG, ...CONTENT]) {
    const isConfig = CONFIG.some(([one]) => one === title);
    const corrupted: Served = structuredClone(isConfig ? config : content);
    corrupt(corrupted.json, path, value);
    files.set(`${title}.ts`, documentsFile("./web.ts", [corrupted]));
  }
  const errors = Object.groupBy(compile(files), ({ file }) => file);
  const reported = Object.entries(errors).map(([file, own]) => [
    file,
    own?.map(({ at, message }) => `${at} | ${message}`),
  ]);
  const expected = [...CONFIG, ...CONTENT].map(([title, path, value, at]) => {
    const line = `"${path.split(".").at(-1)}": ${JSON.stringify(value)}`;
    return [`${title}.ts`, [at ? expect.stringMatching(at) : expect.stringContaining(line)]];
  });
  expect(Object.fromEntries(reported)).toEqual(Object.fromEntries(expected));
});
