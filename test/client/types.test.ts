import { expect, it } from "vitest";
import { generateTypes } from "../../src/codegen/generate-types.ts";
import { readFolder } from "../../src/folder/read-folder.ts";
import { STOREFRONT } from "../support/cli-bed.ts";
import { compile } from "../support/compiler.ts";
import { documentOn, TestBed } from "../support/test-bed.ts";

const PRELUDE = `
import { type AnySchema, ApiError, type Client, type Content, createClient, type Pointer as AnyPointer } from "@svc-publish/client";
import type { Author, Block, Collection, Entry, Page, Pointer, Product, RequiredPointer, Schema, UnknownEntry } from "./types.ts";

/** Whether two types are identical. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
function same<A, B>(_same: Same<A, B>): void {}

declare const content: Content<Schema>;
declare const page: Page;
declare const product: Product;
`;

/** Code that compiles with the types of the web project of the storefront, by what it shows. */
const RIGHT: Readonly<Record<string, string>> = {
  "resolve() returns an entry of the pointed-to model, or undefined": `
const author = content.resolve({ contentEntryId: "a", contentModelKey: "author" });
same<typeof author, { id: string; contentModelKey: "author"; data: Author } | undefined>(true);
// @ts-expect-error it can be undefined
author.data;
author?.data.name.toUpperCase();
// @ts-expect-error an author has no price
author?.data.price;

const works = content.resolve(product.worksWith[0]!);
const theirs: Entry<"product"> | UnknownEntry | undefined = works;
same<NonNullable<typeof works>["contentModelKey"], "product" | null>(true);
// @ts-expect-error a product, or an entry without a model
const wrong: Entry<"author"> | undefined = works;
if (works?.contentModelKey === "product") works.data.price.toFixed(2);
// @ts-expect-error never a page
if (works?.contentModelKey === "page") works.data;

declare const either: Pointer<"author" | "product">;
const one = content.resolve(either);
same<NonNullable<typeof one>["contentModelKey"], "author" | "product" | null>(true);
// @ts-expect-error an optional pointer can be absent
content.resolve(product.collection);
if (product.collection) content.resolve(product.collection)?.data;
export { theirs, wrong };
`,
  "T12, K15: entry() of a required pointer is an entry; of another one it may have no model": `
declare const required: RequiredPointer<"author">;
content.entry(required).data.name.toUpperCase();
const maybe = content.entry(product.worksWith[0]!);
same<(typeof maybe)["contentModelKey"], "product" | null>(true);
// @ts-expect-error it may have none
maybe.data.price;
`,
  "a pointer to any model resolves to any entry; a pointer without a key to an entry without a model": `
const related = content.resolve(page.related[0]!);
same<NonNullable<typeof related>["contentModelKey"], Entry["contentModelKey"] | null>(true);
declare const plain: { contentEntryId: string };
const some = content.resolve(plain);
same<NonNullable<typeof some>["contentModelKey"], Entry["contentModelKey"] | null>(true);
declare const any: AnyPointer;
const other = content.resolve(any);
same<NonNullable<typeof other>["contentModelKey"], Entry["contentModelKey"] | null>(true);
declare const keyless: { contentEntryId: string; contentModelKey?: never };
const gone = content.resolve(keyless);
same<NonNullable<typeof gone>["contentModelKey"], null>(true);
// @ts-expect-error an id alone is not a pointer
content.resolve("page-home");
// @ts-expect-error neither is an asset
content.resolve(product.photos[0]!);
`,
  "entries are discriminated by contentModelKey, blocks by contentBlockKey": `
for (const entry of [...content.content, ...content.references]) {
  // @ts-expect-error the model is unknown
  entry.data.headline;
  if (entry.contentModelKey === "page") entry.data.sections.map((block) => block.contentBlockKey);
  // @ts-expect-error there is no such model
  if (entry.contentModelKey === "pages") entry.data;
  switch (entry.contentModelKey) {
    case "article": case "author": case "collection": case "navigation": case "page": case "policy":
      break;
    case "product":
      entry.data.price.toFixed();
      break;
    case null:
      // @ts-expect-error its data is unknown
      entry.data.name.length;
      break;
    default:
      entry satisfies never;
  }
}
declare const block: Block;
if (block.contentBlockKey === "hero") block.data.heading.length;
// @ts-expect-error a hero has no text
if (block.contentBlockKey === "hero") block.data.text;
if (block.contentBlockKey === "section") for (const inner of block.data.content) inner satisfies Block;
if (page.banner?.contentBlockKey === "notice") page.banner.data.type satisfies "information" | "delay" | "closure";
// @ts-expect-error a banner is not a quote
if (page.banner?.contentBlockKey === "quote") page.banner;
`,
  "layout() is typed by the step → model map, and knows the steps": `
export async function layouts() {
const home = await content.layout("home");
same<NonNullable<typeof home>["contentModelKey"], "page">(true);
// @ts-expect-error this experience may not show the step
home.data;
home?.data.sections satisfies Block[] | undefined;
(await content.layout("product"))?.data.price.toFixed();
(await content.layout("collection"))?.data satisfies Collection | undefined;
// @ts-expect-error a product is not a page
(await content.layout("product"))?.data.headline;
// @ts-expect-error there is no such step
content.layout("checkout");
// @ts-expect-error an id is not a key
content.layout("stp_home");
const basket = await content.layout("basket");
// @ts-expect-error the schema knows no entry for this step
basket?.data.headline;
}
`,
  "the config knows the project's fields, its steps and its experiences": `
export async function config(client: Client<Schema>) {
  const { fields, steps, experiences, versionId } = await client.project();
  same<typeof fields.currency, "GBP" | "EUR" | undefined>(true);
  fields.siteName.length;
  // @ts-expect-error no such field
  fields.siteTitle;
  versionId satisfies string | null;
  // @ts-expect-error no such step
  steps.find(({ key }) => key === "checkout");
  steps.find(({ key }) => key === "home")?.layoutContentId satisfies string | null | undefined;
  // @ts-expect-error no such experience
  experiences.find(({ key }) => key === "exp_browse");
  const content = await client.content("exp_browse");
  const project = await content.project();
  same<typeof project.fields, typeof fields>(true);
}
`,
  "without a schema everything is accessible, with unknown data": `
const client = createClient({ baseUrl: "https://host/api/v1", projectId: "p" });
client satisfies Client<AnySchema>;
export async function untyped() {
  const some = await client.content("any id");
  const entry = some.resolve({ contentEntryId: "a", contentModelKey: "whatever" });
  // @ts-expect-error it can be undefined
  entry.data;
  entry?.data.name satisfies unknown;
  // @ts-expect-error its type is unknown
  entry?.data.name.length;
  const layout = await some.layout("any step");
  layout?.data satisfies Record<string, unknown> | undefined;
  (await some.project()).fields.anything satisfies unknown;
  (await client.schema()).$defs satisfies unknown;
}
`,
  "createClient, its methods and ApiError have the documented members": `
const baseUrl = "https://host/api/v1";
const client = createClient<Schema>({ baseUrl, projectId: "p", previewToken: undefined, fetch, EventSource, retries: 2 });
client.project({ signal: new AbortController().signal });
client.content("exp_browse", { cache: "force-cache", next: { revalidate: 60, tags: ["a"] }, retries: 3 });
// @ts-expect-error no such mode
client.content("exp_browse", { cache: "sometimes" });
// @ts-expect-error projectId is required
createClient<Schema>({ baseUrl });
// @ts-expect-error no such option
createClient<Schema>({ baseUrl, projectId: "p", token: "t" });
// @ts-expect-error no schema
createClient<{ models: object }>({ baseUrl, projectId: "p" });
// @ts-expect-error an experience's id or key is needed
client.content();
client.project().catch((error: unknown) => {
  if (!(error instanceof ApiError)) throw error;
  error.status.toFixed();
  error.code.length + error.detail.length + error.url.length;
  // @ts-expect-error read-only
  error.code = "";
});
`,
  "K11: content() knows the keys of experiences, and their ids where the types name them": `
declare const client: Client<Schema>;
client.content({ key: "browse" });
client.content("any id");
client.contentMany(["any id", { key: "browse" }]);
// @ts-expect-error no such key
client.content({ key: "brows" });
// @ts-expect-error no such key
client.contentMany([{ key: "brows" }]);

declare const strict: Client<Omit<Schema, "experienceId"> & { experienceId: "exp_a" | "exp_b" }>;
strict.content("exp_a");
strict.content({ key: "browse" });
// @ts-expect-error no such id
strict.content("exp_c");
export async function all() {
  const { experiences } = await strict.project();
  same<(typeof experiences)[number]["id"], "exp_a" | "exp_b">(true);
  const contents = await strict.contentMany(experiences.map(({ id }) => id));
  same<typeof contents, Content<Omit<Schema, "experienceId"> & { experienceId: "exp_a" | "exp_b" }>[]>(true);
  for await (const page of client.pages("journal")) same<typeof page, Content<Schema>>(true);
  // @ts-expect-error no such list
  client.pages("nope");
}
strict.onChange(({ experiences }) => experiences?.includes("exp_a"));

// Types that were generated before there were ids.
declare const older: Client<Omit<Schema, "experienceId">>;
older.content("any id");
declare const listless: Client<Omit<Schema, "list">>;
listless.pages("any");
// @ts-expect-error no such key
older.content({ key: "brows" });
`,
};

/** Code with an error in its first line: the check is real. */
const WRONG: Readonly<Record<string, string>> = {
  TS2322: "export const n: number = 'text';",
  TS2345: "same<1, 1 | 2>(true);\nsame<1, 1>(true);\nsame<1, 2>(false);",
  TS2578: "// @ts-expect-error\nexport const n: number = 1;",
};

it("T1, K4: results have the types of the schema", () => {
  const bed = new TestBed();
  bed.store.import(readFolder(STOREFRONT), new Date());
  const schema = documentOn(bed, "published", { kind: "schema", projectId: "prj_web" });
  const files = Object.entries({ ...WRONG, ...RIGHT }).map(([what, code]) => [
    `${what.replaceAll(/\W+/g, "-")}.ts`,
    PRELUDE + code,
  ]);
  const types = generateTypes([{ document: schema }], { constants: false });
  const errors = compile({ "types.ts": types, ...Object.fromEntries(files) });
  const line = PRELUDE.split("\n").length;
  expect(errors.sort()).toEqual(
    Object.keys(WRONG).map((code) =>
      expect.stringMatching(new RegExp(`^${code}\\.ts\\(${line},\\d+\\): error ${code}: `)),
    ),
  );
});
