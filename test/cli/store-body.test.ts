import { closeSync, ftruncateSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { storeBody } from "../../src/cli/commands/store.ts";
import { hash } from "../support/deploy/object-bodies.ts";
import { temporaryFolder } from "../support/test-bed.ts";

it("R13: a store of more than 5 GiB is refused before it is read", async () => {
  const file = join(temporaryFolder(), "large.db");
  const descriptor = openSync(file, "w");
  // Sparse: it takes no room.
  ftruncateSync(descriptor, 6 * 1024 ** 3);
  closeSync(descriptor);
  let read = 0;
  const progress = () => {
    read += 1;
  };
  await expect(storeBody(file, { progress })).rejects.toMatchObject({
    code: "store-too-large",
    message: "the store has 6.4 GB, and one upload at most 5.4 GB",
    hint: expect.stringContaining("--keep"),
  });
  expect(read).toBe(0);
});

it("R13: a smaller one is uploaded as it is", async () => {
  const file = join(temporaryFolder(), "small.db");
  writeFileSync(file, "text");
  const { size, sha256 } = await storeBody(file, { progress: () => {} });
  expect({ size, sha256 }).toEqual({ size: 4, sha256: hash("sha256", Buffer.from("text")) });
});
