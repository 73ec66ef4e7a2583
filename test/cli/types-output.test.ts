import {
  chmodSync,
  closeSync,
  lstatSync,
  openSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { describe, expect, it } from "vitest";
import { CliBed, STARTER } from "../support/cli-bed.ts";
import { pathsBelow } from "../support/file-tree.ts";
import { RunningCommand } from "./running-command.ts";

const SCHEMA = "out/api/v1/projects/site/schema.json";

function published(): CliBed {
  const bed = new CliBed(STARTER);
  bed.ok("publish");
  return bed;
}

describe("svc types -o", () => {
  it("never overwrites the schema itself, under any name", () => {
    const bed = published();
    const before = readFileSync(bed.path(SCHEMA), "utf8");
    symlinkSync(bed.path(SCHEMA), bed.path("link.json"));
    for (const file of [SCHEMA, `./${SCHEMA}`, "link.json"]) {
      expect(bed.failure(2, "types", SCHEMA, "-o", file)[0]).toContain("is the schema file itself");
    }
    expect(readFileSync(bed.path(SCHEMA), "utf8")).toBe(before);
  });

  it("follows symbolic links, keeps the file mode, and writes to devices", () => {
    const bed = published();
    writeFileSync(bed.path("target.ts"), "");
    chmodSync(bed.path("target.ts"), 0o640);
    symlinkSync("target.ts", bed.path("link.ts"));
    bed.ok("types", SCHEMA, "-o", "link.ts");
    expect(lstatSync(bed.path("link.ts")).isSymbolicLink()).toBe(true);
    expect(readFileSync(bed.path("target.ts"), "utf8")).toContain("export interface Schema");
    expect(statSync(bed.path("target.ts")).mode & 0o777).toBe(0o640);
    bed.ok("types", SCHEMA, "-o", "/dev/null");
    expect(statSync("/dev/null").isFile()).toBe(false);
    expect(bed.failure(2, "types", SCHEMA, "-o", "-")[1]).toContain("leave -o out");
  });

  it("replaces the file atomically: a process that has it open reads the old types", () => {
    const bed = published();
    bed.ok("types", SCHEMA, "-o", "content.ts");
    const before = readFileSync(bed.path("content.ts"), "utf8");
    const opened = openSync(bed.path("content.ts"), "r");
    bed.ok("types", SCHEMA, "-o", "content.ts", "--const");
    expect(readFileSync(opened, "utf8")).toBe(before);
    closeSync(opened);
    expect(readFileSync(bed.path("content.ts"), "utf8")).not.toBe(before);
    expect(pathsBelow(bed.folder).filter((path) => path.endsWith(".tmp"))).toEqual([]);
  });

  it("--check ignores line endings", () => {
    const bed = published();
    bed.ok("types", "-o", "content.ts");
    const text = readFileSync(bed.path("content.ts"), "utf8");
    writeFileSync(bed.path("content.ts"), text.replaceAll("\n", "\r\n"));
    bed.ok("types", "-o", "content.ts", "--check");
  });

  it("standard input may arrive late and start with a byte order mark", async () => {
    const bed = published();
    const running = new RunningCommand(bed, "types", "-");
    // More than a pipe holds: it is written when the program has read most of it.
    for (let round = 0; round < 5; round += 1) {
      await running.write(`${round === 0 ? "\ufeff" : ""}${" ".repeat(2 ** 20)}`);
    }
    running.input(readFileSync(bed.path(SCHEMA), "utf8"));
    const { status, stdout } = await running.end();
    expect(status).toBe(0);
    expect(stdout).toBe(bed.ok("types", SCHEMA).stdout);
  });

  it("refuses options of the store together with a schema", () => {
    const bed = published();
    for (const option of [["--draft"], ["--project", "site"]]) {
      expect(bed.failure(2, "types", SCHEMA, ...option)[0]).toContain("of the store");
    }
  });
});
