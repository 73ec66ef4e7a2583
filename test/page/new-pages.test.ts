import { describe, expect, it } from "vitest";
import type { PageNames } from "../../src/page/edited.ts";
import type { JsonObject } from "../../src/workspace/json.ts";
import { editedFolder } from "../support/edited-folder.ts";

const model = (key: string) => ({
  id: `m-${key}`,
  key,
  name: key,
  fields: [{ key: "title", type: "text", title: true }],
});
const entry = (id: string, key: string, title: string) => ({
  ...{ id, modelId: `m-${key}`, data: { title } },
});
/** An own layout. */
const SITE = `{ "id": "site", "name": "S", "locale": "en",
  "steps": [ {"id": "s-home", "key": "home", "name": "Home", "layoutName": "landing", "layoutContentId": "home"} ],
\t"experiences": [
\t\t{ "id": "e-home", "key": "home", "name": "Home", "stepIds": ["s-home"] }
\t],
  "collections": [ { "model": "article", "id": "{id}", "layoutName": "story" } ] }
`;
const FILES = {
  "models.json": [model("page"), model("article"), model("author")],
  "projects/site.json": SITE,
  "entries.json": [
    entry("home", "page", "Home"),
    entry("visit", "page", "7 visits"),
    entry("coast", "article", "The coast"),
    entry("ida", "author", "Ida"),
  ],
};

function folder() {
  const bed = editedFolder(FILES);
  const of = (steps: readonly (readonly [entry: string, layout?: string])[], more = {}) => ({
    ...{ project: "site", steps: steps.map(([entry, layout]) => ({ entry, layout })) },
    ...more,
  });
  const names = (body: object) => bed.act<PageNames & JsonObject>("page-names", body);
  return { ...bed, of, names, site: () => bed.read("projects/site.json") };
}

describe("H70: new pages", () => {
  it("H70: id and title follow the first entry, layouts are those in which its model is shown", async () => {
    const { of, names } = folder();
    expect(await names(of([["visit"], ["coast"], ["ida"]]))).toEqual({
      id: "page-7-visits",
      title: "7 visits",
      free: null,
      layouts: ["author", "landing", "story"],
      steps: [{ layout: "landing" }, { layout: "story" }, { layout: "author" }],
    });
    // Another page's id or key, also of one that a collection makes.
    expect(await names(of([["home"]]))).toMatchObject({ id: "home-2" });
    expect(await names(of([["coast"]], { title: "Coast", id: "COAST" }))).toMatchObject({
      title: "Coast",
      free: "coast-2",
    });
    expect(await names(of([]))).toMatchObject({
      id: "page",
      title: "",
      layouts: ["landing", "story"],
    });
  });

  it("H70: is written into the file of its project, each other byte as it was, and undone", async () => {
    const { of, act, site } = folder();
    const done = await act("page-add", of([["home"], ["visit", "other"]], { title: "Both" }));
    expect(done).toMatchObject({ id: "both", undo: "the new page “Both”" });
    const step = `{"id": "page-7-visits", "key": "page-7-visits", "name": "7 visits", "layoutName": "other", "layoutContentId": "visit"}`;
    const page = `{ "id": "both", "key": "both", "name": "Both", "stepIds": ["s-home", "page-7-visits"] }`;
    expect(site()).toBe(
      SITE.replace('"layoutContentId": "home"}', (text) => `${text}, ${step}`).replace(
        '["s-home"] }',
        (text) => `${text},\n\t\t${page}`,
      ),
    );
    await act("undo");
    expect(site()).toBe(SITE);
  });

  it("H70, H70a: is refused without a step, of an entry that is gone, and with the id of another page or none", async () => {
    const { of, act, refusal, site } = folder();
    const add = (...body: Parameters<typeof of>) => refusal(act("page-add", of(...body)));
    expect(await add([])).toMatch(/^edit-refused: the page shows nothing/);
    expect(await add([["gone"]])).toContain('no entry "gone"');
    expect(await add([["ida"]], { id: "Coast" })).toContain("already a page");
    expect(await add([["ida"]], { id: "../x" })).toContain("malformed");
    expect(await add([["ida"]], { id: "7-days" })).toContain("malformed key");
    expect(await refusal(act("page-add", { project: "none" }))).toContain("not there any more");
    expect(site()).toBe(SITE);
  });
});
