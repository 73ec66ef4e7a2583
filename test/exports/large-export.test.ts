import { join } from "node:path";
import { expect, it } from "vitest";
import { writeLargeExport } from "../support/contentful/large-export.ts";
import { measure } from "../support/measure.ts";
import { PROGRAM } from "../support/program.ts";
import { temporaryFolder } from "../support/test-bed.ts";

const MEGABYTE = 1e6;

it("X6: an export of 640 MB, more than a text can have, is imported in 400 MB beside its bytes", {
  timeout: 600_000,
}, () => {
  const cwd = temporaryFolder();
  const { entries } = writeLargeExport(join(cwd, "export.json"), 640 * MEGABYTE);
  const args = [PROGRAM, "import", "--from", "contentful", "export.json", "--json"];
  const { peak, stdout } = measure(args, { cwd });
  expect(JSON.parse(stdout).counts.entries).toBe(entries);
  console.log(`${entries} entries: peak ${Math.round(peak / MEGABYTE)} MB`);
  expect(peak).toBeLessThan(1040 * MEGABYTE);
});
