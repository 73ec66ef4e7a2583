import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { unpackArchive } from "../../src/import/unpack-archive.ts";
import { type ArchivedFile, archiveOf, noise } from "../support/archive.ts";
import { pathsBelow } from "../support/file-tree.ts";
import { temporaryFolder } from "../support/test-bed.ts";

/** The files that an archive is unpacked to, with their texts. */
async function unpacked(bytes: Buffer): Promise<Record<string, string>> {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "a.tar.gz"), bytes);
  await unpackArchive(join(folder, "a.tar.gz"), join(folder, "out", "in"));
  expect(existsSync(join(folder, "evil"))).toBe(false);
  const names = existsSync(join(folder, "out")) ? pathsBelow(join(folder, "out")) : [];
  return Object.fromEntries(
    names.map((name) => [name, readFileSync(join(folder, "out", name), "utf8")]),
  );
}

describe("X16: an archive is unpacked", () => {
  it("files of any size, in folders", async () => {
    const long = noise(1_000_000);
    const files = [
      { name: "set/data.ndjson", text: long },
      { name: "set/images/", type: "5" },
      { name: "set/images/a.svg", text: "x" },
      { name: "set/empty" },
    ];
    expect(await unpacked(archiveOf(files))).toEqual({
      "in/set/data.ndjson": long,
      "in/set/images/a.svg": "x",
      "in/set/empty": "",
    });
  });

  it("long names, of both kinds", async () => {
    const name = `${"folder/".repeat(20)}ä.txt`;
    const record = ` path=${name}\n`;
    const length = Buffer.byteLength(record) + 3;
    const files: ArchivedFile[] = [
      { name: "pax", type: "x", text: `${length}${record}` },
      { name: "short", text: "1" },
      { name: "././@LongLink", type: "L", text: `${name}2\0` },
      { name: "short", text: "2" },
    ];
    expect(await unpacked(archiveOf(files))).toEqual({
      [`in/${name}`]: "1",
      [`in/${name}2`]: "2",
    });
  });

  it("links and paths that lead out of it are left out", async () => {
    const files = [
      { name: "../../evil", text: "x" },
      { name: "a/../../../evil", text: "x" },
      { name: "a\\..\\evil", text: "x" },
      { name: "link", type: "2" },
      { name: "/data.ndjson", text: "1" },
    ];
    expect(await unpacked(archiveOf(files))).toEqual({ "in/data.ndjson": "1" });
  });

  it("what ends early, or is no archive, is refused", async () => {
    const whole = archiveOf([{ name: "a", text: noise(10_000) }]);
    for (const bytes of [whole.subarray(0, whole.length / 2), Buffer.from("text")]) {
      await expect(unpacked(bytes)).rejects.toThrow("cannot be unpacked");
    }
    const part = gzipSync(gunzipSync(whole).subarray(0, 5000));
    await expect(unpacked(part)).rejects.toThrow("is truncated");
    await expect(unpacked(gzipSync(noise(600)))).rejects.toThrow("Invalid tar");
    const out = join(temporaryFolder(), "out");
    await expect(unpackArchive("gone.tar.gz", out)).rejects.toThrow("there is no file");
    await setImmediate();
    expect(existsSync(out)).toBe(false);
  });
});
