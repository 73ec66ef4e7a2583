import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { verify } from "../../src/publish/verify.ts";
import { COMMANDS, FullDiskBed, PLACES } from "./full-disk-bed.ts";
import { differingFromAll, leftovers, outState } from "./out-state.ts";
import { start } from "./processes.ts";
import { CANNOT_MOUNT, SmallDisk } from "./small-disk.ts";
import { storeState } from "./store-state.ts";

/** Numbers of free blocks. */
const FREE = [0, 2, 8, 12, 24, 48, 96, 200, 600];

const title = CANNOT_MOUNT === undefined ? "" : ` (skipped: ${CANNOT_MOUNT})`;

describe.skipIf(CANNOT_MOUNT)(`a disk that fills up${title}`, () => {
  for (const place of PLACES) {
    for (const command of COMMANDS) {
      if (command === "import" && place !== "store") continue;
      it(`${command} with ${place} on it: disk-full, old files intact, completed later`, async () => {
        let fails = 0;
        for (const free of FREE) {
          const bed = new FullDiskBed(place, command);
          const before = storeState(bed.store);
          bed.disk.fill(free);
          const { status, value } = await start(bed.folder, ...bed.args);
          const what = `${free} blocks free: ${JSON.stringify(value)}`;
          const found = outState(bed.out);
          expect(differingFromAll(found, bed.old, bed.done), what).toEqual([]);
          if (status !== 0) {
            fails += 1;
            expect({ status, code: value.error.code }, what).toEqual({
              status: 3,
              code: "disk-full",
            });
            expect(value.error.hint, what).toEqual(expect.any(String));
          }
          bed.disk.makeRoom();
          const isCommitted = storeState(bed.store).current !== before.current;
          if (status !== 0 && !isCommitted) expect(storeState(bed.store), what).toEqual(before);
          const isTouched = differingFromAll(found, bed.old).length > 0;
          if (status !== 0 && !isCommitted && command !== "write") {
            expect([isTouched, leftovers(bed.out)], `refused: ${what}`).toEqual([false, []]);
          }
          if (status !== 0 && (isCommitted || isTouched)) {
            expect(verify(bed.out, () => {}).interrupted, what).toHaveLength(1);
          }
          bed.complete();
          const isCompleted = isCommitted || command === "write" || status === 0;
          if (isCompleted) expect(differingFromAll(outState(bed.out), bed.done), what).toEqual([]);
          if (status === 0) break;
        }
        expect(fails, "how often the disk was full").toBeGreaterThan(0);
      });
    }
  }
});

describe.skipIf(CANNOT_MOUNT)(`a disk that is full before the command${title}`, () => {
  it.each([
    ["a first import", ["import", "--store"], "new.db"],
    ["a publish to a new folder", ["publish", "--out"], "new/out"],
  ] as const)("%s fails with disk-full, and leaves no files", async (_what, args, path) => {
    const bed = new FullDiskBed("store", "import");
    const full = new SmallDisk();
    for (const free of [0, 1, 5, 10, 15]) {
      full.fill(free);
      const command = [...args, join(full.path, path)];
      if (args[0] === "publish") command.push("--store", bed.store);
      else command.push(bed.folderToImport);
      const { status, value } = await start(bed.folder, ...command);
      expect({ status, code: value.error?.code }, `${free}`).toEqual({
        status: 3,
        code: "disk-full",
      });
      expect(readdirSync(full.path), `${free} blocks free`).toEqual(["filler"]);
      full.makeRoom();
    }
  });
});

describe.skipIf(CANNOT_MOUNT)(`a disk that is read-only${title}`, () => {
  it.each([
    ["publish", "out", "out-unwritable"],
    ["write", "out", "out-unwritable"],
    ["rollback", "out", "out-unwritable"],
    ["publish", "store", "store-unwritable"],
    ["import", "store", "store-unwritable"],
  ] as const)(
    "%s with %s on it is refused as %s, and changes nothing",
    async (command, place, code) => {
      const bed = new FullDiskBed(place, command);
      const before = storeState(bed.store);
      bed.disk.makeReadOnly();
      const { status, value } = await start(bed.folder, ...bed.args);
      expect({ status, code: value.error?.code }, value.error?.message).toEqual({
        status: 3,
        code,
      });
      expect(value.error.hint).toEqual(expect.any(String));
      expect(differingFromAll(outState(bed.out), bed.old)).toEqual([]);
      bed.disk.makeWritable();
      expect(storeState(bed.store)).toEqual(before);
    },
  );
});
