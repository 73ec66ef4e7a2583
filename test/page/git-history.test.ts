import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { EntryHistory } from "../../src/page/team.ts";
import { editedFolder } from "../support/edited-folder.ts";
import { GitClone } from "../support/git-clone.ts";
import { temporaryFolder } from "../support/test-bed.ts";
import type { Files } from "../support/workspaces/workspace-folder.ts";

beforeEach(() => {
  vi.stubEnv("GIT_CONFIG_GLOBAL", "/dev/null");
  vi.stubEnv("GIT_CONFIG_NOSYSTEM", "1");
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const FILES: Files = {
  "models.json": [
    {
      id: "m",
      key: "page",
      name: "Page",
      fields: [
        { key: "title", name: "Headline", type: "text", localized: true },
        { key: "picture", name: "Picture", type: "asset" },
        { key: "next", name: "Next page", type: "reference" },
        { key: "parts", name: "Parts", type: "content-block", repeatable: true },
      ],
    },
  ],
  "blocks.json": [
    {
      id: "b",
      key: "quote",
      name: "Quote",
      fields: [{ key: "words", name: "Words", type: "text" }],
    },
  ],
  "projects.json": [
    { id: "site", name: "S", locale: "en", steps: [], experiences: [] },
    { id: "seite", name: "S", locale: "de", steps: [], experiences: [] },
  ],
};

const entry = (id: string, data: object, more: object = {}) =>
  `${JSON.stringify({ id, modelId: "m", ...more, data }, null, 2)}\n`;

/** A folder in `content/` of a repository, whose first commit has these files too. */
function bed(files: Files, place = "content") {
  const root = temporaryFolder();
  const edited = editedFolder({ ...FILES, ...files }, `${root}/${place}`);
  const clone = new GitClone("Ada", undefined, root);
  clone.commit("start");
  const write = (file: string, text: string) => clone.write(`${place}/${file}`, text);
  const history = (id: string, more = {}) =>
    edited.act<EntryHistory>("git-history", { id, ...more });
  /** From the oldest. */
  const told = async (id: string) => {
    const { versions } = await history(id);
    return versions
      .map(({ by, message, change, fields }) => [by, message, change, ...fields])
      .toReversed();
  };
  return { ...edited, clone, write, history, told };
}

describe("H76: the history of an entry", () => {
  it("H76: tells who changed which fields, by their names, of a file that was moved too", async () => {
    const { clone, write, told, history, readAgain } = bed({
      "entries/home.json": entry("home", { title: { en: "Home" } }),
      "entries/away.json": entry("away", { title: { en: "Away" } }),
    });
    write("entries/home.json", entry("home", { title: { en: "Start", de: "Anfang" } }));
    clone.git("config", "user.name", "Bo \u202e");
    clone.commit("--all\n\nbody");
    clone.git("mv", "content/entries/home.json", 'content/entries/-a "b\n.json');
    clone.commit("moved");
    clone.write("other.txt", "outside");
    clone.commit("elsewhere");
    const block = { contentBlockId: "b", data: { words: "So it is" } };
    const data = {
      title: { en: "Start", de: "Beginn" },
      parts: [block],
      picture: { assetId: "x" },
    };
    write('entries/-a "b\n.json', entry("home", data, { draft: true }));
    const last = clone.commit("last");
    readAgain();
    expect(await told("home")).toEqual([
      ["Ada", "start", "added", "Headline"],
      ["Bo \u202e", "--all", "changed", "Headline"],
      ["Bo \u202e", "last", "changed", "Draft", "Headline", "Picture", "Parts"],
    ]);
    const { versions, hasMore, unsaved } = await history("home");
    expect([versions[0]?.commit, versions.at(-1)?.file]).toEqual([last, "entries/home.json"]);
    expect([hasMore, unsaved]).toEqual([false, []]);
    expect((await history("home", { most: 1 })).hasMore).toBe(true);
    // A copy has a history of its own.
    write("entries/copy.json", entry("copy", data, { draft: true }));
    clone.commit("copied");
    readAgain();
    expect((await told("copy")).map(([, message]) => message)).toEqual(["copied"]);
  });

  it.each([
    ["entries.json", (...all: string[]) => `[${all.join(",")}]`],
    [
      "entries.ndjson",
      (...all: string[]) => all.map((one) => JSON.stringify(JSON.parse(one))).join("\n"),
    ],
  ] as const)("H76: of many in %s tells its own changes alone", async (file, text) => {
    const other = (title: string) => entry("a", { title: { en: title } });
    const own = (title: string) => entry("b", { title: { en: title } });
    const { clone, write, told, history } = bed({ [file]: text(other("1"), own("1")) });
    for (const [title, mine, message] of [
      ["2", "1", "other"],
      ["3", "2", "both"],
    ] as const) {
      write(file, text(other(title), own(mine)));
      clone.commit(message);
    }
    write(file, `${text(other("4"), own("4")).slice(0, -2)}`);
    clone.commit("broken");
    write(file, text(other("4"), own("5")));
    clone.commit("mended");
    write(file, text(own("3"), other("4")));
    expect(await told("b")).toEqual([
      ["Ada", "start", "added", "Headline"],
      ["Ada", "both", "changed", "Headline"],
      ["Ada", "mended", "changed"],
    ]);
    expect((await history("b")).unsaved).toEqual(["Headline"]);
  });

  it.each([
    // Whose commit is the last, which text stays, and what the history says last.
    ["Mine", "theirs", "merged"],
    ["Theirs", "ours", "merged"],
    ["Mine", "ours", "Mine"],
    ["Theirs", "theirs", "Theirs"],
  ])(
    "H76: after %s, a conflict solved with %s is saved, told last by %s",
    async (later, side, last) => {
      const { clone, write, told, history, readAgain } = bed({
        "entries/home.json": entry("home", { title: { en: "Home" } }),
      });
      const save = (title: string) => {
        write("entries/home.json", entry("home", { title: { en: title } }));
        clone.git("add", "--all");
        const day = title === later ? "02" : "01";
        clone.git("commit", "--quiet", `--message=${title}`, `--date=2031-01-${day}T00:00:00Z`);
        clone.git("rebase", "--quiet", "--committer-date-is-author-date", "HEAD~1");
      };
      clone.git("checkout", "--quiet", "-b", "others");
      save("Theirs");
      clone.git("checkout", "--quiet", "main");
      save("Mine");
      clone.git("merge", "--quiet", `--strategy-option=${side}`, "--message=merged", "others");
      readAgain();
      expect((await history("home")).unsaved).toEqual([]);
      expect((await told("home")).at(-1)).toEqual(["Ada", last, "changed", "Headline"]);
      const { versions, hasMore } = await history("home", { most: 1 });
      expect([versions.map(({ message }) => message), hasMore]).toEqual([[last], true]);
    },
  );

  it("H76: two versions are compared, with now too", async () => {
    const block = (words: string) => ({ contentBlockId: "b", data: { words } });
    const { clone, write, act, history } = bed({
      "entries/home.json": entry("home", {
        parts: [block("It was so")],
        next: { contentEntryId: "gone" },
      }),
    });
    write("entries/home.json", entry("home", { parts: [block("It is so")] }));
    clone.commit("second");
    write("entries/home.json", entry("home", { parts: [block("It will be so")] }));
    const { versions } = await history("home");
    const [second, first] = versions;
    const compare = async (from: unknown, to: unknown) => {
      const { values } = await act<{ values: unknown[] }>("git-compare", { id: "home", from, to });
      return values;
    };
    expect(await compare(first, second)).toEqual([
      { place: ["Next page"], before: expect.objectContaining({ title: "gone" }), after: null },
      {
        place: ["Parts", "1", "Quote", "Words"],
        before: null,
        after: null,
        pieces: expect.arrayContaining([
          ["before", "was"],
          ["after", "is"],
        ]),
      },
    ]);
    expect(await compare(second, null)).toMatchObject([
      { place: ["Parts", "1", "Quote", "Words"] },
    ]);
    expect(await compare(null, null)).toEqual([]);
  });

  it("H76: without a repository, and of hashes that are none, it is refused in words", async () => {
    const { act, refusal } = editedFolder({ ...FILES, "entries/home.json": entry("home", {}) });
    const history = act("git-history", { id: "home" });
    expect(await refusal(history)).toBe("edit-refused: this folder is in no Git repository");
    const { act: inside, refusal: why } = bed({ "entries/home.json": entry("home", {}) });
    for (const blob of ["HEAD", "--help", "x".repeat(40), `${"a".repeat(40)}\n`]) {
      const to = { blob, file: "entries/home.json" };
      const compared = inside("git-compare", { id: "home", from: null, to });
      expect(await why(compared)).toBe("edit-refused: there is no such version");
    }
    const unknown = { blob: "a".repeat(40), file: "../../etc/passwd" };
    const restored = inside("git-restore", { id: "home", version: unknown });
    expect(await why(restored)).toBe("edit-refused: the entry is not in that version");
  });

  it("H76: before the first commit there is nothing", async () => {
    const root = temporaryFolder();
    const { act } = editedFolder({ ...FILES, "entries/home.json": entry("home", {}) }, root);
    new GitClone("Ada", undefined, root);
    expect(await act("git-history", { id: "home" })).toEqual({
      versions: [],
      hasMore: false,
      unsaved: [],
    });
  });
});

describe("H76a: a version is brought back", () => {
  it.each([
    ["entries/home.json", "%\n"],
    ["entries.json", '[\n\t{ "id": "a", "modelId": "m", "data": {} },\n\t%\n]\n'],
    ["entries.ndjson", '{"id":"a","modelId":"m","data":{}}\r\n%\r\n'],
  ])("H76a: in %s byte for byte, and undone by one step", async (file, text) => {
    const around = (record: string) => text.replace("%", () => record);
    const first =
      '{ "id": "home",  "modelId": "m", "data": { "title": { "en": "One", "de": "Eins" } } }';
    const { clone, act, edit, history, read, readAgain } = bed({ [file]: around(first) });
    const was = read(file);
    await edit("/title/en", "Two");
    clone.commit("second");
    await edit("/title/de", null);
    const now = read(file);
    readAgain();
    const version = (await history("home")).versions.at(-1);
    const { undo } = await act<{ undo: string }>("git-restore", { id: "home", version });
    expect(read(file)).toBe(was);
    expect(undo).toBe("bringing back “Two”");
    await act("undo");
    expect(read(file)).toBe(now);
  });
});
