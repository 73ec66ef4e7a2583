import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Folder, TEMPORARY } from "../../src/files/folder.ts";
import { replaceFile } from "../../src/files/replace-file.ts";
import { bytesBelow, pathsBelow } from "../support/file-tree.ts";
import { temporaryFolder } from "../support/test-bed.ts";

const refused = (code: string) => expect.objectContaining({ code, hint: expect.any(String) });

const anything = () => true;

/** Every way in which a folder is changed, with this path. */
const changes = (folder: Folder, path: string) => [
  () => folder.replace(path, "x"),
  () => folder.remove(path),
  () => folder.removeFolder(path),
  () => folder.move(path, "a.json"),
  () => folder.move("a.json", path),
  () => folder.checkWritable(path),
  () => folder.stat(path),
  () => folder.read(path),
];

describe("F9: the paths of files that are written", () => {
  it.each([
    "",
    "/",
    "/etc/passwd",
    "..",
    "../a.json",
    "a/../../b.json",
    "a/./b",
    "a//b",
    "a/",
    "a\\b",
    "..\\a",
    "C:\\a",
    "a\0b",
  ])("F9: %j is refused, whatever would be done there", (path) => {
    const outside = temporaryFolder();
    const at = join(outside, "folder");
    mkdirSync(at);
    writeFileSync(join(at, "a.json"), "a");
    writeFileSync(join(outside, "b.json"), "b");
    const before = bytesBelow(outside);
    for (const change of changes(new Folder(at, anything), path)) {
      expect(change).toThrow(refused("path-refused"));
    }
    expect(bytesBelow(outside)).toEqual(before);
  });

  it("F9a: a folder holds only what its caller says", () => {
    const folder = new Folder(temporaryFolder(), (path) => path.startsWith(".svc/"));
    folder.replace(".svc/list.txt", "x");
    for (const path of [".git/hooks/post-merge", "index.html"]) {
      for (const change of changes(folder, path)) expect(change).toThrow(refused("path-refused"));
    }
    expect(() => folder.replace(".svc/../a", "x")).toThrow(refused("path-refused"));
    expect(pathsBelow(folder.path)).toEqual([".svc/list.txt"]);
  });

  it("F9: no link is followed out of the folder, and none is written through", () => {
    const [at, outside] = [temporaryFolder(), temporaryFolder()];
    writeFileSync(join(outside, "b.json"), "b");
    symlinkSync(outside, join(at, "link"));
    mkdirSync(join(at, "real"));
    symlinkSync(join(outside, "b.json"), join(at, "real/b.json"));
    symlinkSync(join(outside, "b.json"), join(at, TEMPORARY));
    const folder = new Folder(at, anything);
    for (const path of ["link/b.json", "link/new/b.json"]) {
      expect(() => folder.replace(path, "x")).toThrow(refused("out-obstructed"));
      expect(() => folder.remove(path)).toThrow(refused("out-obstructed"));
      expect(() => folder.removeFolder(path)).toThrow(refused("out-obstructed"));
      expect(() => folder.move("real/b.json", path)).toThrow(refused("out-obstructed"));
      expect(() => folder.move(path, "real/c.json")).toThrow(refused("out-obstructed"));
      expect(() => folder.stat(path)).toThrow(refused("out-obstructed"));
      expect(() => folder.read(path)).toThrow(refused("out-obstructed"));
    }
    folder.replace("real/b.json", "x");
    expect(readFileSync(join(at, "real/b.json"), "utf8")).toBe("x");
    expect(bytesBelow(outside)).toEqual({ "b.json": expect.any(String) });
    expect(readFileSync(join(outside, "b.json"), "utf8")).toBe("b");
  });
});

describe("F3: a file is replaced whole", () => {
  it("F3: its parts are written one after the other, and none of it is seen before the last", () => {
    const folder = new Folder(temporaryFolder(), anything);
    folder.replace("a/b.txt", "old");
    function* parts() {
      yield "one, ";
      expect(readFileSync(join(folder.path, "a/b.txt"), "utf8")).toBe("old");
      yield Buffer.from("two");
    }
    folder.replace("a/b.txt", parts());
    expect(readFileSync(join(folder.path, "a/b.txt"), "utf8")).toBe("one, two");
    function* failing() {
      yield "three";
      throw new Error("no more");
    }
    expect(() => folder.replace("a/b.txt", failing())).toThrow("no more");
    expect(pathsBelow(folder.path)).toEqual(["a/b.txt"]);
    expect(readFileSync(join(folder.path, "a/b.txt"), "utf8")).toBe("one, two");
  });

  it("F3: folders that become empty are removed, and made again", () => {
    const folder = new Folder(temporaryFolder(), anything);
    folder.replace("a/b/c.txt", "x");
    folder.replace("a/d.txt", "x");
    folder.remove("a/b/c.txt");
    expect(existsSync(join(folder.path, "a/b"))).toBe(false);
    folder.remove("a/d.txt");
    expect(existsSync(join(folder.path, "a"))).toBe(false);
    folder.replace("a/b/c.txt", "y");
    expect(pathsBelow(folder.path)).toEqual(["a/b/c.txt"]);
  });
});

it("cli.md: a file that a user names and that cannot be written is named in the error", () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "file"), "a");
  const path = join(folder, "file", "types.ts");
  expect(() => replaceFile(path, "b")).toThrow(`cannot write "${path}": it must be a folder`);
  expect(bytesBelow(folder)).toEqual({ file: "a" });
});
