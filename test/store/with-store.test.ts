import { spawnSync } from "node:child_process";
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openStore, type Store } from "../../src/store/store.ts";
import { withStore } from "../../src/store/with-store.ts";
import { pathsBelow } from "../support/file-tree.ts";
import { limitFiles } from "../support/limited-files.ts";
import { source, temporaryFolder } from "../support/test-bed.ts";

const fails = () => {
  throw new Error("the folder has a fault");
};

/** As another process does meanwhile. */
function importAnother(file: string): void {
  const other = openStore(file, { create: true });
  other.import(source({ id: "of-another" }), new Date());
  other.close();
}

function workspacesOf(file: string): string[] {
  const store = openStore(file);
  const ids = store.workspaces().map(({ id }) => id);
  store.close();
  return ids;
}

describe("cli.md: a command that fails changes nothing, in a store created by it", () => {
  it("a store is not created if the work fails", async () => {
    const folder = temporaryFolder();
    await expect(withStore(join(folder, "new.db"), fails, { create: true })).rejects.toThrow(
      "the folder has a fault",
    );
    expect(pathsBelow(folder)).toEqual([]);
  });

  it("failed work keeps the store that another process created meanwhile", async () => {
    const file = join(temporaryFolder(), "new.db");
    const work = withStore(
      file,
      () => {
        importAnother(file);
        fails();
      },
      { create: true },
    );
    await expect(work).rejects.toThrow("the folder has a fault");
    expect(workspacesOf(file)).toEqual(["of-another"]);
  });

  it("work runs again on the store that another process created meanwhile", async () => {
    const folder = temporaryFolder();
    const file = join(folder, "new.db");
    let turns = 0;
    await withStore(
      file,
      (store: Store) => {
        turns += 1;
        if (turns === 1) importAnother(file);
        store.import(source({ id: "ours" }), new Date());
      },
      { create: true },
    );
    expect(workspacesOf(file)).toEqual(["of-another", "ours"]);
    expect(pathsBelow(folder).filter((path) => path.includes(".new"))).toEqual([]);
  });

  it("the temporary store of a killed process is removed, and nothing else", async () => {
    const folder = temporaryFolder();
    const { pid = 0 } = spawnSync(process.execPath, ["--version"]);
    const others = ["new.db.1.new.txt", `new.db.${process.ppid}.new`, "new.db.new", "x.db.1.new"];
    const left = ["", "-wal", "-shm", "-journal"].map((end) => `new.db.${pid}.new${end}`);
    for (const name of [...others, ...left]) writeFileSync(join(folder, name), "");
    await withStore(join(folder, "new.db"), () => {}, { create: true });
    expect(pathsBelow(folder)).toEqual([...others, "new.db"].sort());
  });

  it("an existing store is kept, even if it is empty", async () => {
    const file = join(temporaryFolder(), "old.db");
    openStore(file, { create: true }).close();
    await expect(withStore(file, fails, { create: true })).rejects.toThrow();
    expect(workspacesOf(file)).toEqual([]);
  });
});

describe.each(["EPERM", "ENOTSUP", "ENOSYS", "EISDIR"])("without hard links (%s)", (links) => {
  const limited = async <T>(work: () => Promise<T>) => {
    const undo = limitFiles({ openFiles: true, links });
    try {
      return await work();
    } finally {
      undo();
    }
  };

  it("F8a: a store is created, and nothing is left beside it", async () => {
    const folder = temporaryFolder();
    const file = join(folder, "new.db");
    const work = (store: Store) => store.import(source({ id: "ours" }), new Date());
    await limited(() => withStore(file, work, { create: true }));
    expect(workspacesOf(file)).toEqual(["ours"]);
    expect(pathsBelow(folder)).toEqual(["new.db"]);
  });

  it("F8a: the store that another process created meanwhile is kept", async () => {
    const folder = temporaryFolder();
    const file = join(folder, "new.db");
    let turns = 0;
    const work = (store: Store) => {
      turns += 1;
      if (turns === 1) importAnother(file);
      store.import(source({ id: "ours" }), new Date());
    };
    await limited(() => withStore(file, work, { create: true }));
    expect(workspacesOf(file)).toEqual(["of-another", "ours"]);
    expect(pathsBelow(folder)).toEqual(["new.db"]);
  });
});

describe("a name that another process has reserved", () => {
  it("F8a: is waited for until it names a store", async () => {
    const folder = temporaryFolder();
    const file = join(folder, "new.db");
    writeFileSync(file, "");
    importAnother(join(folder, "other.db"));
    setTimeout(() => renameSync(join(folder, "other.db"), file), 100);
    const work = (store: Store) => store.import(source({ id: "ours" }), new Date());
    await withStore(file, work, { create: true });
    expect(workspacesOf(file)).toEqual(["of-another", "ours"]);
  });

  it("F8a: is an error when it stays empty, and the hint says what to do", async () => {
    const file = join(temporaryFolder(), "new.db");
    writeFileSync(file, "");
    await expect(withStore(file, () => {}, { create: true })).rejects.toMatchObject({
      code: "store-not-found",
      hint: expect.stringContaining("delete it"),
    });
  });
});
