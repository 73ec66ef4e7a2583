import { join } from "node:path";
import { expect, it } from "vitest";
import { writeLargeExport } from "../support/contentful/large-export.ts";
import { measure } from "../support/measure.ts";
import { PROGRAM } from "../support/program.ts";
import { temporaryFolder } from "../support/test-bed.ts";

it("X6: an export that is larger than the heap of the program is imported", () => {
  const cwd = temporaryFolder();
  const { entries } = writeLargeExport(join(cwd, "export.json"), 60e6);
  const command = ["import", "--from", "contentful", "export.json", "--json"];
  const { stdout } = measure([PROGRAM, ...command], {
    cwd,
    env: { NODE_OPTIONS: "--max-old-space-size=48" },
  });
  expect(JSON.parse(stdout).counts.entries).toBe(entries);
});
