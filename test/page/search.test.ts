import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FolderDrafts } from "../../src/cli/preview/folder-drafts.ts";
import { FolderReader } from "../../src/folder/folder-reader.ts";
import { type DraftState, DraftStates } from "../../src/page/draft-state.ts";
import { RecordList } from "../../src/page/record-list.ts";
import { entryRows, otherHits, type RowsQuery } from "../../src/page/rows.ts";
import { excerptOf, folded, marksOf, wordsOf } from "../../src/page/search-text.ts";
import { DraftRenderings } from "../../src/server/draft-renderings.ts";
import type { Entry } from "../../src/workspace/records.ts";
import { randomRuns } from "../support/random-runs.ts";
import { ALL, rowsOf } from "../support/server/rows.ts";
import { PAGE_MODEL, page, projectOf } from "../support/workspaces/small-workspace.ts";
import { type Files, workspaceFolder } from "../support/workspaces/workspace-folder.ts";

/** A folder that is read again after each change, with a search of it. */
function searched(files: Files) {
  const folder = workspaceFolder(files);
  const reader = new FolderReader(folder);
  const drafts = new FolderDrafts();
  const states = new DraftStates(drafts, new DraftRenderings(drafts));
  const list = new RecordList();
  let all = files;
  const state = (changed: Files = {}): DraftState => {
    all = { ...all, ...changed };
    workspaceFolder(all, folder);
    drafts.change(reader.read());
    return states.of("w") as DraftState;
  };
  const find = (query: string, changed?: Files) => {
    const now = state(changed);
    const asked = { ...ALL, q: query, most: 100 };
    return { ...rowsOf(now, asked, list), others: otherHits(now, asked, list) };
  };
  return { folder, state, list, find };
}

const RICH = {
  nodeType: "document",
  content: [{ nodeType: "paragraph", content: [{ nodeType: "text", value: "Ça va bien" }] }],
};
const WORKSPACE: Files = {
  "workspace.json": { id: "w", name: "Workspace", assetTexts: true },
  "models.json": [
    { ...PAGE_MODEL, fields: [...PAGE_MODEL.fields, { key: "body", type: "rich-text" }] },
  ],
  "features.json": [{ id: "f-shop", key: "shop", name: "Online shop", type: "boolean" }],
  "projects.json": [projectOf("site", "home")],
  "assets.json": [
    {
      id: "a-1",
      url: "https://example.com/stove.jpg",
      fileName: "stove.jpg",
      mimeType: "image/jpeg",
      description: "A warm Öfchen",
    },
  ],
  "entries.json": [
    page("home", "Home of stoves"),
    page("about", "About us", { body: RICH, note: "We make a stove each day, at home in Århus" }),
    page("z", "Stove"),
  ],
};

/** What a person would call the same letters. */
const plain = (text: string) =>
  text
    .normalize("NFD")
    .replace(/\p{Mn}/gu, "")
    .toLowerCase()
    .replaceAll("ß", "ss");

function textsOf(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [String(value)];
  return Object.values(value).flatMap(textsOf);
}

describe("H38: search", () => {
  it("H38: finds entries by title first, then by id and texts, with the words marked", () => {
    const { find } = searched(WORKSPACE);
    const { total, rows } = find("stove");
    expect(total).toBe(3);
    expect(rows.map(({ id }) => id)).toEqual(["z", "home", "about"]);
    expect(rows[1]).toMatchObject({ titleMarks: [[8, 13]] });
    expect(rows[1]?.found).toBeUndefined();
    const excerpt = "We make a stove each day, at home in Århus";
    expect(rows[2]?.found).toMatchObject({ excerpt, marks: [[10, 15]] });
    expect(rows[2]?.found?.place).toEqual({ path: "/note", fields: ["note"] });
    expect(find("about stove").rows.map(({ id }) => id)).toEqual(["about"]);
    expect(find("").total).toBe(3);
  });

  it("H38: finds what is typed without accents, and no names of nodes of rich text", () => {
    const { find } = searched(WORKSPACE);
    expect(find("arhus").rows.map(({ id }) => id)).toEqual(["about"]);
    const [{ found } = {}] = find("CA VA").rows;
    expect(found).toMatchObject({
      excerpt: "Ça va bien",
      marks: [
        [0, 2],
        [3, 5],
      ],
    });
    expect(find("paragraph").total).toBe(0);
  });

  it("H38: finds experiences, projects, assets, models and features by name, key, file name and id", () => {
    const { find } = searched(WORKSPACE);
    const kinds = (query: string) =>
      find(query).others.map(({ kind, hits }) => [kind, hits.map(({ title }) => title)]);
    expect(kinds("experience home")).toEqual([["experience", ["Experience home"]]]);
    expect(kinds("project")).toEqual([["project", ["Project site"]]]);
    expect(kinds("shop")).toEqual([["feature", ["Online shop"]]]);
    expect(kinds("m-page")).toEqual([["model", ["Page"]]]);
    expect(find("ofchen").others).toEqual([
      {
        kind: "asset",
        total: 1,
        hits: [
          {
            id: "a-1",
            title: "stove.jpg",
            titleMarks: [],
            found: { excerpt: "A warm Öfchen", marks: [[7, 13]] },
          },
        ],
      },
    ]);
  });

  it("H38b: an experience whose entry is found by the same title is found once", () => {
    const { find } = searched(WORKSPACE);
    const experience = page("home", "Experience home");
    const both = find("experience", { "entries.json": [experience] });
    expect([both.total, both.others]).toEqual([1, []]);
    const apart = find("experience", { "entries.json": [page("home", "Experience of home")] });
    expect([apart.total, apart.others.map(({ total }) => total)]).toEqual([1, [1]]);
  });

  it("H38: reads only the entries that have changed, and all where titles may differ", () => {
    const { find, list } = searched(WORKSPACE);
    find("a");
    expect(list.reads).toBe(3);
    const changed = [page("home", "Hut"), page("about", "About us"), page("new", "New hut")];
    expect(find("hut", { "entries.json": changed }).rows.map(({ id }) => id)).toEqual([
      "home",
      "new",
    ]);
    expect(list.reads).toBe(6);
    expect(find("stove").total).toBe(0);
    expect(list.reads).toBe(6);
    find("hut", { "models.json": [{ ...PAGE_MODEL, fields: [] }] });
    expect(list.reads).toBe(9);
  });

  it("H38: answers before it has read all entries, and says so", () => {
    const many = Array.from({ length: 1000 }, (_, at) => page(`p-${at}`, `Page ${at}`));
    const { state, list } = searched({ ...WORKSPACE, "entries.json": many });
    const now = state();
    const answers = Array.from({ length: 11 }, () => {
      const isComplete = list.read(now, 0);
      const { total } = entryRows(now, { ...ALL, q: "page", most: 1 }, { list });
      return [total, isComplete];
    });
    expect(answers.slice(0, 2)).toEqual([
      [100, false],
      [200, false],
    ]);
    expect(answers.at(-1)).toEqual([1000, true]);
  });

  it("H35: a table is complete with the titles alone, and a search finds those before it has their texts", () => {
    const many = Array.from({ length: 300 }, (_, at) =>
      page(`p-${at}`, `Page ${at}`, { note: "x y" }),
    );
    const { state, list } = searched({ ...WORKSPACE, "entries.json": many });
    const now = state();
    const total = (asked: Partial<RowsQuery>) =>
      entryRows(now, { ...ALL, ...asked }, { list }).total;
    expect(list.read(now, undefined, "titles")).toBe(true);
    expect([total({ sort: "title" }), total({ q: "page" }), total({ q: "x y" })]).toEqual([
      300, 300, 0,
    ]);
    list.read(now, 0);
    expect(total({ q: "x y" })).toBe(100);
    list.read(now);
    expect(total({ q: "x y" })).toBe(300);
  });

  it("H38a: the phrase is first, then whole words, then beginnings, then what is inside of words", () => {
    const texts = {
      inside: "Four pictures shared by all who live indoors",
      beginnings: "Ours is redder than doors are",
      whole: "The door is ours, not red like our house",
      markup: "Look at our **red** “door”",
      phrase: "Behind our red door",
    };
    const entries = Object.entries(texts).map(([id, note]) =>
      page(`e-${id}`, `Page ${id}`, { note }),
    );
    const { find } = searched({
      ...WORKSPACE,
      "entries.json": [...entries, page("title", "Our red door"), page("our", "Z")],
    });
    expect(find("Our red  door").rows.map(({ id }) => id)).toEqual([
      ...["title", "e-markup", "e-phrase", "e-whole", "e-beginnings", "e-inside"],
    ]);
    expect(find("our").rows[0]?.id, "an id").toBe("our");
    const [, , found] = find("red door").rows;
    expect(found?.found?.marks, "both words, where they are together").toEqual([
      [11, 14],
      [15, 19],
    ]);
  });

  it("H38a: ten words copied out of an entry find it among the first six", () => {
    const words = "the tent is red and warm on a hill by our river at night".split(" ");
    const shuffled = (by: number) => words.map((_, at) => words[(at * by) % words.length]);
    const entries = [3, 5, 9, 11, 13, 17, 1, 19, 23, 25].map((by) => {
      const text = `${shuffled(by).join(" ")}. ${"So it goes. ".repeat(100)}`;
      return page(`by-${by}`, by === 1 ? "Z" : "Page", { note: text });
    });
    const { find } = searched({ ...WORKSPACE, "entries.json": entries });
    const copied = `“${words.slice(2, 12).join(" ")}…”`;
    expect(find(copied).total).toBe(entries.length);
    expect(find(copied).rows[0]?.id).toBe("by-1");
  });

  it("H38: law: finds what a plain filter finds, after any changes", () => {
    const text = fc.string({ unit: fc.constantFrom(..."aÁáåßsS b\n"), maxLength: 12 });
    const data = fc.record({ title: text, body: fc.array(fc.oneof(text, fc.nat(20))) });
    const state = fc.dictionary(fc.constantFrom(..."abcdefgh"), data);
    fc.assert(
      fc.property(fc.array(state, { minLength: 1, maxLength: 4 }), text, (states, query) => {
        const { find } = searched(WORKSPACE);
        for (const entries of states) {
          const all = Object.entries(entries).map(([id, { title, body }]) =>
            page(id, title, { body }),
          );
          const found = find(query, { "entries.json": all }).rows.map(({ id }) => id);
          const words = plain(query).split(/\s+/);
          const has = ({ id, data: had }: Entry) => {
            const texts = [id, ...textsOf(had)].map(plain);
            return words.every((word) => texts.some((one) => one.includes(word)));
          };
          expect(found.sort()).toEqual(
            all
              .filter(has)
              .map(({ id }) => id)
              .sort(),
          );
        }
      }),
      { numRuns: randomRuns(100) },
    );
  });

  it("H38: law: marks are where the folded words are", () => {
    const text = fc.string({ unit: fc.constantFrom(..."aÁåßœ\u0301 b가ﬁ😀x"), maxLength: 40 });
    fc.assert(
      fc.property(text, text, (around, query) => {
        const words = wordsOf(query);
        const marks = marksOf(around, words);
        for (const [from, to] of marks) {
          const part = folded(around.slice(from, to));
          expect(words.some((word) => part.includes(word))).toBe(true);
        }
        const all = folded(around);
        expect(marks.length > 0).toBe(words.some((word) => all.includes(word)));
        const { excerpt } = excerptOf(around.repeat(100), words);
        expect(excerpt.length).toBeLessThan(150);
      }),
      { numRuns: randomRuns(500) },
    );
  });
});
