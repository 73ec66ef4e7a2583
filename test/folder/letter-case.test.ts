import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { basename, dirname, join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../support/test-bed.ts";
import { faultsIn, faultsOf } from "../support/workspaces/workspace-folder.ts";

/** Where letter case does not matter, a path opens what is listed in any letter case. */
beforeEach(() => {
  const { lstatSync, openSync, readdirSync, readFileSync } = fs;
  const listed = (path: string): string => {
    const folder = basename(path).startsWith("svc-test-") ? undefined : dirname(path);
    if (folder === undefined || folder === path) return path;
    const parent = listed(folder);
    if (!lstatSync(parent, { throwIfNoEntry: false })?.isDirectory()) return path;
    const folded = basename(path).toLowerCase();
    const name = readdirSync(parent).find((one) => one.toLowerCase() === folded);
    return join(parent, name ?? basename(path));
  };
  const withoutCase = <A extends readonly unknown[], R>(open: (path: string, ...more: A) => R) =>
    ((path: unknown, ...more: A) =>
      open(typeof path === "string" ? listed(path) : (path as string), ...more)) as never;
  Object.assign(fs, {
    lstatSync: withoutCase(lstatSync as never),
    openSync: withoutCase(openSync as never),
    readFileSync: withoutCase(readFileSync as never),
    readdirSync: withoutCase(readdirSync as never),
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    Object.assign(fs, { lstatSync, openSync, readFileSync, readdirSync });
    syncBuiltinESMExports();
  });
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
    fs.writeFileSync(join(folder, "Workspace.json"), '{ "id": "w", "name": "W" }');
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
