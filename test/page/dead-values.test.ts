import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ShownProblem } from "../../src/page/dead-values.ts";
import { DraftStates } from "../../src/page/draft-state.ts";
import { entryView } from "../../src/page/entry-view.ts";
import { problemList } from "../../src/page/problem-list.ts";
import { DraftRenderings } from "../../src/server/draft-renderings.ts";
import { editedFolder } from "../support/edited-folder.ts";

const reference = { type: "reference", models: ["page"] };
const MODEL = {
  id: "m",
  key: "page",
  name: "Page",
  fields: [
    { key: "title", name: "Title", type: "text", title: true },
    { key: "next", name: "Next", ...reference },
    { key: "own", name: "Own", ...reference, localized: true },
    { key: "needed", name: "Needed", ...reference, required: true },
    { key: "all", name: "All", ...reference, repeatable: true },
    { key: "pictures", name: "Pictures", type: "asset", repeatable: true, localized: true },
    { key: "top", name: "Top", type: "content-block" },
    { key: "body", name: "Body", type: "content-block", repeatable: true },
    { key: "story", name: "Story", type: "rich-text" },
  ],
};
const CARD = { id: "b-card", key: "card", name: "Card", fields: MODEL.fields.slice(0, 2) };
/** An own layout, of which all stays but what is removed. */
const TEXT = `{
\t"id": "home", "modelId": "m",
\t"data": { "title" : "Home", "left-over": { "a" : [1.0] },
\t\t"next": { "contentEntryId": "ghost" },
\t\t"own": { "en": { "contentEntryId": "ghost" } },
\t\t"needed": { "contentEntryId": "ghost" },
\t\t"all": [ { "contentEntryId" : "other" }, { "contentEntryId": "ghost" }, { "contentEntryId": "oth\\u0065r" } ],
\t\t"pictures": { "en": [ { "assetId": "gone" } ], "de": [] },
\t\t"top": { "contentBlockId": "b-gone", "data": { "x": 1.0 } },
\t\t"body": [
\t\t\t{ "contentBlockId": "b-gone", "data": {} },
\t\t\t{ "contentBlockId": "b-card", "data": { "title": "One", "old": 1.50, "next": { "contentEntryId": "ghost" } } }
\t\t],
\t\t"story": { "type": "doc", "content": [ { "type": "blockReference", "attrs": { "contentBlockId": "b-gone", "data": {} } } ] }
\t}
}
`;
const OTHER = { id: "other", modelId: "m", data: { title: "Other", needed: null } };

function bed() {
  const folder = editedFolder({
    "models/page.json": MODEL,
    "blocks/card.json": CARD,
    "projects.json": ["en", "de"].map((locale) => ({
      ...{ id: locale, name: locale, locale, steps: [], experiences: [] },
    })),
    "entries/home.json": TEXT,
    "entries/other.json": OTHER,
  });
  const state = () =>
    new DraftStates(folder.drafts, new DraftRenderings(folder.drafts)).of("w") as NonNullable<
      ReturnType<DraftStates["of"]>
    >;
  const shown = () => entryView(state(), "home", () => "")?.problems ?? [];
  const read = () => folder.read("entries/home.json");
  const drop = (path: string, code: string, name: string) =>
    folder.act<{ done: string; undo: string; warnings: string[] }>("edit-drop", {
      ...{ id: "home", path, code, name },
    });
  return { ...folder, state, shown, read, drop };
}

const DEAD = [
  ["/all/1", "reference-deleted", "ghost"],
  ["/body/0", "block-deleted", "b-gone"],
  ["/body/1/data/next", "reference-deleted", "ghost"],
  ["/body/1/data/old", "field-unknown", "old"],
  ["/left-over", "field-unknown", "left-over"],
  ["/needed", "reference-deleted", "ghost"],
  ["/next", "reference-deleted", "ghost"],
  ["/own/en", "reference-deleted", "ghost"],
  ["/pictures/en/0", "asset-missing", "gone"],
  ["/top", "block-deleted", "b-gone"],
] as const;

const deadIn = (problems: readonly ShownProblem[]) =>
  problems.flatMap(({ at, code, dead }) => (dead === undefined ? [] : [[at.path, code, dead]]));
const inOrder = (list: readonly (readonly string[])[]) =>
  list.map((one) => one.join(" ")).toSorted();

describe("H82: what is dead is removed beside its problem", () => {
  it("H82: the problems of an entry and their list say which values are, and those of rich text are not", () => {
    const { shown, state } = bed();
    expect(inOrder(deadIn(shown()))).toEqual(inOrder(DEAD));
    const groups = problemList(state(), undefined, { code: "", most: 50 });
    const listed = groups.flatMap(({ problems }) => problems);
    expect(inOrder(deadIn(listed.filter(({ at }) => at.id === "home")))).toEqual(inOrder(DEAD));
    const inText = shown().filter(({ at }) => at.path.startsWith("/story/"));
    expect(inText.map(({ code }) => code)).toContain("block-deleted");
  });

  it.each([
    ["/left-over", ', "left-over": { "a" : [1.0] }', ""],
    ["/next", '\t\t"next": { "contentEntryId": "ghost" },\n', ""],
    ["/own/en", '\t\t"own": { "en": { "contentEntryId": "ghost" } },\n', ""],
    ["/all/1", '"other" }, { "contentEntryId": "ghost" }', '"other" }'],
    ["/pictures/en/0", '[ { "assetId": "gone" } ]', "[]"],
    ["/top", '\t\t"top": { "contentBlockId": "b-gone", "data": { "x": 1.0 } },\n', ""],
    ["/body/0", '\t\t\t{ "contentBlockId": "b-gone", "data": {} },\n', ""],
    ["/body/1/data/old", ', "old": 1.50', ""],
    ["/body/1/data/next", ', "next": { "contentEntryId": "ghost" } }', " }"],
  ])("H82: %s is removed, with its bytes alone, and undone", async (path, bytes, left) => {
    const { act, drop, read, shown } = bed();
    const [, code = "", name = ""] = DEAD.find(([one]) => one === path) ?? [];
    const { done, undo } = await drop(path, code, name);
    expect(done).toBe(`Removed “${name}” of Home.`);
    expect(read()).toBe(TEXT.replace(bytes, left));
    expect(shown().filter((one) => one.at.path === path && one.code === code)).toEqual([]);
    expect(undo).toBe(`the removal of “${name}” of “Home”`);
    await act("undo");
    expect(read()).toBe(TEXT);
  });

  it("H82: what a field lacks then is said", async () => {
    const { drop, read } = bed();
    const { warnings } = await drop("/needed", "reference-deleted", "ghost");
    expect(warnings).toEqual(['the required field "needed" has no value']);
    expect(JSON.parse(read()).data).not.toHaveProperty("needed");
  });

  it("H82: nothing is removed but what has this problem, now", async () => {
    const { drop, folder, read, refusal } = bed();
    for (const [path, code, name] of [
      ["/title", "field-unknown", "title"],
      ["/all/0", "reference-deleted", "other"],
      ["/next", "field-unknown", "next"],
      ["/next", "reference-deleted", "another"],
      ["/story", "block-deleted", "b-gone"],
      ["/story/content/0/attrs", "block-deleted", "b-gone"],
      ["", "field-unknown", ""],
    ] as const) {
      expect(await refusal(drop(path, code, name)), path).toContain("not there any more");
    }
    expect(read()).toBe(TEXT);
    // The preview has not read it yet: the first is another one by now.
    const file = join(folder, "entries/home.json");
    const two = ['{ "contentEntryId" : "other" }', '{ "contentEntryId": "ghost" }'];
    const moved = TEXT.replace(two.join(", "), two.toReversed().join(", "));
    expect(moved).not.toBe(TEXT);
    writeFileSync(file, moved);
    const refused = await refusal(drop("/all/1", "reference-deleted", "ghost"));
    expect(refused).toBe("edit-refused: “ghost” is not there any more, or not dead");
    expect(readFileSync(file, "utf8")).toBe(moved);
  });
});
