import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { CliBed } from "../support/cli-bed.ts";
import { temporaryFolder } from "../support/test-bed.ts";
import { faultsIn, faultsOf, workspaceFolder } from "../support/workspaces/workspace-folder.ts";

const asset = (members: object) => ({ id: "a", fileName: "a.txt", ...members });

/** The faults of a folder with one asset of these members, and with the file `files/a.txt`. */
const faultsOfAsset = (members: object) =>
  faultsIn({ "assets.json": [asset(members)], "files/a.txt": "secret" });

it("V4d: a text of an asset is a text, or one for each locale, which an export puts in order", () => {
  const url = "https://h.example/a.png";
  const record = (title: unknown) => ({ id: "a", fileName: "a.png", url, title });
  const faults = (title: unknown) =>
    faultsIn({
      "workspace.json": { id: "w", name: "W", assetTexts: true },
      "assets.json": [record(title)],
    });
  expect(faults({ de: 7 })).toEqual([expect.stringContaining('"de" of "title" must be a text')]);
  expect(faults(7)).toEqual([expect.stringContaining('"title" must be a text or an object')]);
  const bed = new CliBed();
  const title = { fr: "F", de: "D" };
  const folder = {
    "workspace.json": { id: "w", name: "W", assetTexts: true },
    "assets.json": [{ ...record(title), versions: [{ ...record(title), id: "v" }] }],
  };
  workspaceFolder(folder, bed.path("in"));
  bed.ok("import", "in");
  bed.ok("export", "out");
  const text = readFileSync(bed.path("out/assets/a.json"), "utf8");
  expect(text.match(/"(?:de|fr)"/g)).toEqual(['"de"', '"fr"', '"de"', '"fr"']);
});

describe("folder: a `file` is inside of the folder", () => {
  it.each(["files/a.txt", "./files/a.txt", "files//a.txt", "files/./a.txt"])(
    "folder: %j is a path inside it",
    (file) => {
      expect(faultsOfAsset({ file })).toEqual([]);
    },
  );

  it.each([
    "../secret.txt",
    "files/../../secret.txt",
    "files/../files/a.txt",
    "..",
    "..\\secret.txt",
    "/etc/hostname",
    "C:\\secret.txt",
    "files/a.txt\u0000.png",
  ])("folder: %j leaves the folder", (file) => {
    expect(faultsOfAsset({ file })).toEqual([
      expect.stringMatching(/^assets\.json:1:31 the file .* leaves the folder/),
    ]);
  });

  it("folder: absolute paths are rejected, even of a file in the folder", () => {
    const folder = workspaceFolder({ "files/a.txt": "x" });
    const assets = JSON.stringify([asset({ file: join(folder, "files/a.txt") })]);
    writeFileSync(join(folder, "assets.json"), assets);
    expect(faultsOf(folder)).toEqual([
      expect.objectContaining({ message: expect.stringContaining("leaves the folder") }),
    ]);
  });

  it.each([
    ["nothing", "gone.txt"],
    ["nothing below nothing", "gone/a.txt"],
    ["no path", ""],
    ["the folder itself", "."],
    ["a folder", "files"],
    ["something below a file", "files/a.txt/b"],
    ["a name that no file can have", "x".repeat(999)],
  ])("folder: a path that leads to no file is not there: %s", (_, file) => {
    expect(faultsOfAsset({ file })).toEqual([
      expect.stringMatching(/^assets\.json:1:31 .*(is not a file|there is no file)/),
    ]);
  });

  it.each([
    ["a link to a file outside", "files/alias", "OUT/secret.txt", "files/alias"],
    ["a link to a file inside", "files/alias", "files/a.txt", "files/alias"],
    ["a linked folder outside", "aliases", "OUT", "aliases/secret.txt"],
    ["a linked folder inside", "aliases", "files", "aliases/a.txt"],
    ["a dangling link", "files/alias", "nowhere", "files/alias"],
  ])("folder: a file is read through no link: %s", (_, link, target, file) => {
    const outside = temporaryFolder();
    writeFileSync(join(outside, "secret.txt"), "secret");
    const folder = workspaceFolder({ "assets.json": [asset({ file })], "files/a.txt": "x" });
    mkdirSync(dirname(join(folder, link)), { recursive: true });
    symlinkSync(
      target.replace("OUT", outside).replace(/^files/, `${folder}/files`),
      join(folder, link),
    );
    expect(faultsOf(folder)).toEqual([
      {
        code: "record-invalid",
        file: "assets.json",
        line: 1,
        column: 31,
        record: { kind: "asset", id: "a" },
        message: expect.stringContaining("link"),
      },
    ]);
  });

  it("folder: the same holds for the versions of an asset", () => {
    const versions = [{ id: "v", fileName: "v.txt", file: "../v.txt" }];
    expect(faultsOfAsset({ file: "files/a.txt", versions })).toEqual([
      expect.stringMatching(/^assets\.json:1:\d+ the file "\.\.\/v\.txt" leaves the folder/),
    ]);
  });
});

describe("folder: an asset has a file or an absolute url", () => {
  it.each([{}, { url: "" }, { url: "/a.png" }, { url: "//a.example/a.png" }, { url: "a.png" }])(
    "folder: %j gives neither",
    (members) => {
      expect(faultsOfAsset(members)).toEqual([expect.stringMatching(/absolute/)]);
    },
  );

  it("folder: https and http urls are absolute, in any letter case", () => {
    for (const url of ["https://a.example", "http://a.example/a%20b?x#y", "HTTPS://A.EXAMPLE"]) {
      expect(faultsOfAsset({ url })).toEqual([]);
    }
    const versions = [{ id: "v", fileName: "v" }];
    expect(faultsOfAsset({ url: "https://a.example", versions })).toHaveLength(1);
  });
});

describe("folder: a `fileName` is a single path segment", () => {
  it.each([
    "",
    ".",
    "..",
    "a/b",
    "../a",
    "/a",
    "a\\b",
    "a\u0000b",
    "a\nb",
    "\u007f",
    "\ud800",
    "x".repeat(256),
    "...",
    ".htaccess",
    "Web.config",
  ])("folder: %j is none", (fileName) => {
    const held = faultsOfAsset({ fileName, file: "files/a.txt" });
    const byUrl = faultsOfAsset({ fileName, url: "https://a.example" });
    expect(held).toEqual([expect.stringMatching(/^assets\.json:1:12 the fileName /)]);
    expect(byUrl).toEqual(held);
  });

  it.each(["a", "50% off #1?.png", "Größe 𝐀.html", "a:b", "x".repeat(255)])(
    "folder: %j is one",
    (fileName) => {
      expect(faultsOfAsset({ fileName, file: "files/a.txt" })).toEqual([]);
    },
  );
});
