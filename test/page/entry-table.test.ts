import { describe, expect, it } from "vitest";
import { type DraftState, DraftStates } from "../../src/page/draft-state.ts";
import { assetView } from "../../src/page/file-view.ts";
import { assetRows, type RowsQuery } from "../../src/page/rows.ts";
import { usesOf } from "../../src/page/where-used.ts";
import { DraftRenderings } from "../../src/server/draft-renderings.ts";
import type { Entry, Model } from "../../src/workspace/records.ts";
import { ALL, rowsOf } from "../support/server/rows.ts";
import { type Parts, TestBed } from "../support/test-bed.ts";
import {
  heldAsset,
  PAGE_MODEL,
  page,
  projectOf,
  smallWorkspace,
} from "../support/workspaces/small-workspace.ts";

const PRODUCT: Model = {
  id: "m-product",
  key: "product",
  name: "Product",
  fields: [
    { key: "name", type: "text", title: true },
    { key: "notes", type: "rich-text" },
    { key: "size", name: "Size", type: "text" },
    { key: "price", name: "Price", type: "number", localized: true },
    { key: "isNew", name: "New", type: "boolean" },
    { key: "related", name: "Related", type: "reference", repeatable: true },
    { key: "parts", type: "content-block", repeatable: true },
  ],
};

function product(id: string, name: string, more: Entry["data"] = {}): Entry {
  return { id, modelId: "m-product", data: { name, ...more } };
}

const to = (...ids: readonly string[]) => ids.map((contentEntryId) => ({ contentEntryId }));
const [site] = [projectOf("site", "home")];
const PHOTO = heldAsset("photo", "photo.png", "x");
const PLAN = heldAsset("plan", "plan.pdf", "y", "application/pdf");

const SHOP: Parts = smallWorkspace({
  models: [PAGE_MODEL, PRODUCT],
  blocks: [{ id: "b-spec", key: "spec", name: "Spec", fields: [] }],
  projects: [{ ...site, locale: "en" }],
  assets: [{ ...PHOTO.asset, title: "Beach" }, PLAN.asset],
  files: new Map([PHOTO.file, PLAN.file]),
  entries: [
    page("home", "Home", { next: { contentEntryId: "lamp" }, picture: { assetId: "photo" } }),
    page("about", "About", { picture: { assetId: "gone" } }),
    product("lamp", "lamp", {
      price: { en: 9 },
      isNew: true,
      related: to("sofa", "rug", "none", "home"),
    }),
    product("sofa", "Sofa", {
      price: { de: 10 },
      parts: [{ contentBlockId: "b-spec", data: {} }],
    }),
    { ...product("rug", "Ärmel rug", { price: { en: 70 } }), draft: true },
  ],
});

/** What `work` reads of the draft of the shop. */
function ofShop<T>(work: (state: DraftState) => T): T {
  const { store } = new TestBed(SHOP);
  const states = new DraftStates(store, new DraftRenderings(store));
  return store.read(() => work(states.of("w") as DraftState));
}

/** The ids in a table. */
function ids(query: Partial<RowsQuery>, listed?: ReadonlySet<string>) {
  return ofShop((state) => {
    const asked = { sort: "title", ...query };
    return rowsOf(state, asked, undefined, listed).rows.map(({ id }) => id);
  });
}

describe("H35: a table of entries", () => {
  it("is sorted by title, model, a field or its use, entries without a value last", () => {
    const models = ["m-product"];
    expect(ids({}), "Ärmel as armel").toEqual(["about", "rug", "home", "lamp", "sofa"]);
    expect(ids({ sort: "-title" })).toEqual(["sofa", "lamp", "home", "rug", "about"]);
    expect(ids({ sort: "-model" })).toEqual(["rug", "lamp", "sofa", "about", "home"]);
    expect(ids({ models, sort: "field:price" })).toEqual(["lamp", "sofa", "rug"]);
    expect(ids({ models, sort: "-field:isNew" })).toEqual(["lamp", "rug", "sofa"]);
    expect(ids({ models, sort: "field:isNew" })).toEqual(["lamp", "rug", "sofa"]);
    expect(ids({ sort: "-used" })).toEqual(["rug", "home", "lamp", "sofa", "about"]);
  });

  it("is filtered by model, block, words, state and what a check has found", () => {
    expect(ids({ models: ["m-page"] })).toEqual(["about", "home"]);
    expect(ids({ block: "b-spec" })).toEqual(["sofa"]);
    expect(ids({ q: "rug arm" })).toEqual(["rug"]);
    expect(ids({ only: "hidden" })).toEqual(["rug"]);
    expect(ids({ only: "unused" })).toEqual(["about"]);
    expect(ids({}, new Set(["sofa", "x"]))).toEqual(["sofa"]);
    expect(ids({ offset: 3 })).toEqual(["lamp", "sofa"]);
  });

  it("H35a, H73a: is of the models that a picker accepts, and of what is not in a language", () => {
    const accepted = { models: ["m-page", "m-other"], sort: "" };
    expect(ids({ ...accepted, most: 1, offset: 1 })).toEqual(["home"]);
    expect(ids({ ...accepted, q: "sofa" }), "another model's").toEqual([]);
    expect(ids({ missing: "en" }), "a price in German").toEqual(["sofa"]);
    expect(ids({ missing: "fr" }), "no project has it").toEqual([]);
  });

  it("has the most telling fields as columns, with values as an author reads them", () => {
    ofShop((state) => {
      const table = rowsOf(state, { models: ["m-product"] });
      expect(table.columns.map(({ name }) => name)).toEqual(["Price", "New", "Related", "parts"]);
      expect(table.rows.map(({ cells }) => cells)).toEqual([
        ["70", "", "", ""],
        ["9", "Yes", "Sofa, Ärmel rug, none and 1 more", ""],
        ["10", "", "", "Spec"],
      ]);
      const { rows } = rowsOf(state, {});
      const pictures = rows.flatMap(({ id, picture }) => (picture ? [[id, picture.title]] : []));
      expect(pictures, "H26a: pictures").toEqual([["home", "Beach"]]);
    });
  });
});

describe("H36: the assets of a draft", () => {
  it("are listed by title, the missing too, with where they are used", () => {
    ofShop((state) => {
      const list = (only: string, q = "") =>
        assetRows(state, { ...ALL, only, q }).rows.map(({ title }) => title);
      expect(list("")).toEqual(["Beach", "plan.pdf"]);
      expect(list("", "photo")).toEqual(["Beach"]);
      expect(list("images")).toEqual(["Beach"]);
      expect(list("files")).toEqual(["plan.pdf"]);
      expect(list("unused")).toEqual(["plan.pdf"]);
      expect(list("missing")).toEqual(["gone"]);
      expect(
        usesOf(state)
          .whereUsed("assets", "gone")
          .entries.listed.map(({ title }) => title),
      ).toEqual(["About"]);
      expect(assetView(state, "photo")).toMatchObject({
        title: "Beach",
        file: { src: `/${PHOTO.path}` },
      });
      expect(assetView(state, "gone")).toMatchObject({ title: "gone", file: undefined });
    });
  });
});
