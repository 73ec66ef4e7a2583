import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { recordsIn } from "../support/workspaces/workspace-folder.ts";

const FILES = join(import.meta.dirname, "../../fixtures/storefront/files");
const PNG = readFileSync(join(FILES, "images/logo.png"));
const JPEG = readFileSync(join(FILES, "photos/kestrel-smavatn.jpg"));
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="30" height="20.6"/>');
const GIF = Buffer.from("GIF89a\u0003\u0000\u0002\u0000", "latin1");

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** What is stored of an asset with these bytes and members. */
function measured(bytes: Uint8Array, members: object) {
  const asset = { id: "a", file: "files/x", ...members };
  const items = recordsIn({ "assets.json": [asset], "files/x": bytes });
  expect(items[0]).toEqual({ kind: "file", sha256: sha256(bytes), bytes: Buffer.from(bytes) });
  return items[1];
}

const expectedRecord = (bytes: Uint8Array, fileName: string, facts: object) => ({
  kind: "assets",
  record: { id: "a", fileName, sizeBytes: bytes.length, sha256: sha256(bytes), ...facts },
});

describe("folder: of a `file`, size, type and pixel size are measured", () => {
  it.each([
    ["logo.png", PNG, { mimeType: "image/png", width: 96, height: 64 }],
    ["photo.jpg", JPEG, { mimeType: "image/jpeg", width: 360, height: 240 }],
    ["leaf.svg", SVG, { mimeType: "image/svg+xml", width: 30, height: 21 }],
    ["dot.gif", GIF, { mimeType: "image/gif", width: 3, height: 2 }],
  ])("folder: %s", (fileName, bytes, facts) => {
    expect(measured(bytes, { fileName })).toEqual(expectedRecord(bytes, fileName, facts));
  });

  it("folder: the type of an image is measured, whatever its name and authored type", () => {
    const png = { mimeType: "image/png", width: 96, height: 64 };
    const said = { mimeType: "image/webp", sizeBytes: 1, width: 1, height: 1 };
    expect(measured(PNG, { fileName: "a.jpg" })).toEqual(expectedRecord(PNG, "a.jpg", png));
    expect(measured(PNG, { fileName: "a.jpg", ...said })).toEqual(
      expectedRecord(PNG, "a.jpg", png),
    );
    expect(measured(PNG, { fileName: "logo" })).toEqual(expectedRecord(PNG, "logo", png));
  });

  it.each([
    ["page.html", "text/html"],
    ["film.mp4", "video/mp4"],
    ["data.json", "application/json"],
    ["unknown.x-y-z", "application/octet-stream"],
  ])("folder: %s has the type of its extension, %s, and no pixel size", (fileName, mimeType) => {
    const facts = { mimeType, width: null, height: null };
    const bytes = Buffer.from("<p>Hi</p>");
    const said = { sizeBytes: 1, width: 1, height: 1 };
    expect(measured(bytes, { fileName, ...said })).toEqual(expectedRecord(bytes, fileName, facts));
  });

  it("folder: an authored type takes precedence over the extension's", () => {
    const bytes = Buffer.from("<p>Hi</p>");
    const facts = { mimeType: "text/x-special", width: null, height: null };
    expect(measured(bytes, { fileName: "a.html", mimeType: "text/x-special" })).toEqual(
      expectedRecord(bytes, "a.html", facts),
    );
  });

  it("folder: an image that cannot be measured has no pixel size", () => {
    const bytes = Buffer.from("no image");
    const facts = { mimeType: "image/png", width: null, height: null };
    expect(measured(bytes, { fileName: "a.png" })).toEqual(expectedRecord(bytes, "a.png", facts));
  });

  it("folder: an empty file is valid", () => {
    const empty = new Uint8Array();
    const facts = { mimeType: "text/plain", width: null, height: null };
    expect(measured(empty, { fileName: "a.txt" })).toEqual(expectedRecord(empty, "a.txt", facts));
  });

  it("folder: each version is measured", () => {
    const versions = [
      { id: "v1", fileName: "old.jpg", file: "old" },
      { id: "v2", fileName: "far.png", url: "https://a.example/far.png", width: 7 },
    ];
    const asset = { id: "a", fileName: "new.png", file: "new", versions };
    const items = recordsIn({ "assets.json": [asset], new: PNG, old: JPEG });
    expect(items.map(({ kind }) => kind)).toEqual(["file", "file", "assets"]);
    expect(items[2]).toMatchObject({
      record: {
        ...{ id: "a", width: 96 },
        versions: [
          { id: "v1", width: 360, sha256: sha256(JPEG) },
          { id: "v2", width: 7, height: null, sizeBytes: null, mimeType: "image/png" },
        ],
      },
    });
  });
});

describe("folder: an asset given by url keeps its authored values", () => {
  it("folder: missing values are unknown, and a missing type is that of the extension", () => {
    const url = "https://a.example/a";
    const [plain, said] = recordsIn({
      "assets.json": [
        { id: "a", fileName: "a.mp4", url },
        {
          ...{ id: "b", fileName: "b", url, mimeType: "image/avif" },
          sizeBytes: 0,
          width: 2,
          height: 1,
        },
      ],
    });
    expect(plain).toEqual({
      kind: "assets",
      record: {
        ...{ id: "a", fileName: "a.mp4", url, mimeType: "video/mp4" },
        ...{ sizeBytes: null, width: null, height: null },
      },
    });
    expect(said).toMatchObject({ record: { mimeType: "image/avif", sizeBytes: 0, width: 2 } });
  });
});
