import { asset, entry, exportOf, type Loose, link, type } from "./contentful-export.ts";

const node = (nodeType: string, data: Loose = {}, ...content: readonly Loose[]) => ({
  nodeType,
  data,
  content,
});
const text = { nodeType: "text", value: "a", marks: [{ type: "bold" }], data: {} };

const LIST = (items: Loose) => ({ type: "Array", items });
const TO_ENTRY = { type: "Link", linkType: "Entry" };
const TO_ASSET = { type: "Link", linkType: "Asset" };

const FIELDS = {
  title: { type: "Symbol", localized: true },
  slug: { type: "Symbol", disabled: true },
  text: "Text",
  count: "Integer",
  price: "Number",
  day: "Date",
  shown: "Boolean",
  place: "Location",
  data: "Object",
  body: "RichText",
  one: TO_ENTRY,
  many: LIST(TO_ENTRY),
  picture: TO_ASSET,
  pictures: LIST(TO_ASSET),
  words: LIST({ type: "Symbol" }),
  old: { type: "Symbol", omitted: true },
};

const urn = { sys: { type: "ResourceLink", linkType: "Contentful:Entry", urn: "crn:x" } };
const BODY = node(
  "document",
  {},
  node("embedded-entry-block", { target: link("in-text") }),
  node("embedded-asset-block", { target: link("a", "Asset") }),
  node(
    "paragraph",
    {},
    text,
    node("entry-hyperlink", { target: link("linked") }, text),
    node("asset-hyperlink", { target: link("b", "Asset") }, text),
    node("embedded-entry-inline", { target: link("gone") }),
    node("embedded-resource-inline", { target: urn }),
    node("hyperlink", { uri: "https://a.example" }, text),
  ),
);

/** An export with something of everything, in two locales; `en` is the default one. */
export function everything(): Loose {
  const values = {
    title: "A page",
    slug: "first",
    text: "# A\n",
    count: 3,
    price: -1.5,
    day: "2024-02-29",
    shown: false,
    place: { lon: 1, lat: 2 },
    body: BODY,
    old: "left out",
    gone: "too",
    data: { a: [1, { "b/c": null }], link: link("part") },
    one: link("part"),
    many: [link("part"), link("gone"), link("draft")],
    picture: link("a", "Asset"),
    pictures: [link("b", "Asset"), link("lost", "Asset")],
    words: ["", "a", "a"],
  };
  const page = entry("page-1", "page", values);
  const tags = [link("red", "Tag"), link("blue", "Tag")];
  const fields = {
    ...page.fields,
    title: { en: "A page", de: "Eine Seite", fr: null },
    text: { en: "# A\n", de: "left over" },
  };
  const picture = (id: string, more: Loose = {}) => {
    const one = asset(id);
    return { ...one, fields: { ...one.fields, ...more } };
  };
  return exportOf({
    contentTypes: [
      type("page", FIELDS, { displayField: "title" }),
      type("part", { next: TO_ENTRY }),
    ],
    tags: [{ name: "Red" }],
    roles: [],
    editorInterfaces: [],
    entries: [
      { ...page, fields, metadata: { tags, concepts: [link("c", "Concept")] } },
      entry("page-2", "page", { slug: "/", title: "Home" }, { version: 9 }),
      entry("part", "part", { next: link("page-1") }),
      ...["in-text", "linked", "orphan"].map((id) => entry(id, "part")),
      entry("ring-a", "part", { next: link("ring-b") }),
      entry("ring-b", "part", { next: link("ring-a") }),
      entry("draft", "part", {}, { publishedVersion: undefined }),
      entry("archived", "part", {}, { archivedVersion: 3 }),
      entry("odd", "unknown", { a: 1 }),
    ],
    assets: [
      {
        ...picture("a", { title: { en: "A title", de: "Ein Titel" }, description: { en: "Text" } }),
        metadata: { tags },
      },
      picture("b", { title: { de: "Nur deutsch" } }),
      { ...asset("lost"), fields: { title: { en: "no file" } } },
      asset("hidden", {}, { publishedVersion: undefined }),
    ],
    locales: [{ code: "en", default: true }, { code: "de", fallbackCode: "en" }, { code: "fr" }],
  });
}
