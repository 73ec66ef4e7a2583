import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { WatchedFolder } from "../../src/follow/watched-folder.ts";
import { workspaceFolder } from "../support/workspaces/workspace-folder.ts";

let folder: string;
let watched: WatchedFolder;
beforeEach(() => {
  folder = workspaceFolder({ "entries/en/a.json": {}, "entries/b.json": {}, "out/c.json": {} });
  watched = new WatchedFolder(folder, [join(folder, "out")]);
  onTestFinished(() => watched.close());
  watched.renew();
});

const write = (path: string) => writeFileSync(join(folder, path), "{}");

/** What has changed when it is reported. */
async function changed(): Promise<readonly string[] | undefined> {
  await watched.changed();
  const paths = watched.take();
  return paths && [...paths].sort();
}

describe("H10: a watched folder", () => {
  it("H10: names the files that are written, renamed and removed", async () => {
    write("entries/en/a.json");
    write("entries/en/.hidden.json");
    write("out/c.json");
    expect(await changed()).toEqual(["entries/en/a.json"]);
    write("entries/b.json~");
    renameSync(join(folder, "entries/b.json~"), join(folder, "entries/b.json"));
    rmSync(join(folder, "entries/en/a.json"));
    expect(await changed()).toEqual(["entries/b.json", "entries/b.json~", "entries/en/a.json"]);
    expect(await watched.changed(50)).toBe(false);
  });

  it("H10: does not know which after changes of watched folders, the folder itself, or very many", async () => {
    rmSync(join(folder, "entries/en"), { recursive: true });
    expect(await changed()).toBeUndefined();
    watched.renew();
    // Linux counts the same event twice in a row as one.
    for (let pair = 0; pair < 5001; pair += 1)
      for (const name of ["a", "b"]) write(`entries/${name}.json`);
    expect(await changed()).toBeUndefined();
    watched.renew();
    renameSync(folder, `${folder}.old`);
    onTestFinished(() => rmSync(`${folder}.old`, { recursive: true }));
    mkdirSync(folder);
    expect(await changed()).toBeUndefined();
  });

  it("H10: names a folder that was not there, as what is below it is not watched", async () => {
    mkdirSync(join(folder, "entries/de"));
    expect(await changed()).toEqual(["entries/de"]);
  });
});
