import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { temporaryFolder } from "../support/test-bed.ts";
import { faultsIn, faultsOf } from "../support/workspaces/workspace-folder.ts";

/** A file system in which letter case does not matter: it lists the names as they were given. */
vi.mock("node:fs", async (importActual) => {
  const fs = await importActual<typeof import("node:fs")>();
  const { basename, dirname, join } = await import("node:path");
  const listed = (path: string): string => {
    const parent = dirname(path);
    if (parent === path) return path;
    const folder = listed(parent);
    if (!fs.lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return path;
    const folded = basename(path).toLowerCase();
    const name = fs.readdirSync(folder).find((one) => one.toLowerCase() === folded);
    return join(folder, name ?? basename(path));
  };
  return {
    ...fs,
    lstatSync: (path: string, options: object) => fs.lstatSync(listed(path), options),
    readFileSync: (path: string, options: object) => fs.readFileSync(listed(path), options),
    openSync: (path: string, flags: string) => fs.openSync(listed(path), flags),
    readdirSync: (path: string, options: object) => fs.readdirSync(listed(path), options as never),
  };
});

const ENTRY = { id: "e", modelId: "m", data: {} };
const asset = (file: string) => [{ id: "a", fileName: "a.png", file }];

describe("W1: where letter case does not matter, names are compared as the folder lists them", () => {
  it.each([
    ["Entries/a.json", ENTRY],
    ["Entries.json", [ENTRY]],
    ["entries.NDJSON", ENTRY],
  ])("W1: %s is not read as entries", (path, contents) => {
    const name = path.replace(/\/.*/, "");
    expect(faultsIn({ [path]: contents })).toEqual([
      expect.stringMatching(new RegExp(`^${name} is not read: .* did you mean "entries`)),
    ]);
  });

  it("W1: Workspace.json is not read as workspace.json", () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "Workspace.json"), '{ "id": "w", "name": "W" }');
    expect(faultsOf(folder).map(({ file }) => file)).toEqual(["Workspace.json", "workspace.json"]);
  });

  it("W1: an asset's file is the one that is listed", () => {
    const files = { "images/Hero.png": "png" };
    expect(faultsIn({ ...files, "assets.json": asset("images/Hero.png") })).toEqual([]);
    for (const file of ["images/hero.png", "Images/Hero.png"]) {
      expect(faultsIn({ ...files, "assets.json": asset(file) })).toEqual([
        expect.stringContaining(`there is no file "${file}", but one in other letter case`),
      ]);
    }
  });
});
