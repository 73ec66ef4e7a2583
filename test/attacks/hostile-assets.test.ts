import { copyFileSync, lstatSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { CliBed, STARTER } from "../support/cli-bed.ts";
import { bytesBelow, pathsBelow } from "../support/file-tree.ts";
import { newStore } from "../support/store/new-store.ts";
import { workspaceFolder } from "../support/workspaces/workspace-folder.ts";

const SECRET = "aws_secret_access_key=hunter2";

/** Files of a person that lie in or beside content, in a folder of their own. */
const PRIVATE = [
  ".git/config",
  ".env",
  "images/.env.local",
  ".aws/credentials",
  "node_modules/left-pad/.npmrc",
  "node_modules/left-pad/index.txt",
  "./.env",
  "images/../.env",
  "images\\.env",
  "NODE_MODULES/x.txt",
  "workspace.json",
  "projects/site.json",
  "entries.ndjson",
  "package.json",
  "Package.json",
  "svc.config.json",
  "images/vite.config.ts",
  "web.config",
  "workspace.db-wal",
  "workspace.db-shm",
  "workspace.db-journal",
];

/** A workspace folder with an asset at a path, at which the secret is. */
function contentWith(bed: CliBed, file: string, more: object = {}): void {
  const asset = { id: "a", fileName: "a.txt", file, ...more };
  const files = {
    "models.json": [{ id: "m", key: "m", name: "M", fields: [{ key: "file", type: "asset" }] }],
    "projects.json": [
      {
        id: "site",
        name: "Site",
        steps: [{ id: "s", key: "s", name: "S", layoutName: "l", layoutContentId: "e" }],
        experiences: [{ id: "x", key: "x", name: "X", stepIds: ["s"] }],
      },
    ],
    "entries.json": [{ id: "e", modelId: "m", data: { file: { assetId: "a" } } }],
    "assets.json": [asset],
  };
  workspaceFolder(files, bed.path("content"));
}

describe("an asset that names what is no content", () => {
  it.each(PRIVATE)("W8: %s is refused, and nothing of it is published", (file) => {
    const bed = new CliBed();
    contentWith(bed, file);
    const path = bed.path("content", ...file.split(/[/\\]/));
    mkdirSync(dirname(path), { recursive: true });
    if (file !== "workspace.json") writeFileSync(path, SECRET);
    // That of the folder would be read, and refused before (N2c).
    writeFileSync(bed.path("none.json"), "{}");
    const { error } = bed.json(1, "publish", "content", "--out", "out", "--config", "none.json");
    expect(error.code).toBe("folder-invalid");
    expect(JSON.stringify(bytesBelow(bed.path("out")))).not.toContain(SECRET);
    expect(pathsBelow(bed.path("out"))).toEqual([]);
  });

  it.each(["workspace.db", "images/photo.png"])(
    "W8: a store is refused by its bytes, whatever it is called: %s",
    (file) => {
      const bed = new CliBed();
      contentWith(bed, file);
      mkdirSync(bed.path("content/images"));
      newStore(bed.path("content", file)).close();
      const { error } = bed.json(1, "publish", "content", "--out", "out");
      expect(error.problems[0].message).toContain("a store");
      expect(pathsBelow(bed.path("out"))).toEqual([]);
    },
  );

  it.each([
    ["of the file", "images/a.txt", "images/a.txt"],
    ["above it", "images", "images/a.txt"],
  ])("folder: a link %s out of the folder is refused", (_where, link, file) => {
    const bed = new CliBed();
    contentWith(bed, file);
    mkdirSync(bed.path("secrets"));
    writeFileSync(bed.path("secrets/a.txt"), SECRET);
    mkdirSync(dirname(bed.path("content", link)), { recursive: true });
    symlinkSync(bed.path(link === file ? "secrets/a.txt" : "secrets"), bed.path("content", link));
    const { error } = bed.json(1, "publish", "content", "--out", "out");
    expect(error.problems[0].message).toContain("symbolic link");
    expect(pathsBelow(bed.path("out"))).toEqual([]);
  });

  it.each([".htaccess", ".user.ini", "web.config", "WEB.CONFIG", "../index.html", ".."])(
    "W8: a server would take the fileName %s for its own, so it is refused",
    (fileName) => {
      const bed = new CliBed();
      contentWith(bed, "images/a.txt", { fileName });
      mkdirSync(bed.path("content/images"));
      writeFileSync(bed.path("content/images/a.txt"), "SetHandler application/x-httpd-php");
      expect(bed.json(1, "publish", "content", "--out", "out").error.problems).toHaveLength(1);
      expect(pathsBelow(bed.path("out"))).toEqual([]);
    },
  );

  it("W8: ordinary files of any type are assets", () => {
    for (const file of ["images/a.db", "files/config.txt", "remote/a.json", "a-walk.png"]) {
      const bed = new CliBed();
      contentWith(bed, file);
      mkdirSync(dirname(bed.path("content", file)), { recursive: true });
      writeFileSync(bed.path("content", file), "{}");
      bed.ok("publish", "content", "--out", "out");
      expect(pathsBelow(bed.path("out/assets")), file).toHaveLength(1);
    }
  });

  it("W8: a text in Markdown that links a configuration or a store publishes none of it", () => {
    const bed = new CliBed();
    const links = ["package.json", "workspace.db", "vite.config.ts", ".env", "a.png"];
    const text = links.map((link) => `![x](${link}) [[${link}]]`).join("\n\n");
    const secrets = { "package.json": SECRET, "vite.config.ts": SECRET, ".env": SECRET };
    const files = { "index.md": `# Home\n\n${text}\n`, "a.png": "picture", ...secrets };
    workspaceFolder(files, bed.path("texts"));
    copyFileSync(new CliBed(STARTER).path("workspace.db"), bed.path("texts/workspace.db"));
    const result = bed.json(0, "import", "--from", "markdown", "texts", "--store", "new.db");
    expect(result.counts.assets).toBe(1);
  });
});

it("W8, X14: an export of Sanity publishes no hidden file, none through a link, and no address that runs", () => {
  const bed = new CliBed();
  const file = (name: string) => ({ _type: "file", _sanityAsset: `file@file://./files/${name}` });
  const image = (name: string) => ({
    _type: "image",
    _sanityAsset: `image@file://./images/${name}`,
  });
  const documents = [
    {
      _id: "a",
      _type: "page",
      env: file(".env"),
      linked: image("secret.txt"),
      config: file("vite.config.ts"),
      script: { _type: "image", asset: { _ref: "image-abc-1x1-png" } },
      right: file("a.txt"),
    },
    { _id: "image-abc-1x1-png", _type: "sanity.imageAsset", url: "javascript:alert(1)" },
  ];
  const lines = documents.map((one) => JSON.stringify(one)).join("\n");
  mkdirSync(bed.path("in/files"), { recursive: true });
  mkdirSync(bed.path("home"));
  writeFileSync(bed.path("in/data.ndjson"), lines);
  for (const path of ["in/files/.env", "in/files/vite.config.ts", "home/secret.txt"]) {
    writeFileSync(bed.path(path), SECRET);
  }
  writeFileSync(bed.path("in/files/a.txt"), "a");
  symlinkSync("../home", bed.path("in/images"));
  const { counts } = bed.json(0, "import", "--from", "sanity", "in");
  expect(counts.assets).toBe(1);
  bed.json(0, "export", "content");
  expect(JSON.stringify(bytesBelow(bed.path("content")))).not.toMatch(/hunter2|javascript/);
});

describe("files without an end", () => {
  it.each(["/dev/zero", "/dev/random"])(
    "N2: a config file that is a link to %s is refused",
    async (device) => {
      const bed = new CliBed();
      symlinkSync(device, bed.path("svc.config.json"));
      for (const args of [["check"], ["check", "--config", device]]) {
        const { stdout } = await bed.runBeside(...args, "--json");
        expect(JSON.parse(stdout).error.code).toBe("config-invalid");
      }
    },
  );

  it("G3: an export reads no link to a device in its folder", async () => {
    const bed = new CliBed(STARTER);
    bed.ok("export", "content");
    symlinkSync("/dev/zero", bed.path("content/entries/zero.json"));
    expect(await bed.runBeside("export", "content")).toMatchObject({ status: 0 });
    mkdirSync(bed.path("other/.svc"), { recursive: true });
    symlinkSync("/dev/zero", bed.path("other/.svc/exported.txt"));
    expect(await bed.runBeside("export", "other")).toMatchObject({ status: 0 });
    expect(lstatSync(bed.path("other/.svc/exported.txt")).isFile()).toBe(true);
  });
});
