import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { secondWriter } from "../../src/cli/second-writer.ts";
import { publish } from "../../src/publish/publish.ts";
import { workOnBlocks } from "../../src/publish/shared-blocks.ts";
import type { SecondThread } from "../../src/publish/write-documents.ts";
import { bytesBelow } from "../support/file-tree.ts";
import { page, projectOf, smallWorkspace } from "../support/small-workspace.ts";
import { TestBed } from "../support/test-bed.ts";

const COUNT = 2100;

const ids = Array.from({ length: COUNT }, (_, index) => `e${index}`);
const MANY = smallWorkspace({
  projects: [projectOf("site", ...ids)],
  entries: ids.map((id) => page(id, `Page ${id}`)),
});

function publishedWith(secondThread: SecondThread | undefined): TestBed {
  const bed = new TestBed(MANY);
  const how = { strict: false, now: new Date(), onProgress: () => {} };
  const { files } = publish(bed.store, bed.store.workspace("w"), bed.out, {
    ...how,
    ...(secondThread && { secondThread }),
  });
  expect(files.written).toBe(COUNT + 4);
  expect(bed.verify()).toMatchObject({ ok: true });
  return bed;
}

it("issue 7: two threads write what one writes", () => {
  const alone = publishedWith(undefined);
  let started = 0;
  const together = publishedWith((task) => {
    started += 1;
    secondWriter(join(alone.folder, "workspace.db"))(task);
  });
  expect(started).toBe(1);
  expect(bytesBelow(together.out)).toEqual(bytesBelow(alone.out));
}, 60_000);

it("issue 7: what a second thread begins and cannot do, the first does", () => {
  const failing: SecondThread = ({ memory, documents }) => {
    const fail = () => {
      throw new Error("cannot");
    };
    for (let times = 0; times < 3; times += 1) {
      expect(() => workOnBlocks(memory, documents.length, fail)).toThrow("cannot");
    }
  };
  publishedWith(failing);
}, 60_000);

it("issue 7: the program writes many documents, and ends", () => {
  const bed = new TestBed(MANY);
  const program = join(import.meta.dirname, "../../bin/svc.ts");
  const args = [program, "publish", "--store", bed.store.file, "--out", bed.out, "--json"];
  const { files } = JSON.parse(
    execFileSync(process.execPath, args, { encoding: "utf8", timeout: 50_000 }),
  );
  expect(files.written).toBe(COUNT + 4);
  expect(bed.verify().ok).toBe(true);
}, 60_000);
