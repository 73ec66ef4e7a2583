import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isId, isKey, isSchemaKeyword } from "../../src/workspace/ids.ts";
import {
  asset,
  entry,
  exportFile,
  exportOf,
  type Loose,
  link,
  read,
  readAll,
  type,
} from "../support/contentful/contentful-export.ts";
import { temporaryFolder } from "../support/test-bed.ts";

const PAGE = type("page", { title: "Symbol", next: { type: "Link", linkType: "Entry" } });

function assetOf(file: Loose) {
  return read({ contentTypes: [PAGE], assets: [asset("a", file)] }).assets[0];
}

describe("contentful: which records are imported", () => {
  const states = [
    entry("live", "page"),
    entry("changed", "page", {}, { version: 9, publishedVersion: 1 }),
    entry("draft", "page", {}, { publishedVersion: undefined }),
    entry("archived", "page", {}, { archivedVersion: 3 }),
  ];
  const assets = [
    asset("a"),
    asset("b", {}, { publishedVersion: undefined }),
    asset("c", {}, { archivedVersion: 1 }),
  ];
  const given = { contentTypes: [PAGE], entries: states, assets };

  it("X3d: an unpublished entry has draft: true, an asset is left out; with --drafts both are published, and archived ones never", () => {
    const published = read(given);
    expect(published.entries.map(({ id, draft }) => `${id} ${draft}`)).toEqual([
      "live undefined",
      "changed undefined",
      "draft true",
    ]);
    expect(published.assets.map(({ id }) => id)).toEqual(["a"]);
    expect(published.report.leftOut).toEqual({
      "entries that are archived": 1,
      "assets that are not published": 1,
      "assets that are archived": 1,
    });
    const drafts = read(given, { drafts: true });
    expect(drafts.entries.map(({ id, draft }) => `${id} ${draft}`)).toEqual([
      "live undefined",
      "changed undefined",
      "draft undefined",
    ]);
    expect(drafts.assets.map(({ id }) => id)).toEqual(["a", "b"]);
  });

  it("X3d: an unpublished asset is imported where drafts show it, and no published entry does", () => {
    const gallery = type("page", {
      image: { type: "Link", linkType: "Asset" },
      text: "RichText",
    });
    const draft = { publishedVersion: undefined };
    const embedded = (id: string) => ({
      nodeType: "document",
      content: [{ nodeType: "embedded-asset-block", data: { target: link(id, "Asset") } }],
    });
    const { assets: kept, report } = read({
      contentTypes: [gallery],
      entries: [
        entry("live", "page", { image: link("both", "Asset"), text: embedded("live") }),
        entry("draft", "page", { image: link("both", "Asset"), text: embedded("new") }, draft),
      ],
      assets: ["both", "live", "new", "orphan"].map((id) => asset(id, {}, draft)),
    });
    expect(kept.map(({ id }) => id)).toEqual(["new"]);
    expect(report.leftOut).toEqual({ "assets that are not published": 3 });
  });

  const unpublished = { publishedVersion: undefined };
  const [at, after] = ["2099-01-01T00:00:00.000Z", "2099-01-01T02:00+01:00"];
  const toLink = (id: string, linkType = "Entry") => ({ entity: link(id, linkType) });
  const scheduled = (action: string, datetime: string, more: Loose = {}) => ({
    sys: { type: "ScheduledAction", status: "scheduled" },
    ...toLink("a"),
    scheduledFor: { datetime, timezone: "Europe/Berlin" },
    action,
    ...more,
  });
  const publishing: readonly (readonly [string, Loose, readonly Loose[], Loose, Loose])[] = [
    [
      "published by an action, and over by another",
      unpublished,
      [scheduled("unpublish", after), scheduled("publish", at)],
      { publishAt: at, unpublishAt: "2099-01-01T02:00:00+01:00" },
      {},
    ],
    ["over by an action", {}, [scheduled("unpublish", at)], { unpublishAt: at }, {}],
    [
      "what is done, failed or canceled says nothing",
      unpublished,
      ["succeeded", "failed", "canceled", "inProgress"].map((status) =>
        scheduled("publish", at, { sys: { status } }),
      ),
      { draft: true },
      { "scheduled actions that are done or canceled": 4 },
    ],
    [
      "by what is scheduled beside what was canceled",
      unpublished,
      [scheduled("publish", at, { sys: { status: "canceled" } }), scheduled("publish", after)],
      { publishAt: "2099-01-01T02:00:00+01:00" },
      { "scheduled actions that are done or canceled": 1 },
    ],
    ["a time that is none", unpublished, [scheduled("publish", "soon")], { draft: true }, {}],
    [
      "edits of what is published, another environment, assets and releases",
      { environment: link("master", "Environment") },
      [
        scheduled("publish", at),
        scheduled("unpublish", at, { environment: link("next", "Environment") }),
        scheduled("publish", at, toLink("b", "Asset")),
        scheduled("publish", at, toLink("gone")),
        scheduled("publish", at, toLink("r", "Release")),
      ],
      {},
      {
        "scheduled actions of assets": 1,
        "scheduled actions of entries beside their first ones": 1,
        "scheduled actions of other environments": 1,
        "scheduled actions of records that are not imported": 1,
        "scheduled actions of releases": 1,
      },
    ],
  ];
  it.each(publishing)("X3i: scheduled: %s", (_, sys, scheduledActions, expected, leftOut) => {
    const contentTypes = [PAGE];
    const records = { entries: [entry("a", "page", {}, sys)], assets: [asset("b")] };
    const parts = { contentTypes, ...records, scheduledActions };
    // As they are in a list, and as the management API answers.
    for (const actions of [scheduledActions, { sys: {}, items: scheduledActions }]) {
      const { entries, report } = read({ ...parts, scheduledActions: actions });
      const { draft, publishAt, unpublishAt } = entries[0] ?? {};
      expect({ draft, publishAt, unpublishAt }).toEqual(expected);
      expect(report.leftOut).toEqual(leftOut);
    }
    expect(read(parts, { drafts: true }).entries[0]?.draft).toBeUndefined();
  });

  it("X3j: an unpublished asset goes live with a scheduled entry if it is scheduled itself", () => {
    const image = { type: "Link", linkType: "Asset" };
    const { assets } = read({
      contentTypes: [type("page", { image, other: image })],
      entries: [
        entry(
          "a",
          "page",
          { image: link("b", "Asset"), other: link("c", "Asset") },
          { ...unpublished, environment: link("master", "Environment") },
        ),
      ],
      assets: ["b", "c"].map((id) => asset(id, {}, unpublished)),
      scheduled_actions: [
        scheduled("publish", at),
        scheduled("publish", at, toLink("b", "Asset")),
        scheduled("publish", at, {
          ...toLink("c", "Asset"),
          environment: link("next", "Environment"),
        }),
      ],
    });
    expect(assets.map(({ id }) => id)).toEqual(["b"]);
  });

  it("X26f: lists that are not read are counted by name, and a taxonomy as a validation", () => {
    const contentType = { ...PAGE, metadata: { taxonomy: [link("c", "TaxonomyConcept")] } };
    const { report } = read({
      contentTypes: [contentType],
      roles: [{}, {}],
      webhooks: [],
      comments: [{}],
      tasks: { items: [{}, {}, {}] },
    });
    expect(report.leftOut).toEqual({
      'records of "roles"': 2,
      'records of "comments"': 1,
      'records of "tasks"': 3,
    });
    expect(report.notCarriedOver).toEqual({ taxonomy: 1 });
  });

  it("X21: a record with edits in one locale is named", () => {
    const fieldStatus = { "*": { en: "changed" } };
    const { report } = read({
      contentTypes: [PAGE],
      entries: [entry("a", "page", {}, { fieldStatus })],
    });
    expect(report.unpublishedEdits).toEqual([{ kind: "entry", id: "a" }]);
  });

  it("records of the delivery API, which have revisions, are published", () => {
    const delivered = { version: undefined, publishedVersion: undefined, revision: 3 };
    const entries = [entry("a", "page", {}, delivered)];
    expect(read({ contentTypes: [PAGE], entries }).entries).toHaveLength(1);
  });

  it("X4: an export of archived entries only is refused, and one without entries is not", () => {
    const archived = [1, 2].map((n) => entry(`e${n}`, "page", {}, { archivedVersion: 3 }));
    expect(() => read({ contentTypes: [PAGE], entries: archived })).toThrow(
      expect.objectContaining({
        code: "export-invalid",
        message: "the export has no entry to import",
        hint: "left out: entries that are archived (2)",
      }),
    );
    expect(read({ contentTypes: [PAGE] }).entries).toEqual([]);
  });

  it("X5: the files of one command are one import, in which a later record counts", () => {
    const part = (from: number, to: number, title: string) =>
      exportFile(
        exportOf({
          contentTypes: [PAGE],
          assets: [asset("a", { fileName: `${title}.png` })],
          entries: Array.from({ length: to - from }, (_, at) =>
            entry(`e${from + at}`, "page", { title, next: link(`e${(from + at + 20) % 40}`) }),
          ),
        }),
      );
    const [first, second] = [part(0, 21, "first"), part(20, 40, "second")];
    const { entries, assets, report } = readAll([first, second]);
    expect(entries.map(({ id }) => id).sort()).toEqual(
      Array.from({ length: 40 }, (_, at) => `e${at}`).sort(),
    );
    expect(entries.find(({ id }) => id === "e20")?.data.title).toBe("second");
    expect(assets.map(({ fileName }) => fileName)).toEqual(["second.png"]);
    expect(report.warnings).toEqual([
      '2 records are in the export more than once, of which the last one is used: entry "e20", asset "a"',
    ]);
    for (const alone of [first, second]) {
      expect(() => readAll([alone])).toThrow(expect.objectContaining({ code: "export-partial" }));
      expect(readAll([alone], { part: true }).entries.length).toBeGreaterThan(19);
    }
  });

  it("X5: a few missing targets are no part: they are drafts, or were deleted", () => {
    const entries = Array.from({ length: 9 }, (_, at) =>
      entry(`e${at}`, "page", { next: link(`gone${at}`) }),
    );
    expect(read({ contentTypes: [PAGE], entries }).entries).toHaveLength(9);
    const more = Array.from({ length: 40 }, (_, at) =>
      entry(`m${at}`, "page", { next: link(at < 13 ? `lost${at}` : `m${at - 13}`) }),
    );
    expect(read({ contentTypes: [PAGE], entries: more }).entries).toHaveLength(40);
  });
});

describe("contentful: ids and keys are those of the export where they are valid", () => {
  it("I1, I2, I3: an invalid id or key is converted, with one warning of all", () => {
    const odd = [
      "title",
      "$ref",
      "not",
      "2wKn",
      "a b",
      "ünï",
      ".dot.",
      "\ud800",
      "x".repeat(200),
      "__proto__",
      "constructor",
    ];
    const contentTypes = odd.map((id) => type(id, { [id]: "Symbol" }));
    const { models, report } = read({ contentTypes, entries: odd.map((id) => entry(id, id)) });
    expect(models).toHaveLength(odd.length);
    expect(models.filter(({ id }) => !isId(id))).toEqual([]);
    expect(models.filter(({ key }) => !isKey(key) || isSchemaKeyword(key))).toEqual([]);
    expect(models.flatMap(({ fields }) => fields).filter(({ key }) => !isKey(key))).toEqual([]);
    expect(report.warnings).toEqual([
      expect.stringMatching(
        /^10 names cannot be the key of a content type: "title" became "title_", "\$ref" became "ref_x\w{8}", /,
      ),
      expect.stringMatching(
        /^\d names cannot be the key of a field: "\$ref\.\$ref" became "ref_x\w{8}", /,
      ),
      expect.stringMatching(
        /^\d names cannot be the id of an entry: "\$ref" became "ref-x\w{8}", /,
      ),
    ]);
  });

  it("links to a record with a converted id are converted too", () => {
    const entries = [entry("a b", "page"), entry("c", "page", { next: link("a b") })];
    const { entries: kept } = read({ contentTypes: [PAGE], entries });
    expect(kept[1]?.data).toEqual({ next: { contentEntryId: kept[0]?.id } });
  });

  it("a field has the name of the API, and its values are found under name or id", () => {
    const contentTypes = [type("page", { old: { type: "Symbol", apiName: "fresh" } })];
    for (const name of ["old", "fresh"]) {
      const { entries } = read({ contentTypes, entries: [entry("e", "page", { [name]: "x" })] });
      expect(entries[0]?.data).toEqual({ fresh: "x" });
    }
  });

  it("the workspace has the requested id, else that of the space, else the file's name", () => {
    const { sys: _, ...bare } = PAGE;
    const idOf = (parts: Loose, workspaceId?: string) => read(parts, { workspaceId }).items[0];
    expect(idOf({ contentTypes: [PAGE] })).toMatchObject({ record: { id: "space1" } });
    expect(idOf({ contentTypes: [{ ...bare, sys: { id: "page" } }] })).toMatchObject({
      record: { id: "export" },
    });
    expect(idOf({ contentTypes: [PAGE] }, "site")).toMatchObject({ record: { id: "site" } });
    expect(() => idOf({ contentTypes: [PAGE] }, "a/b")).toThrow("is not a valid workspace id");
  });
});

describe("contentful: texts for authors", () => {
  const named = type("page", {
    title: "Symbol",
    tags: { type: "Array", items: { type: "Symbol" } },
  });
  const control = (fieldId: string, helpText: unknown) => ({ fieldId, settings: { helpText } });
  const editorInterfaces = [
    {
      sys: { contentType: link("page", "ContentType") },
      controls: [control("title", " Help "), control("tags", null)],
    },
    { sys: { contentType: link("page", "ContentType") } },
    null,
    7,
    { controls: "odd" },
    { sys: {}, controls: [null, { settings: [] }] },
  ];

  it("X7: a help text is the description of a field, and the display field is the title", () => {
    const fieldsOf = (displayField: string | null) =>
      read({ contentTypes: [{ ...named, displayField }], editorInterfaces }).models[0]?.fields;
    const count = { ...named, displayField: "n", fields: [{ id: "n", type: "Integer" }] };
    expect(read({ contentTypes: [count] }).models[0]?.fields).toEqual([
      { key: "n", type: "integer" },
    ]);
    expect(fieldsOf("title")).toEqual([
      { key: "title", description: "Help", type: "text", title: true },
      { key: "tags", type: "text", repeatable: true },
    ]);
    for (const displayField of ["tags", "gone", null]) {
      expect(fieldsOf(displayField)?.filter(({ title }) => title)).toEqual([]);
    }
  });

  it("X7: with the folder of downloaded files, assets have their bytes", () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "images.example/a b"), { recursive: true });
    writeFileSync(join(folder, "images.example/a b/one.txt"), "bytes");
    writeFileSync(join(folder, "secret"), "secret");
    const urls = [
      "//images.example/a%20b/one.txt",
      "//images.example/gone.txt",
      "//x.example/..%2f..%2fsecret",
    ];
    const assets = urls.map((url, at) =>
      asset(`a${at}`, { url, fileName: "one.txt", details: { size: 99 } }),
    );
    const {
      items,
      report,
      assets: read1,
    } = read({ contentTypes: [PAGE], assets }, { assets: folder });
    expect(items.filter(({ kind }) => kind === "file")).toHaveLength(1);
    expect(read1[0]).toMatchObject({
      sizeBytes: 5,
      sha256: expect.any(String),
      fileName: "one.txt",
    });
    expect(read1[0]).not.toHaveProperty("url");
    expect(read1.slice(1).map(({ url }) => url)).toEqual(
      urls.slice(1).map((url) => `https:${url}`),
    );
    expect(report.warnings).toEqual([
      expect.stringMatching(
        /^asset "a1" stays at its url: there is no file "images.example\/gone.txt"/,
      ),
      expect.stringMatching(/^asset "a2" stays at its url: .*leaves the folder/),
    ]);
    expect(() => read({ contentTypes: [PAGE] }, { assets: join(folder, "gone") })).toThrow(
      expect.objectContaining({ code: "assets-not-found" }),
    );
  });
});

describe("contentful: assets have their url", () => {
  it("a url without a scheme becomes https; type and sizes are those of the export", () => {
    const details = { size: 9, image: { width: 3, height: 2 } };
    expect(
      assetOf({
        url: "//h.example/a/b%20c.png",
        fileName: "x.png",
        contentType: "image/png",
        details,
      }),
    ).toEqual({
      id: "a",
      url: "https://h.example/a/b%20c.png",
      fileName: "x.png",
      mimeType: "image/png",
      sizeBytes: 9,
      width: 3,
      height: 2,
    });
    expect(assetOf({ url: "http://h.example/a" })?.url).toBe("http://h.example/a");
  });

  it.each([
    ["a/b\\c\n.png", "a_b_c_.png"],
    ["..", "last one.png"],
    ["", "last one.png"],
    ["\ud800.png", "\ufffd.png"],
    ["x".repeat(300), "last one.png"],
    [7, "last one.png"],
  ])("the file name %j becomes one path segment, %j", (fileName, expected) => {
    expect(assetOf({ fileName, url: "//h.example/x/last%20one.png" })?.fileName).toBe(expected);
  });

  it("one without a processed file is left out and counted", () => {
    for (const fields of [
      {},
      { file: {} },
      { file: { en: { upload: "https://h.example/raw" } } },
      { file: { en: { url: "ftp://x/y" } } },
    ]) {
      const { assets, report } = read({
        contentTypes: [PAGE],
        assets: [{ ...asset("a"), fields }],
      });
      expect([assets, report.leftOut]).toEqual([[], { "assets that have no file": 1 }]);
    }
  });
});
