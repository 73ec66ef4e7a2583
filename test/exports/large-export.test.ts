import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeLargeExport } from "../support/contentful/large-export.ts";
import { measure } from "../support/measure.ts";
import { PROGRAM } from "../support/program.ts";
import { temporaryFolder } from "../support/test-bed.ts";

const MEGABYTE = 1e6;

describe("X6: an export that is larger than a text can be", () => {
  it("X6: 640 MB are imported in at most 300 MB of memory", { timeout: 600_000 }, () => {
    const cwd = temporaryFolder();
    const { entries } = writeLargeExport(join(cwd, "export.json"), 640 * MEGABYTE);
    const args = [PROGRAM, "import", "--from", "contentful", "export.json", "--json"];
    const { peak, stdout } = measure(args, { cwd });
    expect(JSON.parse(stdout).counts.entries).toBe(entries);
    console.log(`${entries} entries: peak ${Math.round(peak / MEGABYTE)} MB`);
    expect(peak).toBeLessThan(300 * MEGABYTE);
  });
});
