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
  const html = Buffer.from("<p>Hi</p>");
  const png = { mimeType: "image/png", width: 96, height: 64 };
  const said = { sizeBytes: 1, width: 1, height: 1 };
  it.each<[string, Uint8Array, object, object]>([
    ["logo.png", PNG, {}, png],
    ["photo.jpg", JPEG, {}, { mimeType: "image/jpeg", width: 360, height: 240 }],
    ["leaf.svg", SVG, {}, { mimeType: "image/svg+xml", width: 30, height: 21 }],
    ["dot.gif", GIF, {}, { mimeType: "image/gif", width: 3, height: 2 }],
    // Whatever the name and what is said.
    ["a.jpg", PNG, {}, png],
    ["logo", PNG, { ...said, mimeType: "image/webp" }, png],
    ["a.png", Buffer.from("no image"), {}, { mimeType: "image/png" }],
    // Of others the type is what is said, or that of the extension.
    ["page.html", html, said, { mimeType: "text/html" }],
    ["film.mp4", html, said, { mimeType: "video/mp4" }],
    ["data.json", html, said, { mimeType: "application/json" }],
    ["unknown.x-y-z", html, said, { mimeType: "application/octet-stream" }],
    ["a.html", html, { mimeType: "text/x-special" }, { mimeType: "text/x-special" }],
    ["a.txt", new Uint8Array(), {}, { mimeType: "text/plain" }],
  ])("folder: %s", (fileName, bytes, members, facts) => {
    const expected = expectedRecord(bytes, fileName, { width: null, height: null, ...facts });
    expect(measured(bytes, { fileName, ...members })).toEqual(expected);
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
        id: "a",
        width: 96,
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
          id: "b",
          fileName: "b",
          url,
          mimeType: "image/avif",
          sizeBytes: 0,
          width: 2,
          height: 1,
        },
      ],
    });
    expect(plain).toEqual({
      kind: "assets",
      record: {
        id: "a",
        fileName: "a.mp4",
        url,
        mimeType: "video/mp4",
        sizeBytes: null,
        width: null,
        height: null,
      },
    });
    expect(said).toMatchObject({ record: { mimeType: "image/avif", sizeBytes: 0, width: 2 } });
  });
});
