import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Asset } from "../../src/workspace/asset.ts";
import type { JsonObject } from "../../src/workspace/json.ts";
import { dataOn } from "../support/documents/served-data.ts";
import { type Parts, SURFACES, TestBed } from "../support/test-bed.ts";
import { heldAsset, projectOf } from "../support/workspaces/small-workspace.ts";

const FILM: Asset = {
  id: "film",
  fileName: "film.mp4",
  mimeType: "video/mp4",
  sizeBytes: null,
  width: 1920,
  height: 1080,
  url: "https://media.example/a%20b/film.mp4?x=1#y",
};
const PHOTO: Asset = { ...FILM, id: "photo", fileName: "photo.jpg", mimeType: "image/jpeg" };

describe.each(SURFACES)("on the %s surface", (surface) => {
  /** What is served for stored values. */
  const valuesOf = (stored: JsonObject[], more: Parts) => {
    const fields = [{ key: "values", type: "asset", repeatable: true }];
    return dataOn(surface, fields, { values: stored }, more).values;
  };

  it("V4: an asset is served with id, url, mimeType, sizeBytes, fileName, width and height", () => {
    const { fileName, mimeType, url } = PHOTO;
    const facts = { fileName, mimeType, url, width: 1920, height: 1080 };
    expect(valuesOf([{ assetId: "photo" }], { assets: [PHOTO] })).toEqual([
      { id: "photo", sizeBytes: null, ...facts },
    ]);
    const assets = [{ ...PHOTO, sizeBytes: 12, height: null }];
    expect(valuesOf([{ assetId: "photo" }], { assets })).toEqual([
      { id: "photo", sizeBytes: 12, ...facts, height: null },
    ]);
  });

  it("V4d: a text with locales is served in the language of the project, else not at all", () => {
    const title = { en: "A photo", de: "Ein Foto", "": "Nothing" };
    const assets = [{ ...PHOTO, title, description: { fr: "Une photo" } }, FILM];
    const fields = [{ key: "photo", type: "asset" }];
    const models = [{ id: "m", key: "m", name: "M", fields }];
    const data = { photo: { assetId: "photo" } };
    const languages = [["de", "en"], ["fr", "en"], ["it"], []];
    const bed = new TestBed({
      assets,
      assetTexts: true,
      models,
      // Hidden in one language: its texts are those of all the same (A7a).
      entries: [{ id: "home", modelId: "m", draft: { en: true }, data }],
      projects: languages.map(([locale, ...fallbackLocales], at) => ({
        ...projectOf(`p${at}`, "home"),
        ...(locale !== undefined && { locale, fallbackLocales }),
      })),
    });
    const served = languages.map((_, at) => {
      const address = { kind: "content", projectId: `p${at}`, experienceId: "home" } as const;
      const { photo } = JSON.parse(String(bed.render(surface, address)?.bytes(null))).content[0]
        .data;
      return [photo.title, photo.description];
    });
    expect(served).toEqual([
      ["Ein Foto", undefined],
      ["A photo", "Une photo"],
      [undefined, undefined],
      [undefined, undefined],
    ]);
    const unused = bed.check().filter(({ at }) => at.kind === "asset");
    expect(unused).toMatchObject([
      { code: "locale-invalid", at: { id: "photo", path: "/title/" }, args: { isUnused: true } },
    ]);
  });

  it("V4c: title and description are served when set, where the workspace has assetTexts", () => {
    const assets = [
      { ...PHOTO, title: "A photo", description: "" },
      { ...FILM, versions: [{ ...FILM, id: "v1", title: "Of a version" }] },
    ];
    const stored = [
      { assetId: "photo" },
      { assetId: "film" },
      { assetId: "film", versionId: "v1" },
      { assetId: "gone" },
    ];
    const textsOf = (more: Parts) =>
      (valuesOf(stored, { assets, ...more }) as JsonObject[]).map(({ title, description }) => [
        title,
        description,
      ]);
    expect(textsOf({ assetTexts: true })).toEqual([
      ["A photo", ""],
      [undefined, undefined],
      ["Of a version", undefined],
      [undefined, undefined],
    ]);
    expect(
      textsOf({})
        .flat()
        .filter((text) => text !== undefined),
    ).toEqual([]);
  });

  it("V4: width and height are null when the file is not an image", () => {
    const [film] = valuesOf([{ assetId: "film" }], { assets: [FILM] });
    expect(film).toMatchObject({ mimeType: "video/mp4", width: null, height: null });
  });

  it("V4: a version that is named and exists is served, under the asset's id", () => {
    const old = { ...PHOTO, id: "v1", fileName: "old.jpg", url: "https://media.example/old.jpg" };
    const stored = [{ assetId: "photo", versionId: "v1" }, { assetId: "photo" }];
    const [first, second] = valuesOf(stored, { assets: [{ ...PHOTO, versions: [old] }] });
    expect(first).toMatchObject({ id: "photo", fileName: "old.jpg", url: old.url });
    expect(second).toMatchObject({ id: "photo", fileName: "photo.jpg", url: PHOTO.url });
  });

  it("V4b: the url of held bytes has 16 hex of their SHA-256 and the percent-encoded name", () => {
    const { asset, file } = heldAsset("a", "50% Größe #1?.png", "pixels");
    const hash = createHash("sha256").update("pixels").digest("hex").slice(0, 16);
    const path = `/assets/${hash}/50%25%20Gr%C3%B6%C3%9Fe%20%231%3F.png`;
    const parts = { assets: [asset], files: new Map([file]) };
    const urlWith = (settings: Parts) =>
      valuesOf([{ assetId: "a" }], { ...parts, ...settings })[0].url;
    expect(urlWith({})).toBe(path);
    expect(urlWith({ assetBaseUrl: "" })).toBe(path);
    expect(urlWith({ assetBaseUrl: "https://cdn.example/x" })).toBe(`https://cdn.example/x${path}`);
  });

  it("V4b: an asset given by url keeps that url", () => {
    const [film] = valuesOf([{ assetId: "film" }], {
      assets: [FILM],
      assetBaseUrl: "https://cdn.example",
    });
    expect(film.url).toBe(FILM.url);
  });
});
