import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  component,
  exportFiles,
  fieldOf,
  type Loose,
  read,
  readFiles,
  story,
} from "../support/storyblok/stories.ts";
import { temporaryFolder } from "../support/test-bed.ts";

const PICTURE = "https://a.storyblok.com/f/1/600x400/0a1b/loaf.jpg";
const asset = (more: Loose = {}) => ({ fieldtype: "asset", filename: PICTURE, ...more });
const link = (more: Loose) => ({ fieldtype: "multilink", linktype: "story", ...more });

describe("X17: which stories are imported", () => {
  const stories = [
    story("a"),
    story("b", {}, { published: false }),
    story("c", {}, { unpublished_changes: true }),
    { uuid: "f", name: "blog", is_folder: true },
  ];

  it("all with a component; one that is not published is a draft", () => {
    const { entries, report } = read(stories);
    expect(entries.map(({ id, draft }) => `${id} ${draft}`)).toEqual([
      "a undefined",
      "b true",
      "c undefined",
    ]);
    expect(report.unpublishedEdits, "X21").toEqual([{ kind: "entry", id: "c" }]);
    expect(report.warnings).toEqual([]);
  });

  const saved = { updated_at: "2026-11-01T00:00:00.000Z" };
  const unpublished = { published: false, ...saved };
  const [past, ahead, after] = ["2026-10-01 09:00", "2099-01-01T00:00:00.000Z", "2099-01-02"];
  const draft = true;
  const held: readonly (readonly [string, Loose, Loose, string])[] = [
    ["its time is ahead", { ...unpublished, publish_at: ahead }, { publishAt: ahead }, ""],
    ["as newer exports say", { ...unpublished, scheduled_dates: ahead }, { publishAt: ahead }, ""],
    [
      "it was unpublished since",
      { ...unpublished, publish_at: past },
      { draft, publishAt: "2026-10-01T09:00:00Z" },
      "",
    ],
    [
      "nothing says when it was saved",
      { published: false, publish_at: ahead },
      { draft, publishAt: ahead },
      "",
    ],
    [
      "it was published since, and taken off",
      { ...unpublished, publish_at: ahead, first_published_at: ahead },
      { draft, publishAt: ahead },
      "",
    ],
    ["what says neither", { published: "no" }, { draft }, ""],
    ["its end", { expire_at: after }, { unpublishAt: "2099-01-02T00:00:00Z" }, ""],
    ["empty", { publish_at: "", expire_at: null }, {}, ""],
    ["a draft of the delivery API", { published: undefined, published_at: null }, { draft }, ""],
    [
      "edits of what is published",
      { ...saved, publish_at: ahead },
      {},
      "times at which edits of published stories are published",
    ],
    [
      "an end before",
      { ...unpublished, publish_at: after, expire_at: ahead },
      { draft },
      "1 record has an end that is not after its beginning, and which makes it a draft: a",
    ],
    [
      "a time that is none",
      { expire_at: "soon" },
      { draft },
      "1 record has a time of its publishing that cannot be understood, and which makes it a draft: a",
    ],
  ];
  it.each(held)("X26c: when it is published and until when: %s", (_, more, expected, told) => {
    const stories = [story("a", {}, more), story("b")];
    const { entries, report } = read(stories);
    const { draft, publishAt, unpublishAt } = entries[0] ?? {};
    expect({ draft, publishAt, unpublishAt }).toEqual(expected);
    expect([...report.warnings, ...Object.keys(report.leftOut)]).toEqual(told === "" ? [] : [told]);
    expect(read(stories, [], { drafts: true }).entries[0]?.draft).toBeUndefined();
  });

  it("X26h, X21: what is deleted is left out; the state in a release was never published", () => {
    const { entries, report } = read([
      story("a", {}, { release_id: 7 }),
      story("b", {}, { deleted_at: "2026-11-01 09:00" }),
    ]);
    expect(entries.map(({ id }) => id)).toEqual(["a"]);
    expect(report.unpublishedEdits).toEqual([{ kind: "entry", id: "a" }]);
    expect(report.leftOut).toEqual({ "deleted stories": 1 });
  });

  it("X26f: other members of stories are counted by their names, where they say something", () => {
    const empty = { alternates: [], meta_data: null, position: 0, lang: "default", path: "" };
    const said = { alternates: [{ id: 1 }], position: -10, pinned: true, lang: "de", id: 1 };
    const file = { stories: [story("a", {}, empty), story("b", {}, said)], links: [{}, {}], cv: 7 };
    expect(readFiles(exportFiles(file)).report.leftOut).toEqual({
      "alternates of stories": 1,
      "position of stories": 1,
      "pinned of stories": 1,
      "lang of stories": 1,
      'records of "links"': 2,
    });
  });

  it("X9: every other record is counted once, and is in the report with its reason", () => {
    const others = [
      { uuid: "f", is_folder: true },
      { uuid: "empty", content: {} },
      { id: 7, slug: "bare" },
      {},
      story("a", { late: true }),
    ];
    const group = { name: "Layout", uuid: "g", parent_id: 0 };
    const files = exportFiles({ stories: [story("a"), ...others] }, [group]);
    const { report, fates, entries } = readFiles(files);
    expect(report.leftOut).toEqual({
      folders: 1,
      "stories without content": 3,
      "records that are no stories": 1,
    });
    expect(entries.map(({ data }) => data.late)).toEqual([true]);
    expect(
      fates.filter(({ kind }) => kind === "entry").map(({ id, lost }) => [id, ...lost]),
    ).toEqual([
      ["a"],
      ["a", "a later one has its uuid"],
      ["f", "folders"],
      ["empty", "stories without content"],
      ["7", "stories without content"],
      ["stories[4]", "stories without content"],
      ["g", "records that are no stories"],
    ]);
  });

  it.each([null, 7, "x", [story("b")]])(
    "what is no object is refused, with its place: %j",
    (one) => {
      const lines = [
        "{",
        '"stories": [',
        `${JSON.stringify(story("a"))},`,
        `  ${JSON.stringify(one)}`,
      ];
      expect(() => readFiles(exportFiles(`${lines.join("\n")}]}`))).toThrow(
        /0\.json:4:3: not a Storyblok export: stories\[1\] is not an object/,
      );
      expect(() => readFiles(exportFiles([story("a"), one]))).toThrow(
        /0\.json:1:\d+: not a Storyblok export: \[1\] is not an object/,
      );
    },
  );

  it("its name, address, tags and date are fields, beside those of the component", () => {
    const more = { tag_list: ["x"], first_published_at: "2026-11-21T09:30:00Z", full_slug: "b/a" };
    const { models, entries } = read([story("a", { name: "own" }, more)]);
    expect(entries[0]?.data).toEqual({
      story_name: "a",
      slug: "b/a",
      tags: ["x"],
      name: "own",
      first_published_at: "2026-11-21T09:30:00Z",
    });
    expect(models[0]?.fields.map(({ key, type }) => `${key} ${type}`)).toEqual([
      "story_name text",
      "slug text",
      "first_published_at date-time",
      "tags text",
      "name text",
    ]);
  });
});

describe("X17: what becomes of a field, by its component", () => {
  const choices = {
    options: [
      { name: "A", value: "a" },
      { name: "None", value: "" },
    ],
  };
  const tree = { type: "doc", content: [{ type: "paragraph" }] };
  const fields: readonly (readonly [string, Loose, unknown, Loose, unknown])[] = [
    [
      "text",
      { type: "text", max_length: "9", regex: "^a" },
      "a",
      { maxLength: 9, pattern: "^a" },
      "a",
    ],
    [
      "markdown",
      { type: "markdown", display_name: "Text" },
      "# a",
      { name: "Text", format: "markdown" },
      "# a",
    ],
    [
      "number",
      { type: "number", required: true, min_value: 0, max_value: "9" },
      "1.5",
      { type: "number", required: true, minimum: 0, maximum: 9 },
      1.5,
    ],
    ["boolean", { type: "boolean" }, false, { type: "boolean" }, false],
    [
      "datetime",
      { type: "datetime" },
      "2026-11-21 09:30",
      { type: "iso-date" },
      "2026-11-21 09:30",
    ],
    ["option", { type: "option", ...choices }, "a", { type: "select", options: ["a"] }, "a"],
    [
      "options",
      { type: "options", ...choices, max_options: "2" },
      ["a"],
      { type: "select", options: ["a"], repeatable: true, maxItems: 2 },
      ["a"],
    ],
    [
      "options that name stories",
      { type: "options", source: "internal_stories" },
      ["s0"],
      { type: "reference", repeatable: true },
      [{ contentEntryId: "s0" }],
    ],
    ["richtext", { type: "richtext" }, tree, { type: "rich-text" }, tree],
    [
      "asset",
      { type: "asset" },
      asset({ alt: "" }),
      { type: "asset" },
      { assetId: expect.any(String) },
    ],
    [
      "image",
      { type: "image" },
      PICTURE.slice(6),
      { type: "asset" },
      { assetId: expect.any(String) },
    ],
    [
      "table",
      { type: "table" },
      { fieldtype: "table", tbody: [] },
      { type: "json" },
      expect.anything(),
    ],
  ];
  it.each(fields)("%s", (_, field, value, definition, stored) => {
    const found = fieldOf(field, value);
    expect(found.definition).toEqual({ type: "text", ...definition });
    expect(found.stored).toEqual([stored]);
  });

  it("bloks are blocks; the components that a field accepts share a category", () => {
    const schema = (names: string[]) => ({
      type: "bloks",
      restrict_components: true,
      component_whitelist: names,
      maximum: "3",
    });
    const { models, blocks, entries } = read(
      [
        story("a", {
          body: [{ _uid: "x", component: "hero", card: [{ component: "card", n: 1 }] }],
        }),
      ],
      [
        component("page", { body: schema(["hero", "row"]) }, { is_nestable: false }),
        component("hero", { card: schema(["card"]) }, { is_root: false }),
        component("row", {}, { is_root: false }),
        component("card", {}, { is_root: false }),
      ],
    );
    expect(models.map(({ key }) => key)).toEqual(["page"]);
    expect(models[0]?.fields.find(({ key }) => key === "body")).toEqual({
      key: "body",
      type: "content-block",
      category: "page.body",
      repeatable: true,
      maxItems: 3,
    });
    expect(blocks.map(({ key, category }) => `${key} ${category}`)).toEqual([
      "hero page.body",
      "row page.body",
      "card card",
    ]);
    expect(entries[0]?.data.body).toEqual([
      {
        contentBlockId: "hero",
        data: { card: [{ contentBlockId: "card", data: { n: 1 } }] },
      },
    ]);
  });

  it("components of a group are accepted by their group", () => {
    const field = {
      type: "bloks",
      restrict_components: true,
      restrict_type: "groups",
      component_group_whitelist: ["g"],
    };
    const { blocks } = read(
      [story("a")],
      [
        component("page", { body: field }, { is_nestable: false }),
        component("in", {}, { is_root: false, component_group_uuid: "g" }),
        component("out", {}, { is_root: false }),
      ],
    );
    expect(blocks.map(({ key, category }) => `${key} ${category}`)).toEqual(["in in", "out out"]);
  });

  it("a link is a block whose story is a reference; one without a target is no value", () => {
    const to = link({ id: "s0", cached_url: "s0", url: "", target: "_blank" });
    const { stored } = fieldOf({ type: "multilink" }, to, link({ id: "", url: "" }), {
      fieldtype: "multilink",
      linktype: "url",
      url: "https://example.com",
      id: "",
    });
    expect(stored).toEqual([
      {
        contentBlockId: "multilink",
        data: {
          story: { contentEntryId: "s0" },
          linktype: "story",
          cached_url: "s0",
          target: "_blank",
        },
      },
      undefined,
      { contentBlockId: "multilink", data: { linktype: "url", url: "https://example.com" } },
    ]);
  });

  it("X26e: a link without an id finds its story by its address, in a field and in rich text", () => {
    const slugs = ["about/team", "about/", "twice", "twice/", "same", "same", "de/own", "own"];
    const targets = slugs.map((full_slug, at) => story(`t${at}`, {}, { full_slug, id: at }));
    const de = { lang: "de", name: "Team", path: "ueber/team" };
    const translated = story("t8", {}, { full_slug: "x", path: "/", localized_paths: [de] });
    const targetOf = (address: string) => {
      const mark = { type: "link", attrs: { linktype: "story", uuid: null, href: address } };
      const content = {
        to: link({ id: "", cached_url: address }),
        text: { type: "doc", content: [{ type: "text", text: "x", marks: [mark] }] },
      };
      const { entries, report } = read([story("a", content), ...targets, translated]);
      const data: Loose = entries[0]?.data ?? {};
      const found = [data.to.data, data.text.content[0].marks[0].attrs].map((one) =>
        one.story === undefined ? Object.values(report.leftOut)[0] : one.story.contentEntryId,
      );
      expect(found[0]).toBe(found[1]);
      return [found[0], ...Object.keys(report.leftOut).filter((one) => /address/.test(one))];
    };
    const addresses = {
      "about/team": ["t0"],
      "/about/team/?a#b": ["t0"],
      about: ["t1"],
      "twice/": ["t3"],
      "de/about/team": ["t0"],
      "de/own": ["t6"],
      "fr/about/team": [2, "targets of links to stories by an address that none has"],
      "ueber/team": ["t8"],
      "de/ueber/team": ["t8"],
      "/": ["t8"],
      same: [2, "targets of links to stories by an address that several have"],
    };
    for (const [address, expected] of Object.entries(addresses)) {
      expect(targetOf(address), address).toEqual(expected);
    }
  });

  it("X26e: an option may name a story by its number", () => {
    const field = { type: "option", source: "internal_stories" };
    const stories = [story("a", { field: "42" }), story("b", {}, { id: 42 })];
    const { entries } = read(stories, [component("page", { field })]);
    expect(entries[0]?.data.field).toEqual({ contentEntryId: "b" });
  });

  it("an asset with texts is a block; the address says the size of an image", () => {
    const { stored, assets, fates } = fieldOf(
      { type: "asset" },
      asset({ alt: "A loaf", focus: "" }),
    );
    const id = assets[0]?.id;
    expect(fates.at(-1), "X9").toEqual({ kind: "asset", id: PICTURE, became: { id }, lost: [] });
    expect(stored).toEqual([
      { contentBlockId: "asset", data: { asset: { assetId: id }, alt: "A loaf" } },
    ]);
    expect(assets).toMatchObject([
      { url: PICTURE, fileName: "loaf.jpg", mimeType: "image/jpeg", width: 600, height: 400 },
    ]);
  });

  it("rich text keeps all members, with pointers beside uuids and addresses of files", () => {
    const mark = { type: "link", attrs: { linktype: "story", uuid: "s0", href: "/s0" } };
    const image = { type: "image", attrs: { src: PICTURE } };
    const { stored, assets } = fieldOf(
      { type: "richtext" },
      { type: "doc", content: [{ type: "text", text: "x", marks: [mark] }, image] },
    );
    const marked = { ...mark.attrs, story: { contentEntryId: "s0" } };
    const attrs = { ...image.attrs, asset: { assetId: assets[0]?.id } };
    expect(stored).toEqual([
      {
        type: "doc",
        content: [
          { type: "text", text: "x", marks: [{ type: "link", attrs: marked }] },
          { type: "image", attrs },
        ],
      },
    ]);
  });

  it("X15: a value that contradicts it is a problem", () => {
    const stories = [story("a", { body: [{ component: "b", n: 1 }] }), story("b", { body: "old" })];
    const components = [component("page", { body: { type: "bloks" } })];
    const { models, entries } = read(stories, components);
    expect(models[0]?.fields.find(({ key }) => key === "body")?.type).toBe("content-block");
    expect(entries[1]?.data.body).toBe("old");
  });
});

describe("X18: translations of fields", () => {
  const content = {
    title: "Hi",
    title__i18n__de: "Hallo",
    title__i18n__pt_br: "Oi",
    b: "x",
    b__i18n__de: "",
  };

  it("X3f: fields have values in all languages, and each language has a project", () => {
    const { entries, models, projects, report } = read(
      [story("a", content), story("b", { title: "Bye" })],
      [component("page", { t: { type: "text", translatable: true } })],
      { workspaceId: "w" },
    );
    expect(entries.map(({ data }) => data)).toMatchObject([
      { title: { default: "Hi", de: "Hallo", "pt-br": "Oi" }, b: "x" },
      { title: { default: "Bye" } },
    ]);
    const isLocalized = models[0]?.fields.flatMap(({ key, localized }) => (localized ? key : []));
    expect(isLocalized).toEqual(["t", "title"]);
    expect(
      projects.map(({ id, locale, fallbackLocales }) => [id, locale, fallbackLocales]),
    ).toEqual([
      ["w", "default", undefined],
      ["w-de", "de", ["default"]],
      ["w-pt-br", "pt-br", ["default"]],
    ]);
    expect(report).toMatchObject({ locale: "default", leftOut: {} });
  });

  it("X3f: blocks in a field, and lists of blocks of a language", () => {
    const row = (text: string, de: string) => ({ component: "row", text, text__i18n__de: de });
    const stories = [
      story("a", { body: [row("Hi", "Hallo")], side: [], side__i18n__de: [row("x", "")] }),
    ];
    expect(read(stories).entries[0]?.data).toMatchObject({
      body: [{ data: { text: { default: "Hi", de: "Hallo" } } }],
      side: { default: [], de: [{ data: { text: { default: "x" } } }] },
    });
  });

  it("translated names and addresses; the experience keeps that of the main language", () => {
    const translated_slugs = [{ lang: "de", name: "Über uns", path: "ueber-uns" }];
    const localized_paths = [{ lang: "de", name: "Über uns", path: "firma/ueber-uns" }];
    const about = story("a", {}, { full_slug: "中国語", translated_slugs, localized_paths });
    const { entries, projects } = read([about]);
    expect(entries[0]?.data).toMatchObject({
      name: { default: "a", de: "Über uns" },
      slug: { default: "中国語", de: "firma/ueber-uns" },
    });
    const ids = projects.map(({ experiences }) =>
      experiences.map(({ id, name }) => `${id} ${name}`),
    );
    expect(ids).toEqual([["ZhongGuoYu-x7f5090d4 a"], ["ZhongGuoYu-x7f5090d4 a"]]);
  });

  it("X26g: where a translation is not published, its story is a draft in that locale", () => {
    const path = (lang: string, published: unknown) => ({
      lang,
      name: lang,
      path: lang,
      published,
    });
    const localized_paths = [path("de", false), path("fr", null), path("it", true)];
    const stories = [
      story("a", {}, { localized_paths, translated_slugs: [{ lang: "es", published: false }] }),
    ];
    const draftIn = (options = {}) => read(stories, [], options).entries[0]?.draft;
    expect(draftIn()).toEqual({ de: true });
    expect(draftIn({ drafts: true })).toBeUndefined();
    expect(["de", "fr"].map((locale) => draftIn({ locale }))).toEqual([true, undefined]);
  });

  it("X3c: with --locale its values, where there are any", () => {
    const one = read([story("a", content)], [], { locale: "de" });
    expect(one.entries[0]?.data).toMatchObject({ title: "Hallo", b: "x" });
    expect(one.projects.map(({ locale }) => locale)).toEqual([undefined]);
    expect(one.items[0]).toMatchObject({ record: { import: { locale: "de" } } });
    const { entries, report } = read([story("a", content)], [], { locale: "pt-br" });
    expect(entries[0]?.data.title).toBe("Oi");
    expect(report).toMatchObject({
      locale: "pt-br",
      leftOut: { "values in the locale de: page.title": 1 },
    });
    expect(() => read([story("a", content)], [], { locale: "fr" })).toThrow('no locale "fr"');
  });
});

describe("storyblok: files", () => {
  it("lists, single stories and folders of them are one import", () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "stories"));
    const files = {
      "components.json": [component("page", { n: { type: "number" } })],
      "stories/a.json": story("a", { n: "1" }),
      "stories/b.json": { story: story("b", { n: "2" }) },
      "stories/row.json": component("row", {}, { is_root: false }),
    };
    for (const [name, value] of Object.entries(files)) {
      writeFileSync(join(folder, name), JSON.stringify(value));
    }
    const { entries, blocks } = readFiles([folder]);
    expect(entries.map(({ id, data }) => `${id} ${data.n}`)).toEqual(["a 1", "b 2"]);
    expect(blocks.map(({ key }) => key)).toContain("row");
  });

  it("what is no export is refused, with its place", () => {
    const refused =
      (...files: readonly unknown[]) =>
      () =>
        readFiles(exportFiles(...files));
    expect(refused('{"stories":[{"uuid":')).toThrow(/0\.json:1:\d+: broken JSON/);
    expect(refused({ components: [{ name: "page" }] })).toThrow("has no name or no schema");
    expect(refused({ stories: [{ content: { component: "page" } }] })).toThrow(
      /0\.json:1:13: not a Storyblok export: the story stories\[0\] has no uuid/,
    );
    expect(refused([story("")])).toThrow("the story [0] has no uuid");
    expect(refused({})).toThrow("the export has no story to import");
    expect(() => readFiles(["gone.json"])).toThrow("there is no file");
    expect(() => readFiles([temporaryFolder()])).toThrow("has no JSON files");
  });
});
