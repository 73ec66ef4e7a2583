import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { withStore } from "../../src/cli/with-store.ts";
import { openStore } from "../../src/store/store.ts";
import { pathsBelow } from "../support/file-tree.ts";
import { source, temporaryFolder } from "../support/test-bed.ts";

const fails = () => {
  throw new Error("the folder has a fault");
};

describe("cli.md: nothing is half done after an error, in a store made for the command", () => {
  it("the store is not left behind when nothing was put into it", async () => {
    const folder = temporaryFolder();
    const work = withStore(join(folder, "new.db"), { create: true }, fails);
    await expect(work).rejects.toThrow("the folder has a fault");
    expect(pathsBelow(folder)).toEqual([]);
  });

  it("the store is kept when another process has imported into it meanwhile", async () => {
    const file = join(temporaryFolder(), "new.db");
    const work = withStore(file, { create: true }, () => {
      const other = openStore(file);
      other.import(source({ id: "of-another" }), new Date());
      other.close();
      fails();
    });
    await expect(work).rejects.toThrow("the folder has a fault");
    const store = openStore(file);
    expect(store.workspaces()).toMatchObject([{ id: "of-another" }]);
    store.close();
  });

  it("a store that was there before is kept, even when it is empty", async () => {
    const file = join(temporaryFolder(), "old.db");
    openStore(file, { create: true }).close();
    await expect(withStore(file, { create: true }, fails)).rejects.toThrow();
    const store = openStore(file);
    expect(store.workspaces()).toEqual([]);
    store.close();
  });
});
