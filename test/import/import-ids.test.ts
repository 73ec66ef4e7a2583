import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkDraft } from "../../src/documents/check-draft.ts";
import { Rendering } from "../../src/documents/rendering.ts";
import { hashed, idFrom, pathId, toId } from "../../src/documents/to-id.ts";
import { folderDraft, readRecords } from "../../src/folder/folder-draft.ts";
import type { FormatOptions } from "../../src/import/format.ts";
import { importedBefore } from "../../src/import/formats/collections.ts";
import { KeyMap } from "../../src/import/formats/name-map.ts";
import { markdown } from "../../src/import/markdown.ts";
import { isId, isKey, isSchemaKeyword } from "../../src/workspace/ids.ts";
import type { Entry } from "../../src/workspace/records.ts";
import { entry, read, type } from "../support/contentful/contentful-export.ts";
import { randomRuns } from "../support/random-runs.ts";
import { type Read, readExport } from "../support/read-export.ts";
import { temporaryFolder } from "../support/test-bed.ts";

const HASH = "x[0-9a-f]{8}";
const like = (pattern: string) =>
  expect.stringMatching(new RegExp(`^${pattern.replaceAll("#", HASH)}$`));

describe("X25: an id depends on its own name", () => {
  it.each([
    ["post-1", "post-1"],
    ["a--b", "a--b"],
    ["-", "-"],
    ["über-uns", "uber-uns-#"],
    ["u\u0308ber-uns", "uber-uns-#"],
    ["中国語", "ZhongGuoYu-#"],
    ["한국어", "HanGugEo-#"],
    ["שלום", "slvm-#"],
    ["🎉", "tada-#"],
    ["C++", "C-#"],
    [".b.", "b-#"],
    ["?", "#"],
    ["", "#"],
    ["y".repeat(129), `${"y".repeat(118)}-#`],
    // As an id that was made of another name.
    ["C-x12345678", "C-x12345678-#"],
    ["x12345678", "x12345678-#"],
  ])("X25: the name %j has the id %j", (name, id) => {
    expect(toId(name)).toEqual(like(id));
  });

  it.each([
    ["posts/rye", "posts--rye"],
    ["posts/2026-11/a.b", "posts--2026-11--a.b"],
    ["posts/-a", "posts---a"],
    ["posts-/a", "posts--a-#"],
    ["a--b", "a--b-#"],
    ["a/Far Away", "a--Far-Away-#"],
    ["日本/½", "RiBen--1-2-#"],
  ])("X25a: the path %j has the id %j", (path, id) => {
    expect(pathId(path)).toEqual(like(id));
  });

  it("X25: a workspace has the name of its folder without a hash, as nothing has to differ from it", () => {
    const names = ["my-site", "My Site", "Größe ", "日本", "?", "..", "z".repeat(200)];
    expect(names.map((name) => idFrom(name, "workspace"))).toEqual([
      "my-site",
      "My-Site",
      "Grosse",
      "RiBen",
      "workspace",
      "workspace",
      "z".repeat(128),
    ]);
  });
});

/** Of all scripts, with marks, signs and emoji, and few enough of some letters that names are alike. */
const name = fc.oneof(
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 9 }),
  fc.string({ unit: "binary", minLength: 1, maxLength: 9 }),
  fc.stringMatching(/^[aA\u00e4+ ._-]{1,3}$/),
  fc.constantFrom("日本語", "中国語", "C++", "C--", "über", "äber", "About", "about", "Far Away"),
  fc.constantFrom("é", "e\u0301", "שלום", "\u202ehi", "हिन्दी", "🏳️‍🌈", "b".repeat(150), "\ud800"),
  fc.constantFrom("then", "𗳏𔙇"),
);
/** Also names that look as if they were made of others. */
const names = fc
  .uniqueArray(name, { minLength: 2, maxLength: 9 })
  .map((all) => [...new Set([...all, ...all.map(toId), ...all.map((one) => hashed("a", one))])]);

describe("X25: names that differ have ids that differ", () => {
  it("X25, X25a: whatever names there are", () => {
    fc.assert(
      fc.property(names, (all) => {
        const paths = new Set(all.flatMap((one) => [one, `a/${one}`, `${one}/a`]));
        for (const ids of [all.map(toId), [...paths].map(pathId)]) {
          expect(ids.filter((id) => !isId(id))).toEqual([]);
          expect(new Set(ids).size).toBe(ids.length);
        }
      }),
      { numRuns: randomRuns(2000) },
    );
  });

  it("X25b: so have keys among themselves, in any order", () => {
    fc.assert(
      fc.property(names, fc.boolean(), (all, ofTypes) => {
        const more = [...all, "title", "title_", "field_1", "1"];
        const map = new KeyMap(more, { prefix: "field_", ofTypes });
        const keys = more.map((one) => map.of(one));
        expect(keys.filter((key) => !isKey(key) || (ofTypes && isSchemaKeyword(key)))).toEqual([]);
        expect(new Set(keys).size).toBe(new Set(more).size);
        expect(new Set(more.map((one) => map.idOf(one))).size).toBe(new Set(more).size);
        const back = new KeyMap(more.toReversed(), { prefix: "field_", ofTypes });
        expect(more.map((one) => back.of(one))).toEqual(keys);
      }),
      { numRuns: randomRuns(1000) },
    );
  });

  it.each<[string[], string[]]>([
    [
      ["my field", "my-field", "größe", "a.b"],
      ["my_field", "my-field", "grosse", "a_b"],
    ],
    [
      ["my field", "my.field", "my_field"],
      ["my_field_#", "my_field_#", "my_field"],
    ],
    [
      ["größe", "grosse", "price (€)", "?"],
      ["grosse_#", "grosse", "price_EUR_#", "field_#"],
    ],
    [
      ["2nd", "field_2nd"],
      ["field_2nd_#", "field_2nd"],
    ],
  ])("X25b: fields %j have the keys %j", (fields, keys) => {
    const map = new KeyMap(fields, { prefix: "field_" });
    expect(fields.map((one) => map.of(one))).toEqual(keys.map(like));
  });
});

describe("X2: files come and go", () => {
  const isFileName = (text: string) =>
    // Not what is hidden, or may name a language.
    !/[/\0\p{Cs}]|^[._]|^(?:index|readme|node_modules)$|\.[a-z]{2}([-_]|$)|^[a-z]{2}$/iu.test(
      text,
    ) && Buffer.byteLength(text) < 200;
  const path = fc
    .tuple(fc.constantFrom("", "posts/", "日本/", "a b/", "posts/deep/"), name.filter(isFileName))
    .map(([folder, text]) => `${folder}${text}`);
  const file = fc.record({ path, isFirst: fc.boolean(), isLater: fc.boolean() });
  const files = fc.uniqueArray(file, { selector: (one) => one.path, minLength: 2, maxLength: 9 });

  function importOf(paths: readonly string[], options: Partial<FormatOptions> = {}) {
    const folder = temporaryFolder();
    const write = (path: string, text: string) => {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    };
    write("home.md", "");
    for (const path of paths) {
      write(`${path}.md`, `![](/${encodeURIComponent(`${path}.png`)})`);
      write(`${path}.png`, "");
    }
    return readExport(markdown, [folder], { workspaceId: "w", ...options });
  }

  /** By path: the ids of the entry, of its picture, and of its experience. */
  function idsOf({ entries, project }: Read) {
    const experiences = new Map(
      project.experiences.map(({ id, stepIds: [step] }) => {
        const shown = project.steps.find((one) => one.id === step)?.layoutContentId;
        return [shown, id];
      }),
    );
    return new Map(
      entries.map(({ id, data }: Entry) => {
        const [link] = (data.links ?? []) as { data: { asset: { assetId: string } } }[];
        return [String(data.path), [id, link?.data.asset.assetId, experiences.get(id)]];
      }),
    );
  }

  it("X2, X25: what stays keeps the ids of its entry, its files and its experience", {
    timeout: 60_000,
  }, () => {
    fc.assert(
      fc.property(files, (all) => {
        const first = importOf(all.flatMap((one) => (one.isFirst ? [one.path] : [])));
        const wanted = all.flatMap((one) => (one.isLater ? [one.path] : []));
        const before = {
          name: "w",
          choices: undefined,
          projects: first.projects,
          hidden: new Set<string>(),
          dataOf: () => undefined,
        };
        const [later, fresh] = [importOf(wanted, { before: () => before }), importOf(wanted)];
        const [earlier, now, alone] = [first, later, fresh].map(idsOf) as ReturnType<
          typeof idsOf
        >[];
        expect([...(now?.keys() ?? [])].sort()).toEqual(["home", ...wanted].sort());
        for (const [path, ids] of now ?? []) {
          expect(ids).toEqual(earlier?.get(path) ?? ids);
          expect(ids.slice(0, 2)).toEqual(alone?.get(path)?.slice(0, 2));
        }
        for (const { entries, assets, project } of [first, later, fresh]) {
          const ids = [entries, assets].map((list) => list.map(({ id }) => id));
          const lower = project.experiences.map(({ id }) => id.toLowerCase());
          const keys = project.experiences.map(({ key }) => key);
          for (const list of [...ids, lower, keys]) expect(new Set(list).size).toBe(list.length);
        }
      }),
      { numRuns: randomRuns(100) },
    );
  });
});

describe("Q23: --collections", () => {
  const slug = fc.option(
    fc.oneof(
      name,
      fc.stringMatching(/^[ab1-9]{1,2}$/),
      fc.constantFrom("/", "a/b", "5-a", "b.c", "A"),
    ),
    { nil: undefined, freq: 5 },
  );
  const posts = fc.uniqueArray(fc.record({ id: fc.stringMatching(/^[a-d1-4]{1,3}$/), slug }), {
    selector: ({ id }) => id,
    minLength: 1,
    maxLength: 9,
  });

  /** Of each entry: the ids of its experiences, as published and with all that is hidden. */
  function pagesOf({ items }: Read) {
    const draft = folderDraft(readRecords(items));
    const rendering = new Rendering(draft, { view: { at: 0, showsHidden: true } });
    expect(checkDraft(rendering).filter(({ code }) => code === "collected-left-out")).toEqual([]);
    const [project] = rendering.projects;
    const shown = new Map(project?.steps.map((step) => [step.id, step.layoutContentId]));
    const pages = project?.experiences.map(
      ({ id, stepIds }) => `${stepIds.map((one) => shown.get(one))} ${id}`,
    );
    return pages?.sort();
  }

  it("Q23, Q26: whatever the addresses are, the pages are those of an import without it", () => {
    fc.assert(
      fc.property(posts, posts, (first, later) => {
        const of = (all: typeof first) => ({
          contentTypes: [type("post", { slug: "Symbol" })],
          entries: all.map((one) =>
            entry(one.id, "post", one.slug === undefined ? {} : { slug: one.slug }),
          ),
        });
        const [written, made] = [read(of(first)), read(of(first), { collections: true })];
        expect(pagesOf(made)).toEqual(pagesOf(written));
        const before = importedBefore(folderDraft(readRecords(made.items)));
        const again = read(of([...first, ...later]), { before: () => before });
        expect(pagesOf(again)).toEqual(expect.arrayContaining(pagesOf(made) ?? []));
      }),
      { numRuns: randomRuns(300) },
    );
  });
});
