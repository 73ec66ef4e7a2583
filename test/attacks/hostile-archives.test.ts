import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { unpackArchive } from "../../src/import/unpack-archive.ts";
import { archiveOf, noise, pathHeader, recordOf } from "../support/archive.ts";
import { CliBed } from "../support/cli-bed.ts";
import { temporaryFolder } from "../support/test-bed.ts";

const MB = 2 ** 20;

/** What `svc import` says about an archive. */
function refused(bytes: Buffer): string {
  const bed = new CliBed();
  const temporary = bed.path("tmp");
  mkdirSync(temporary);
  bed.env = { TMPDIR: temporary };
  writeFileSync(bed.path("a.tar.gz"), bytes);
  const { error } = bed.json(1, "import", "--from", "sanity", "a.tar.gz");
  expect(error.code).toBe("export-invalid");
  expect(existsSync(bed.path("workspace.db"))).toBe(false);
  expect(readdirSync(temporary), "temporary folders").toEqual([]);
  return error.message;
}

describe("X16a: an archive that an attacker made is refused, and leaves nothing", () => {
  it("2 MB that unpack to 2 GB", () => {
    const zeros = gzipSync(Buffer.alloc(MB));
    const header = gzipSync(recordOf({ name: "data.ndjson" }, 2 ** 31));
    // Members of a gzip file follow each other: 1 kB for each MB.
    const bomb = Buffer.concat([header, ...Array<Buffer>(2048).fill(zeros)]);
    expect(bomb.length).toBeLessThan(3 * MB);
    expect(refused(bomb)).toMatch(/it unpacks to more than \d+ MB/);
  });

  it("headers of 10 MB in all, with and without files between them", () => {
    const long = Array.from({ length: 140 }, () => pathHeader(noise(80_000)));
    expect(refused(archiveOf(long))).toContain("its headers have more than 8 MB");
    const between = long.flatMap((one, at) => [one, pathHeader(`f${at}`), { name: "short" }]);
    expect(refused(archiveOf(between))).toContain("its headers have more than 8 MB");
  });

  it("200,001 records, of any type", () => {
    const link = Buffer.concat(Array<Buffer>(200_001).fill(recordOf({ name: "a", type: "2" })));
    // Noise, so that it is no bomb.
    const archive = gzipSync(Buffer.concat([recordOf({ name: "b", text: noise(2 * MB) }), link]));
    expect(refused(archive)).toContain("more than 200000 files");
  });

  it("a path of 1,000 folders", () => {
    const files = [pathHeader(`${"a/".repeat(1000)}b`), { name: "short", text: "x" }];
    expect(refused(archiveOf(files))).toContain("exceeds max specified depth");
  });

  it("two files of one path, a file in place of a folder, and a folder in place of a file", () => {
    expect(refused(archiveOf([{ name: "a" }, { name: "./a" }]))).toContain('two files "a"');
    expect(refused(archiveOf([{ name: "a" }, { name: "a/b" }]))).toContain("cannot be unpacked");
    expect(refused(archiveOf([{ name: "a/b" }, { name: "a" }]))).toContain("cannot be unpacked");
  });

  it("names of 300 letters", () => {
    const files = [pathHeader("a".repeat(300)), { name: "short" }];
    expect(refused(archiveOf(files))).toContain("cannot be unpacked");
  });
});

it("X16a: what is large, and no hundred times its size, is unpacked", async () => {
  const folder = temporaryFolder();
  const large = gzipSync(noise(MB), { level: 0 });
  const parts = [gzipSync(recordOf({ name: "a" }, 65 * MB)), ...Array(65).fill(large)];
  writeFileSync(join(folder, "a.tgz"), Buffer.concat([...parts, gzipSync(Buffer.alloc(1024))]));
  await unpackArchive(join(folder, "a.tgz"), join(folder, "out"));
  expect(statSync(join(folder, "out/a")).size).toBe(65 * MB);
});
