import { describe, expect, it } from "vitest";
import { type DraftState, DraftStates } from "../../src/page/draft-state.ts";
import { entryView } from "../../src/page/entry-view.ts";
import { DraftRenderings } from "../../src/server/draft-renderings.ts";
import type { Entry } from "../../src/workspace/records.ts";
import { diffOf } from "../diff/differ.ts";
import { rowsOf } from "../support/server/rows.ts";
import { TestBed } from "../support/test-bed.ts";
import { projectOf, smallWorkspace } from "../support/workspaces/small-workspace.ts";

const cafe = (id: string, body: string): Entry => ({
  ...{ id, modelId: "m-place" },
  data: { body, headline: "Café Zürich" },
});

/** Places whose model marks no field as the title, each with a page of a collection. */
const places = (...entries: readonly Entry[]) =>
  smallWorkspace({
    models: [
      {
        ...{ id: "m-place", key: "place", name: "Place" },
        fields: ["headline", "body"].map((key) => ({ key, type: "text" })),
      },
    ],
    projects: [
      {
        ...projectOf("site"),
        collections: [{ model: "place", id: "a-{id}", layoutName: "Place" }],
      },
    ],
    entries: [...entries, { id: "e9", modelId: "m-place", data: { body: "A bar" } }],
  });
const CAFE = places(cafe("e1", "Open all day"));

describe("W6c: one title", () => {
  it("W6c, H35, H38: is that of the entry's page, of the search, of a table and of the picker, whatever the accents", () => {
    const { store } = new TestBed(CAFE);
    const states = new DraftStates(store, new DraftRenderings(store));
    store.read(() => {
      const state = states.of("w") as DraftState;
      const [found, table, picker] = [
        { q: "cafe", most: 6 },
        { q: "CAFE zurich", sort: "title" },
        { q: "zúrich", models: ["m-other", "m-place"] },
      ].map((query) => rowsOf(state, query).rows);
      const ofPage = entryView(state, "e1", () => "");
      for (const rows of [found, table, picker, [ofPage]]) {
        expect(rows?.map((row) => [row?.id, row?.title])).toEqual([["e1", "Café Zürich"]]);
      }
    });
  });

  it("W6c, Q11: is the name in the config of what a collection makes; without a text of its own the id is", () => {
    const bed = new TestBed(CAFE);
    bed.publish();
    const { experiences, steps } = bed.file("api/v1/projects/site/index.json");
    for (const named of [experiences, steps]) {
      expect(named.map(({ name }: { name: string }) => name)).toEqual(["Café Zürich", "e9"]);
    }
  });

  it("W6c, D6a: is that by which an entry seems to be renamed", () => {
    const { forth } = diffOf(CAFE, places(cafe("e2", "Open at night")));
    expect(forth.renamed).toEqual([{ from: "e1", to: "e2" }]);
  });
});
