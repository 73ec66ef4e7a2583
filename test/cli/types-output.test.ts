import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, lstatSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CliBed, STARTER } from "../support/cli-bed.ts";
import { PROGRAM } from "../support/program.ts";

const SCHEMA = "out/api/v1/projects/site/schema.json";

function published(): CliBed {
  const bed = new CliBed(STARTER);
  bed.ok("publish");
  return bed;
}

describe("svc types -o", { timeout: 60_000 }, () => {
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

  it("--check ignores line endings", () => {
    const bed = published();
    bed.ok("types", "-o", "content.ts");
    const text = readFileSync(bed.path("content.ts"), "utf8");
    writeFileSync(bed.path("content.ts"), text.replaceAll("\n", "\r\n"));
    bed.ok("types", "-o", "content.ts", "--check");
  });

  it("standard input may arrive late and start with a byte order mark", async () => {
    const bed = published();
    const child = spawn(process.execPath, [PROGRAM, "types", "-"], { cwd: bed.folder });
    let printed = "";
    child.stdout.setEncoding("utf8").on("data", (text) => {
      printed += text;
    });
    // After the program starts to read.
    setTimeout(() => child.stdin.end(`\ufeff${readFileSync(bed.path(SCHEMA), "utf8")}`), 1500);
    const [status] = await once(child, "close");
    expect(status).toBe(0);
    expect(printed).toContain("export interface Schema");
  });

  it("refuses options of the store together with a schema", () => {
    const bed = published();
    for (const option of [["--draft"], ["--project", "site"]]) {
      expect(bed.failure(2, "types", SCHEMA, ...option)[0]).toContain("of the store");
    }
  });
});
