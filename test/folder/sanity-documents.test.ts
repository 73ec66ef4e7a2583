import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sanity } from "../../src/folder/sanity.ts";
import { NO_OPTIONS } from "../support/read-export.ts";
import {
  datasetFolder,
  fieldOf,
  image,
  readDataset,
  ref,
  SVG,
  textBlock,
} from "../support/sanity/dataset.ts";

const page = (id: string, more = {}) => ({ _id: id, _type: "page", title: id, ...more });

describe("X12: which documents of a dataset are imported", () => {
  const documents = [
    page("live"),
    page("edited"),
    page("drafts.edited", { title: "new" }),
    page("drafts.new"),
    page("versions.r1.live"),
    { _id: "drafts.secret", _type: "sanity.previewUrlSecret", secret: "s3cret" },
    { _id: "_.groups.public", _type: "system.group" },
    { _id: "_.x", _type: "page" },
  ];

  it("published ones, and as drafts those that never were; other drafts are counted", () => {
    const { entries, report } = readDataset(datasetFolder(documents));
    expect(entries.map(({ id, data, draft }) => `${id}: ${data.title} ${draft}`)).toEqual([
      "live: live undefined",
      "edited: edited undefined",
      "new: drafts.new true",
    ]);
    expect(report.leftOut).toEqual({
      "documents of releases": 1,
      "documents of the system (sanity.previewUrlSecret)": 1,
      "documents of the system (system.group)": 1,
      "documents of the system": 1,
      "drafts of published documents": 1,
    });
  });

  it("with --drafts the draft of a document in its place, under its own id", () => {
    const { entries, report } = readDataset(datasetFolder(documents), { drafts: true });
    expect(entries.some(({ draft }) => draft)).toBe(false);
    expect(entries.map(({ id, data }) => `${id}: ${data.title}`)).toEqual([
      "live: live",
      "edited: new",
      "new: drafts.new",
    ]);
    expect(report.leftOut).toMatchObject({ "published documents that have a draft": 1 });
  });

  it("X12a: one without an id gets one that is made of what it says, wherever it stands", () => {
    const texts = ["a", "b"].map((title) => ({ _type: "mux.video", title }));
    const read = (given: readonly object[]) => readDataset(datasetFolder(given));
    const idsOf = (given: readonly object[]) =>
      read(given).entries.map(({ id, data }) => `${data.title} ${id}`);
    const ids = idsOf(texts);
    expect(ids).toEqual([
      expect.stringMatching(/^a mux\.video-[0-9a-f]{16}$/),
      expect.stringMatching(/^b mux\.video-/),
    ]);
    expect(idsOf([page("live"), ...texts.toReversed()])).toEqual([
      "live live",
      ...ids.toReversed(),
    ]);
    const { entries, report } = read([...texts, texts[1] ?? {}, texts[0] ?? {}]);
    expect(entries).toHaveLength(2);
    expect(report.warnings).toContainEqual(
      expect.stringMatching(/^2 documents have no _id and the same .*data\.ndjson:3:1, .*:4:1$/),
    );
  });

  const secrets = [
    { _id: "secrets.mux", _type: "mux.apiKey", token: "T1" },
    { _id: "user.x", _type: "user", photo: image("x.svg"), bin: image("both.svg") },
    { _id: "drafts.user.y", _type: "user", slug: { current: "y" } },
    { _id: "drafts.user.x", _type: "user", name: "X" },
    page("home", { keys: ref("secrets.mux"), text: [textBlock("a", { to: ref("user.x") })] }),
    page("both", { photo: image("both.svg"), owner: ref("user.x") }),
    page("drafts.both", { photo: image("new.svg") }),
  ];
  const files = Object.fromEntries(
    ["x", "both", "new", "alone"].map((name) => [`images/${name}.svg`, SVG]),
  );

  it("X26, X26a, X26b: private ones, their drafts and what they alone show are left out, and told", () => {
    const { entries, models, project, assets, report } = readDataset(
      datasetFolder(secrets, files),
      { drafts: true },
    );
    expect(entries.map(({ id }) => id)).toEqual(["home", "both"]);
    expect(models.map(({ key }) => key)).toEqual(["page"]);
    expect(project.experiences.map(({ id }) => id)).toEqual(["both", "home"]);
    expect(assets.map(({ fileName }) => fileName)).toEqual(["new.svg", "alone.svg"]);
    expect(entries[0]?.data.keys).toEqual({ contentEntryId: "secrets.mux" });
    expect(report.warnings).toEqual([
      "documents with a dot in their _id are left out, as Sanity shows them to nobody without a token (--private imports them): mux.apiKey (1), user (3)",
      "2 private documents are left out, and named by references, which lead nowhere: secrets.mux, user.x",
    ]);
    expect(report.leftOut).toEqual({
      "private documents (mux.apiKey)": 1,
      "private documents (user)": 3,
      "published documents that have a draft": 1,
      "assets that only documents show that are left out": 2,
    });
  });

  it("X26: with --private they are as others, but for those of the system and of releases", () => {
    const { entries, assets, report } = readDataset(
      datasetFolder([...secrets, ...documents, page("drafts._.y")], files),
      { private: true },
    );
    expect(
      entries.filter(({ id }) => id.includes(".")).map(({ id, draft }) => [id, draft]),
    ).toEqual([
      ["secrets.mux", undefined],
      ["user.x", undefined],
      ["user.y", true],
    ]);
    expect(assets.map(({ fileName }) => fileName)).toEqual(["x.svg", "both.svg", "alone.svg"]);
    expect(report.warnings[0]).toMatch(
      /^documents with a dot .* makes them public: mux\.apiKey \(1\)/,
    );
    expect(report.leftOut).toMatchObject({ "documents of the system": 2 });
  });

  /** As queries give documents in place of references: `author->{_id, name}`. */
  const resolved = [
    page("home", {
      author: { _id: "user.x", _type: "user", name: "SECRET", photo: image("x.svg") },
      editor: { _id: "ada", _type: "person", boss: { _id: "user.b", name: "SECRET" } },
      team: [
        { _id: "drafts.eve", _type: "person", name: "SECRET" },
        { _id: "bob", _originalId: "drafts.bob", name: "SECRET" },
        { _id: "ada", _type: "person", name: "Ada" },
        { _id: "versions.r1.ada", _type: "person", name: "SECRET" },
        { _id: "p", _type: "sanity.previewUrlSecret", name: "SECRET" },
      ],
      text: [
        textBlock("a", {
          markDefs: [{ _key: "m", _type: "link", to: { _id: "secrets.mux", key: "SECRET" } }],
        }),
        { _key: "k", _type: "embed", of: [{ _id: "user.y", _type: "user", name: "SECRET" }] },
        { _key: "r", ...ref("user.z") },
      ],
    }),
    { _id: "user.z", _type: "user", name: "SECRET" },
  ];

  it("X26i: documents that a query put into others are left out as they are outside of these", () => {
    const { entries, assets, report } = readDataset(datasetFolder(resolved, files));
    expect(JSON.stringify(entries)).not.toContain("SECRET");
    expect(JSON.stringify(entries)).toContain("Ada");
    expect(assets.map(({ fileName }) => fileName)).toEqual(["alone.svg", "both.svg", "new.svg"]);
    expect(report.leftOut).toMatchObject({
      "documents of releases": 1,
      "documents of the system (sanity.previewUrlSecret)": 1,
      "drafts in other documents": 2,
      "private documents (document)": 2,
      "private documents (user)": 3,
    });
    expect(report.warnings).toEqual([
      "2 drafts are left out, which a query put into other documents (--drafts imports them): drafts.eve, drafts.bob",
      "documents with a dot in their _id are left out, as Sanity shows them to nobody without a token (--private imports them): user (3), document (2)",
      "1 private document is left out, and named by references, which lead nowhere: user.z",
    ]);
  });

  it.each([
    [{ private: true }, 5],
    [{ drafts: true }, 2],
    [{ private: true, drafts: true }, 7],
  ])("X26i: %j takes them, but none of the system and of releases", (options, count) => {
    const { entries } = readDataset(datasetFolder(resolved, files), options);
    expect(JSON.stringify(entries).split("SECRET").length - 1).toBe(count);
  });

  it("X1d: a slug in an object of a document is its address, also one without a type", () => {
    const slug = (current: string) => ({ _type: "slug", current });
    const { project } = readDataset(
      datasetFolder([
        page("a", { metadata: { slug: slug("about/us") } }),
        page("b", { metadata: { slug: slug("/") } }),
        { _id: "c", _type: "post", slug: { current: "über-uns" } },
      ]),
    );
    const ids = project.experiences.map(({ id }) => id);
    expect(ids).toEqual(["about--us", "index", "uber-uns-xf1d886fe"]);
  });

  it("X9a: the report has each once, by its id in the export, with the one here", () => {
    const { fates } = readDataset(datasetFolder(documents));
    const ofEntries = fates.filter(({ kind }) => kind === "entry");
    expect(ofEntries.map(({ id, became, lost }) => `${id} ${became?.id} ${lost}`)).toEqual([
      "live live ",
      "edited edited ",
      "drafts.new new ",
      "drafts.edited undefined another state of it is imported",
      "versions.r1.live undefined documents of releases",
      "drafts.secret undefined documents of the system (sanity.previewUrlSecret)",
      "_.groups.public undefined documents of the system (system.group)",
      "_.x undefined documents of the system",
    ]);
  });
});

describe("X13: what becomes of a document's values", () => {
  it("a reference to another dataset is json, and counted", () => {
    const foreign = { _type: "crossDatasetReference", _ref: "a", _dataset: "b" };
    const { stored, definition, report } = fieldOf(foreign);
    expect([definition, stored]).toEqual([{ type: "json" }, [foreign]]);
    expect(report.leftOut).toEqual({
      "page.field: references to other datasets, kept as json": 1,
    });
  });

  const item = (more: object, value: unknown = "Hallo") => ({
    _type: "internationalizedArrayStringValue",
    ...more,
    value,
  });
  const both = { en: "Hello", de: "Hallo" };

  it.each<[string, unknown, unknown, object]>([
    ["an object of a locale type", { _type: "localeString", ...both }, both, { type: "text" }],
    [
      "a list of the plugin, up to its version 4",
      [item({ _key: "en" }, "Hello"), item({ _key: "de" })],
      both,
      { type: "text" },
    ],
    [
      "a list of the plugin, from version 5 on",
      [item({ _key: "k1", language: "en" }, "Hello"), item({ _key: "k2", language: "de" })],
      both,
      { type: "text" },
    ],
    [
      "Portable Text",
      { _type: "localeBlock", en: [textBlock("Hello")], de: [textBlock("Hallo")], fr: null },
      { en: [textBlock("Hello")], de: [textBlock("Hallo")] },
      { type: "rich-text" },
    ],
    [
      "a list of values in locales",
      [
        { _type: "localeString", ...both },
        { _type: "localeString", en: "Bye" },
      ],
      { en: ["Hello", "Bye"], de: ["Hallo"] },
      { type: "text", repeatable: true },
    ],
    [
      "references",
      { _type: "localeReference", en: ref("p0"), de: ref("p1") },
      { en: { contentEntryId: "p0" }, de: { contentEntryId: "p1" } },
      { type: "reference" },
    ],
  ])("X13a, X3f: %s is a localized value", (_what, value, stored, definition) => {
    const inEnglish = { _type: "localeString", en: "Hello" };
    const documents = [value, inEnglish].map((one, at) => ({
      _id: `p${at}`,
      _type: at === 0 ? "page" : "other",
      field: one,
    }));
    const read = readDataset(datasetFolder(documents), { workspaceId: "w" });
    expect(read.entries[0]?.data.field).toEqual(stored);
    expect(read.models[0]?.fields).toEqual([{ key: "field", ...definition, localized: true }]);
    expect(
      read.projects.map(({ id, locale, fallbackLocales = [] }) => [id, locale, ...fallbackLocales]),
    ).toEqual([
      ["w", "en"],
      ["w-de", "de", "en"],
    ]);
  });

  it("X3f: a value without a locale is in the main one; with one locale nothing is localized", () => {
    const { stored, blocks } = fieldOf({ _type: "localeString", ...both }, "Plain");
    expect(stored).toEqual(
      [both, { en: "Plain" }].map((one) => (one === both ? both : { de: "Plain" })),
    );
    expect(blocks).toEqual([]);
    expect(fieldOf({ _type: "localeString", de: "Hallo" }).stored).toEqual(["Hallo"]);
  });

  it("X3c: with --locale its values, else those of the main one", () => {
    const documents = [page("a", { title: { _type: "localeString", ...both }, b: both.en })];
    const more = page("b", { title: { _type: "localeString", en: "Only" } });
    const dataset = datasetFolder([...documents, more]);
    const { entries, report } = readDataset(dataset, { locale: "de" });
    expect(entries.map(({ data }) => data.title)).toEqual(["Hallo", "Only"]);
    expect(report).toMatchObject({ locale: "de", leftOut: {} });
    expect(() => readDataset(dataset, { locale: "fr" })).toThrow('no locale "fr"');
  });

  it.each([
    ["another type", { _type: "price", en: 1, de: 2 }],
    ["a member that is no locale", { _type: "localeNote", de: "x", remarks: "y" }],
    ["a place on earth", { _type: "location", lat: 1, lng: 2 }],
  ])("X13a: an object with %s is a block", (_what, value) => {
    expect(fieldOf(value).definition).toEqual({ type: "content-block" });
  });

  it("null and an image without a file are no values", () => {
    expect(fieldOf(null, { _type: "image" }, "x").stored).toEqual([undefined, undefined, "x"]);
  });
});

describe("X14: assets", () => {
  const hash = "b68f1022d72b3677871be970b8b50ce6fbc4a7d9";
  const file = `${hash}-3x2.svg`;

  it("have Sanity's ids, the bytes of their files and the names that they were given", () => {
    const assets = {
      [`image-${hash}`]: { originalFilename: "Team.svg", altText: "us", title: "T" },
    };
    const folder = datasetFolder([page("a", { photo: image(file) })], {
      [`images/${file}`]: SVG,
      "files/notes.txt": "x",
      "assets.json": JSON.stringify(assets),
    });
    const { assets: read, entries, items, report, fates } = readDataset(folder);
    const ofAssets = fates.filter(({ kind }) => kind === "asset");
    expect(
      ofAssets.map((fate) => fate.id),
      "X9",
    ).toEqual([`images/${file}`, "files/notes.txt"]);
    const id = `image-${hash}-3x2-svg`;
    expect(entries[0]?.data.photo).toEqual({ assetId: id });
    expect(read).toMatchObject([
      {
        id,
        fileName: "Team.svg",
        title: "T",
        mimeType: "image/svg+xml",
        sizeBytes: SVG.length,
        width: 3,
      },
      { id: "file-notes-txt", fileName: "notes.txt", mimeType: "text/plain", sizeBytes: 1 },
    ]);
    expect(items.filter(({ kind }) => kind === "file")).toHaveLength(2);
    expect(report.leftOut).toEqual({ "altText of assets": 1 });
    expect(items[0]?.kind === "workspace" && items[0].record.assetTexts, "V4c").toBe(true);
  });

  it("without a file have the address that the export states", () => {
    const url = `https://cdn.sanity.io/images/p/d/${file}`;
    const elsewhere = "https://images.example/a%20b.png?x=1";
    const dimensions = { width: 3, height: 2 };
    const documents = [
      page("a", { photo: { _type: "image", asset: ref(`image-${hash}-3x2-svg`) } }),
      page("b", { photo: { _type: "image", _sanityAsset: `image@${elsewhere}` } }),
      {
        _id: `image-${hash}-3x2-svg`,
        _type: "sanity.imageAsset",
        url,
        size: 7,
        originalFilename: "a.svg",
        mimeType: "image/svg+xml",
        metadata: { dimensions },
      },
    ];
    const { assets, entries } = readDataset(datasetFolder(documents));
    const known = new Set(assets.map(({ id }) => id));
    expect(assets.map(({ id: _, ...rest }) => rest)).toEqual([
      { fileName: "a.svg", mimeType: "image/svg+xml", sizeBytes: 7, ...dimensions, url },
      {
        fileName: "a b.png",
        mimeType: "image/png",
        sizeBytes: null,
        width: null,
        height: null,
        url: elsewhere,
      },
    ]);
    for (const { data } of entries) {
      expect(known).toContain((data.photo as { assetId: string }).assetId);
    }
  });

  it("whose file is not in the export, or is no file of its images and files, are counted", () => {
    const outside = { _type: "image", _sanityAsset: "image@file://./images/../../secret.png" };
    const folder = datasetFolder([page("a", { x: image("gone.png"), y: outside })], {
      "secret.png": "x",
    });
    writeFileSync(join(folder, "..", "secret.png"), "x");
    const { assets, report, fates } = readDataset(folder);
    expect(assets).toEqual([]);
    expect(fates.filter(({ kind }) => kind === "asset")).toEqual([
      { kind: "asset", id: "images/gone.png", lost: ["whose file is not in the export"] },
      { kind: "asset", id: outside._sanityAsset, lost: ["without a file and a url"] },
    ]);
    expect(report.leftOut).toEqual({
      "assets whose file is not in the export": 1,
      "assets without a file and a url": 1,
    });
  });
});

describe("X26d: the documents of a file", () => {
  const documents = [page("home"), page("secrets.x"), page("a", { _originalId: "drafts.a" })];
  const released = { _id: "b", _originalId: "versions.r1.b", _type: "page" };
  const all = [...documents, released];
  const result = { query: "*", result: all, ms: 4 };

  it.each([
    ["in a list", JSON.stringify(all), "data.ndjson"],
    ["in a list, indented", `\n${JSON.stringify(all, undefined, 2)}\n`, "posts.json"],
    ["what a query gave", JSON.stringify(result), "posts.json"],
    ["what a query gave, indented", JSON.stringify(result, undefined, 2), "data.json"],
    ["one a line", all.map((one) => JSON.stringify(one)).join("\r\n"), "data.ndjson"],
  ])("%s", (_, text, name) => {
    const folder = datasetFolder([], { "assets.json": "{}", [name]: text });
    if (name !== "data.ndjson") rmSync(join(folder, "data.ndjson"));
    for (const path of [folder, join(folder, name)]) {
      const { entries, report } = readDataset(path);
      expect(entries.map(({ id, draft }) => [id, draft])).toEqual([
        ["home", undefined],
        ["a", true],
      ]);
      expect(report.leftOut).toEqual({
        "private documents (page)": 1,
        "documents of releases": 1,
      });
    }
  });
});

describe("sanity: what is no export is refused, with its place", () => {
  const refused: readonly (readonly [string, string, string])[] = [
    [
      "broken JSON",
      '{"_id":"a","_type":"page"}\n{"_id":',
      'data.ndjson:2:1: broken JSON: this "{" is never closed',
    ],
    [
      "a number above the range",
      '{"_id":"a","_type":"b","c":1e400}',
      "above the range of a double",
    ],
    ["a list that ends early", '[{"_id":"a","_type":"b"},', "data.ndjson:1:26: broken JSON"],
    ["a query without a document", '{"result":[7]}', "data.ndjson:1:12 is not a document"],
    ["a draft of nothing", '{"_id":"drafts.","_type":"b"}', "data.ndjson:1:1 is not a document"],
    [
      "deep values",
      `{"_id":"a","_type":"b","c":${"[".repeat(300)}${"]".repeat(300)}}`,
      "data.ndjson:1:1: values are nested more than 200 levels deep",
    ],
    ["deep values that are broken", `\n${"[".repeat(300)}`, "data.ndjson:2:201: values are nested"],
    [
      "a line that is null, after a document",
      '{"_id":"a","_type":"b"}\nnull',
      "data.ndjson:2:1 is not",
    ],
    [
      "an asset without an id",
      '{"_type":"sanity.imageAsset"}',
      "data.ndjson:1:1 is not a document: it has no _id",
    ],
    ["an empty id", '{"_id":"","_type":"b"}', "data.ndjson:1:1 is not a document: it has no _id"],
    [
      "an id that is a number",
      '{"_id":1,"_type":"b"}',
      "data.ndjson:1:1 is not a document: it has no _id",
    ],
  ];
  it.each(refused)("%s", (_, text, message) => {
    const folder = datasetFolder([]);
    writeFileSync(join(folder, "data.ndjson"), text);
    expect(() => readDataset(folder)).toThrow(message);
  });

  it("bytes that are not UTF-8, a missing file, a folder without documents, several files", () => {
    const folder = datasetFolder([]);
    writeFileSync(join(folder, "data.ndjson"), Buffer.from([0xff, 0x7b]));
    expect(() => readDataset(folder)).toThrow("it is not UTF-8");
    expect(() => readDataset(join(folder, "gone"))).toThrow("there is no file or folder");
    writeFileSync(join(folder, "other.ndjson"), "");
    expect(() => readDataset(join(folder, ".."))).toThrow("it is not UTF-8");
    expect(() => sanity.read([folder, folder], NO_OPTIONS)).toThrow("one file or folder");
  });
});
