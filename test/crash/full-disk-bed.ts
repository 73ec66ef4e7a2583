import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { readFolder } from "../../src/folder/read-folder.ts";
import { write } from "../../src/publish/publish.ts";
import { verify } from "../../src/publish/verify.ts";
import { openStore } from "../../src/store/store.ts";
import { temporaryFolder } from "../support/test-bed.ts";
import { PAGE_MODEL, page, projectOf } from "../support/workspaces/small-workspace.ts";
import { workspaceFolder } from "../support/workspaces/workspace-folder.ts";
import { leftovers, type OutState, outState } from "./out-state.ts";
import { publishTo } from "./references.ts";
import { SmallDisk } from "./small-disk.ts";

export const PLACES = ["out", "store", "out and store"] as const;
export const COMMANDS = ["publish", "write", "rollback", "import"] as const;

/** A workspace folder with this number of pages. */
function folderOf(pages: number, isLong: (at: number) => boolean): string {
  const entries = Array.from({ length: pages }, (_, at) =>
    page(`page-${at}`, `Page ${at} `.repeat(isLong(at) ? 1_500 : 3)),
  );
  return workspaceFolder({
    "models.json": [PAGE_MODEL],
    "projects.json": [projectOf("site", ...entries.map(({ id }) => id))],
    "entries.json": entries,
  });
}

/** A store and an `out/`, one or both on a small disk. */
export class FullDiskBed {
  readonly disk = new SmallDisk();
  readonly folder = temporaryFolder();
  readonly out: string;
  readonly store: string;
  readonly args: readonly string[];
  readonly folderToImport = folderOf(30, (at) => at % 3 > 0);
  readonly old: OutState;
  /** `out/` after the command. */
  readonly done: OutState;

  constructor(place: (typeof PLACES)[number], command: (typeof COMMANDS)[number]) {
    this.out = join(place.includes("out") ? this.disk.path : this.folder, "out");
    this.store = join(place.includes("store") ? this.disk.path : this.folder, "workspace.db");
    const small = folderOf(20, () => false);
    const large = this.folderToImport;
    const store = openStore(this.store, { create: true });
    const publishFolder = (folder: string) => {
      store.import(readFolder(folder), new Date());
      return { ...publishTo(store, this.out), files: outState(this.out) };
    };
    const second = publishFolder(large);
    const first = publishFolder(small);
    if (command === "publish") store.import(readFolder(large), new Date());
    if (command === "write") {
      for (const path of first.files.keys()) {
        if (path.endsWith("content.json")) writeFileSync(join(this.out, path), "");
      }
    }
    store.close();
    this.old = outState(this.out);
    const targets = { publish: second, rollback: second, write: first, import: first };
    this.done = targets[command].files;
    const more = { publish: [], write: [], rollback: [second.versionId], import: [large] };
    const out = command === "import" ? [] : ["--out", this.out];
    this.args = [command, ...more[command], ...out, "--store", this.store];
  }

  /** Writes the current version to `out/`. */
  complete(): void {
    const store = openStore(this.store);
    write(store, store.workspace(undefined), this.out, { onProgress: () => {} });
    store.close();
    expect(leftovers(this.out)).toEqual([]);
    expect(verify(this.out, () => {})).toMatchObject({ ok: true, differs: [] });
  }
}
