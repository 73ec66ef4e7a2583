import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sanity } from "../../src/folder/sanity.ts";
import { publishedImport } from "../support/published-import.ts";
import { datasetFolder, image, ref, SVG, textBlock } from "../support/sanity/dataset.ts";
import { rawDocuments, valueFates } from "../support/sanity/dataset-walk.ts";

/** A dataset with everything in it. */
const DOCUMENTS = [
  {
    _id: "home",
    _type: "page",
    _rev: "1",
    title: "Home",
    noindex: false,
    rank: 1.5,
    slug: { _type: "slug", current: "/" },
    seo: { title: "x", image: image("a.svg") },
    blocks: [
      {
        _key: "1",
        _type: "hero",
        title: "a",
        image: image("a.svg", { alt: "a", hotspot: { x: 1 } }),
      },
      { _key: "2", _type: "row", columns: [{ _key: "3", _type: "card", post: ref("post") }] },
      { _key: "4", ...ref("gone") },
    ],
    tags: ["a", "b"],
    related: [
      { _key: "5", ...ref("post") },
      { _key: "6", ...ref("drafts.new") },
    ],
  },
  {
    _id: "post",
    _type: "post",
    slug: { _type: "slug", current: "first" },
    body: [
      textBlock("a", { markDefs: [{ _key: "m", _type: "link", to: ref("home") }] }),
      { _key: "i", ...image("a.svg") },
      { _key: "j", ...image("gone.svg") },
      { _key: "r", ...ref("home") },
    ],
  },
  { _id: "drafts.new", _type: "post", title: "New" },
  { _id: "drafts.post", _type: "post", title: "Edited" },
  { _id: "secret", _type: "sanity.previewUrlSecret", secret: "x" },
  { _id: "secrets.mux", _type: "post", title: "T1" },
];

describe("sanity: every value, reference and image of a dataset is accounted for", () => {
  it("a value is stored, a pointer leads to its target or is a problem, an edit is left out", () => {
    const folder = datasetFolder(DOCUMENTS, { "images/a.svg": SVG });
    const { bed, assets } = publishedImport(sanity, [folder]);
    expect(valueFates(bed, rawDocuments(join(folder, "data.ndjson")), assets)).toEqual({
      value: 10,
      slug: 2,
      block: 5,
      asset: 3,
      "asset without a file": 1,
      reference: 5,
      "reference-deleted": 1,
      "value in rich text": 12,
      "left out: edit": 1,
      "left out: of the system": 1,
      "left out: private": 1,
    });
  });
});
