import { types } from "image-size";
import { describe, expect, it } from "vitest";
import { assetByBytes } from "../../src/folder/asset-records.ts";
import type { Asset } from "../../src/workspace/asset.ts";
import type { Problem } from "../../src/workspace/problem.ts";
import { problemsOf, summaries, withEntry } from "../support/documents/served-data.ts";
import { png } from "../support/pictures.ts";
import { type Parts, TestBed } from "../support/test-bed.ts";
import { heldAsset, projectOf } from "../support/workspaces/small-workspace.ts";

const TEXT = { key: "title", type: "text" };

/** What is suggested for each problem, by its place. */
function suggestions(problems: readonly Problem[]): Record<string, string | undefined> {
  return Object.fromEntries(
    problems.map(({ at, args }) => [
      `${at.id}#${at.path}`,
      "suggestion" in args ? args.suggestion : undefined,
    ]),
  );
}

const check = (parts: Parts) => new TestBed(parts).check();

describe("P9: field-unknown", () => {
  const hero = { id: "hero", key: "hero", name: "Hero", fields: [TEXT] };
  const body = { key: "body", type: "content-block", repeatable: true };

  it("P9: stored data of an entry, of its blocks and of a project that no field takes", () => {
    const nested = { ...hero, id: "outer", key: "outer", fields: [TEXT, body] };
    const inner = { contentBlockId: "hero", data: { title: "A", subtitle: "B" } };
    const data = {
      titel: "A",
      title: "B",
      body: [{ contentBlockId: "outer", data: { titles: 1, body: [inner] } }],
    };
    const [site] = [projectOf("site", "home")];
    const parts = {
      ...withEntry([TEXT, body], data, { blocks: [hero, nested], fields: [TEXT] }),
      projects: [{ ...site, fields: { title: "A", tagline: "B" } }],
    };
    expect(summaries(check(parts))).toEqual([
      "warning field-unknown entry home#/body/0/data/body/0/data/subtitle",
      "warning field-unknown entry home#/body/0/data/titles",
      "warning field-unknown entry home#/titel",
      "warning field-unknown project site#/fields/tagline",
    ]);
    expect(suggestions(check(parts))).toEqual({
      "home#/body/0/data/body/0/data/subtitle": undefined,
      "home#/body/0/data/titles": "title",
      "home#/titel": "title",
      "site#/fields/tagline": undefined,
    });
  });

  it("P9: the name of an inherited member, or one with a slash, is a name as any other", () => {
    const data = JSON.parse('{ "__proto__": 1, "constructor": 2, "a/b": 3 }');
    expect(problemsOf(withEntry([TEXT], data))).toEqual([
      "warning field-unknown entry home#/__proto__",
      "warning field-unknown entry home#/a~1b",
      "warning field-unknown entry home#/constructor",
    ]);
  });

  it("P9: null is no value (V2), json values are opaque (V8), and models may be missing", () => {
    const lost = { id: "lost", modelId: "gone", data: { a: 1 } };
    const json = { key: "any", type: "json" };
    const parts = withEntry([TEXT, json], { old: null, any: { a: 1 } }, { entries: [lost] });
    expect(problemsOf(parts)).toEqual(["error model-missing entry lost#"]);
  });
});

describe("P10: what a name that does not exist is probably meant to be", () => {
  const author = { id: "author", key: "author", name: "Author", fields: [] };
  const links = { key: "links", type: "reference", repeatable: true };
  const files = { key: "files", type: "asset", repeatable: true };

  it("P10: a model, a block, a step", () => {
    const field = { key: "body", type: "content-block" };
    const hero = { id: "hero", key: "hero", name: "Hero", fields: [] };
    const site = projectOf("site", "home");
    const tour = { id: "tour", key: "tour", name: "Tour", stepIds: ["step-hoem", "other"] };
    const parts = {
      ...withEntry([field], { body: { contentBlockId: "herro", data: {} } }, { blocks: [hero] }),
      projects: [{ ...site, experiences: [...site.experiences, tour] }],
    };
    const entries = [...parts.entries, { id: "ann", modelId: "autor", data: {} }];
    expect(suggestions(check({ ...parts, entries, models: [...parts.models, author] }))).toEqual({
      "ann#": "author",
      "home#/body": "hero",
      "site#/experiences/1/stepIds/0": "step-home",
      "site#/experiences/1/stepIds/1": undefined,
    });
  });

  it("P10a: a model or a block by its key or its name, a model in the options of a field by its id", () => {
    const field = { key: "body", type: "content-block", repeatable: true };
    const link = { key: "link", type: "reference", models: ["mdl_author"] };
    const writer = { ...author, id: "mdl_author", name: "Someone" };
    const hero = { id: "blk_1", key: "hero", name: "Large picture", fields: [] };
    const body = ["hero", "Large picture"].map((contentBlockId) => ({ contentBlockId, data: {} }));
    const parts = withEntry([field, link], { body }, { blocks: [hero] });
    const entries = ["author", "Someone"].map((modelId, at) => ({
      id: `e${at}`,
      modelId,
      data: {},
    }));
    const all = [...parts.entries, ...entries];
    expect(
      suggestions(check({ ...parts, entries: all, models: [...parts.models, writer] })),
    ).toEqual({
      "e0#": "mdl_author",
      "e1#": "mdl_author",
      "home#/body/0": "blk_1",
      "home#/body/1": "blk_1",
      "subject#/fields/1/models/0": "author",
    });
  });

  it.each([
    ["anna", "the same"],
    ["annna", "one more"],
    ["ana", "one less"],
    ["anma", "another"],
    ["nana", "swapped"],
    ["ANNA", "in capitals"],
  ])("P10: an entry or an asset: %j, %s", (misspelt) => {
    const { asset, file } = heldAsset("anna", "a.txt", "A", "text/plain");
    const stored = {
      links: [{ contentEntryId: misspelt }, { contentEntryId: "unlike" }],
      files: [{ assetId: misspelt }, { assetId: "anna", versionId: "x" }],
    };
    const anna = { id: "anna", modelId: "subject", data: {} };
    const parts = withEntry([links, files], stored, { entries: [anna], assets: [asset] });
    const isFound = misspelt === "anna";
    expect(suggestions(check({ ...parts, files: new Map([file]) }))).toEqual({
      ...(!isFound && { "home#/files/0": "anna", "home#/links/0": "anna" }),
      "home#/files/1": undefined,
      "home#/links/1": undefined,
    });
  });

  it("P10: none for more than 100 missing entries", () => {
    const missing = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ contentEntryId: `home${index}x` }));
    const suggested = (count: number) => {
      const stored = { links: [{ contentEntryId: "hone" }, ...missing(count)] };
      return suggestions(check(withEntry([links], stored)))["home#/links/0"];
    };
    expect(suggested(99)).toBe("home");
    expect(suggested(100)).toBeUndefined();
  });
});

describe("P11: option-unknown", () => {
  const author = { id: "m-author", key: "author", name: "Author", fields: [] };
  const by = { key: "by", type: "reference" };
  const authored = (...models: readonly string[]) => {
    const entries = ["ann", "bob"].map((id) => ({ id, modelId: "m-author", data: {} }));
    const page = { id: "page2", modelId: "subject", data: { by: { contentEntryId: "bob" } } };
    const all = { models: [author], entries: [...entries, page] };
    return withEntry([{ ...by, models }], { by: { contentEntryId: "ann" } }, all);
  };
  it("P2, P11a: a model that does not exist is one error, however many entries it refuses", () => {
    const problems = check(authored("autor"));
    expect(summaries(problems)).toEqual(["error option-unknown model subject#/fields/0/models/0"]);
    expect(suggestions(problems)).toEqual({ "subject#/fields/0/models/0": "author" });
  });

  it("P11: it is a warning while no stored reference is refused", () => {
    const parts = authored("author", "legacy");
    const bed = new TestBed(parts);
    const warning = "warning option-unknown model subject#/fields/0/models/1";
    expect(summaries(bed.publish().problems)).toEqual([warning]);
    expect(() => bed.publish({ strict: true })).toThrow("1 problem");
  });

  it("P2, P11a: an entry of a model that is not meant is an error at the reference", () => {
    expect(problemsOf(authored("subject", "legacy"))).toEqual([
      "error reference-model-not-accepted entry home#/by",
      "error reference-model-not-accepted entry page2#/by",
      "warning option-unknown model subject#/fields/0/models/1",
    ]);
  });

  it("P2, P11a: a category that no block has, in a block and in a project field", () => {
    const hero = { id: "hero", key: "hero", name: "Hero", category: "top", fields: [] };
    const field = { key: "a", type: "content-block", category: "tops" };
    const wide = { ...hero, id: "wide", key: "wide", fields: [field] };
    const block = { contentBlockId: "hero", data: {} };
    const parts = withEntry([field], { a: block }, { blocks: [hero, wide], fields: [field] });
    expect(summaries(check(parts))).toEqual([
      "error option-unknown model subject#/fields/0/category",
      "warning option-unknown block wide#/fields/0/category",
      "warning option-unknown workspace w#/fields/0/category",
    ]);
    const site = { ...projectOf("site", "home"), fields: { a: block } };
    expect(problemsOf({ ...parts, projects: [site] })).toContain(
      "error option-unknown workspace w#/fields/0/category",
    );
  });
});

describe("P12: image-unreadable", () => {
  it("P12: every type of image whose size an import measures", () => {
    const bytes = Buffer.from("no image");
    const assets = types
      .map((type) => assetByBytes({ id: type, fileName: `a.${type}` }, bytes))
      .filter(({ mimeType }) => mimeType !== "application/octet-stream");
    const files = new Map(assets.map(({ sha256 }) => [sha256, bytes]));
    expect(check({ assets, files }).map(({ at }) => at.id)).toEqual(
      assets.map(({ id }) => id).sort(),
    );
    expect(assets.length).toBeGreaterThan(12);
  });

  it("P12: an image that is cut off is not measured by what is beside it in memory", () => {
    const whole = png(40, 30);
    const [cut, kept] = [whole.subarray(0, 20), whole.subarray(0, 24)];
    const sizes = [cut, kept].map((bytes) => assetByBytes({ id: "a", fileName: "a.png" }, bytes));
    expect(sizes.map(({ width, height }) => [width, height])).toEqual([
      [null, null],
      [40, 30],
    ]);
  });

  const held = (id: string, fileName: string, content: string, mimeType: string) => {
    const { asset, file } = heldAsset(id, fileName, content, mimeType);
    return { asset: { ...asset, width: null, height: null }, file };
  };
  const all = [
    held("broken", "broken.png", "no image", "image/png"),
    held("page", "page.svg", "<html>", "image/svg+xml"),
    held("drawing", "drawing.svg", '<?xml version="1.0"?><svg/>', "image/svg+xml"),
    held("text", "text.txt", "Text", "text/plain"),
    held("unknown", "unknown.xcf", "GIMP", "image/x-xcf"),
  ];

  it("P12: a file that the store holds is not the image that its type says", () => {
    const [broken] = all as [(typeof all)[number]];
    const { sha256, ...elsewhere } = { ...broken.asset, id: "url", url: "https://a.example/b.png" };
    const versions = [{ ...broken.asset, id: "v1", width: 1, height: 1 }, broken.asset];
    const parts: Parts = {
      assets: [
        ...all.map(({ asset }) => asset),
        elsewhere,
        { ...broken.asset, id: "several", width: 1, height: 1, versions },
      ],
      files: new Map(all.map(({ file }) => file)),
    };
    expect(problemsOf(parts)).toEqual([
      "warning image-unreadable asset broken#",
      "warning image-unreadable asset page#",
      "warning image-unreadable asset several#/versions/1",
    ]);
  });
});

describe("P20: name-not-portable", () => {
  const NAMED = ["con", "lpt1", "nul", "console", "com", "CON-1"];

  it("P20: ids and file names that Windows cannot have", () => {
    const names = ["a:b.svg", "con.svg", "a?b.svg", "end.", "a b.svg", "acon.svg"];
    const held = names.map((name, at) => heldAsset(`asset-${at}`, name, name, "text/plain"));
    const { sha256: _, ...byUrl } = {
      ...(held[0]?.asset as Asset),
      id: "url",
      url: "https://a.b/c",
    };
    const parts: Parts = {
      models: [{ id: "m", key: "m", name: "M", fields: [] }],
      entries: NAMED.map((id) => ({ id, modelId: "m", data: {} })),
      projects: [projectOf("nul", ...NAMED)],
      assets: [...held.map(({ asset }) => asset), byUrl],
      files: new Map(held.map(({ file }) => file)),
    };
    expect(problemsOf(parts)).toEqual([
      ...[0, 1, 2, 3].map((at) => `warning name-not-portable asset asset-${at}#/fileName`),
      ...[0, 1, 2].map((at) => `warning name-not-portable project nul#/experiences/${at}`),
      "warning name-not-portable project nul#/id",
    ]);
  });

  it("P20: file names of the same bytes that some systems do not tell apart", () => {
    const of = (id: string, fileName: string, bytes = "x") =>
      heldAsset(id, fileName, bytes, "text/plain");
    const all = [
      of("a", "leaf.svg"),
      of("b", "Leaf.svg"),
      of("c", "caf\u00e9.svg"),
      of("d", "cafe\u0301.svg"),
      of("e", "leaf.svg"),
      of("f", "LEAF.svg", "other bytes"),
    ];
    const { asset } = of("v", "LEAF.SVG");
    const versions = { ...(all[4] as (typeof all)[0]).asset, versions: [asset] };
    const parts: Parts = {
      assets: [...all.map((one) => (one.asset.id === "e" ? versions : one.asset))],
      files: new Map(all.map(({ file }) => file)),
    };
    const problems = check(parts);
    expect(summaries(problems)).toEqual([
      "warning name-not-portable asset b#/fileName",
      "warning name-not-portable asset d#/fileName",
      "warning name-not-portable asset e#/versions/0/fileName",
    ]);
    expect(problems[0]?.args).toEqual({ name: "Leaf.svg", other: "leaf.svg" });
  });
});
