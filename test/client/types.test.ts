import { expect, it } from "vitest";
import { compilerErrors, webTypes } from "./typed-client.ts";

it("layout() is typed by the step → model map, and knows the steps", () => {
  expect(
    compilerErrors(`
const home = content.layout("home");
same<NonNullable<typeof home>["contentModelKey"], "page">(true);
// @ts-expect-error this experience may not show the step
home.data;
home?.data.sections satisfies Block[] | undefined;
content.layout("product")?.data.price.toFixed();
content.layout("collection")?.data satisfies Collection | undefined;
// @ts-expect-error a product is not a page
content.layout("product")?.data.headline;
// @ts-expect-error there is no such step
content.layout("checkout");
// @ts-expect-error an id is not a key
content.layout("stp_home");
const basket = content.layout("basket");
// @ts-expect-error the schema knows no entry for this step
basket?.data.headline;
`),
  ).toEqual([]);
});

it("lines that rely on the model of a step do not compile after it changes", () => {
  const code = 'export const price = content.layout("product")?.data.price;';
  const types = webTypes();
  const changed = types.replace('product: "product";', 'product: "collection";');
  expect(changed).not.toBe(types);
  expect(compilerErrors(code)).toEqual([]);
  expect(compilerErrors(code, changed).join()).toMatch(
    /TS2339.*'price' does not exist on type 'Collection'/,
  );
});

it("the config knows the project's fields, its steps and its experiences", () => {
  expect(
    compilerErrors(`
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
  const { project } = await client.content("exp_browse");
  same<typeof project.fields, typeof fields>(true);
}
`),
  ).toEqual([]);
});

it("without a schema everything is accessible, with unknown data", () => {
  expect(
    compilerErrors(`
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
  const layout = some.layout("any step");
  layout?.data satisfies Record<string, unknown> | undefined;
  some.project.fields.anything satisfies unknown;
  (await client.schema()).$defs satisfies unknown;
}
`),
  ).toEqual([]);
});

it("createClient, its methods and ApiError have the documented members", () => {
  expect(
    compilerErrors(`
const baseUrl = "https://host/api/v1";
const client = createClient<Schema>({ baseUrl, projectId: "p", previewToken: undefined, fetch });
client.project({ signal: new AbortController().signal });
// @ts-expect-error projectId is required
createClient<Schema>({ baseUrl });
// @ts-expect-error no such option
createClient<Schema>({ baseUrl, projectId: "p", token: "t" });
// @ts-expect-error no schema
createClient<{ models: object }>({ baseUrl, projectId: "p" });
// @ts-expect-error an experience's id is needed
client.content();
client.project().catch((error: unknown) => {
  if (!(error instanceof ApiError)) throw error;
  error.status.toFixed();
  error.code.length + error.detail.length + error.url.length;
  // @ts-expect-error read-only
  error.code = "";
});
`),
  ).toEqual([]);
});
