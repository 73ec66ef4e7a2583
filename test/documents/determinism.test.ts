import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bytesBelow } from "../support/file-tree.ts";
import { temporaryFolder } from "../support/test-bed.ts";

const ROOT = join(import.meta.dirname, "..", "..");
/** The published storefront, checked in: the expected output. */
const OUT = join(ROOT, "out");
const NEIGHBOUR = join(ROOT, "fixtures", "neighbour");
const STOREFRONT = join(ROOT, "fixtures", "storefront");

describe("R2: the same workspace gives the same bytes", () => {
  it("R2: the time zone and the locale of the machine have no effect", () => {
    const folder = temporaryFolder();
    const script = `
      import { openStore, publish, readFolder, StoreSource } from ${JSON.stringify(join(ROOT, "src", "index.ts"))};
      const store = openStore("store.db", { create: true });
      for (const path of process.argv.slice(1)) store.import(readFolder(path), new Date());
      const severity = { "block-deleted": "warning", "model-missing": "warning" };
      const options = { strict: false, severity, now: new Date(), onProgress() {} };
      publish(new StoreSource(store, store.workspace("storefront")), "out", options);
      console.log(new Date("2026-01-01T00:00Z").getHours(), new Intl.Collator().resolvedOptions().locale);`;
    const args = ["--input-type=module", "--eval", script, NEIGHBOUR, STOREFRONT];
    const printed = execFileSync(process.execPath, args, {
      cwd: folder,
      env: { TZ: "Pacific/Kiritimati", LC_ALL: "tr_TR.UTF-8", LANG: "de_DE.UTF-8" },
      encoding: "utf8",
    });
    expect(printed, "the other place is really one").toBe("14 tr-TR\n");
    expect(bytesBelow(join(folder, "out"))).toEqual(bytesBelow(OUT));
  });
});
