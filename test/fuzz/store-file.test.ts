import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../support/test-bed.ts";
import { attempt, expectCompleteFiles, REFUSALS, WORKS } from "./damaged-outcome.ts";
import { StoreTemplate } from "./damaged-store.ts";
import { damageFile, damages } from "./file-damage.ts";
import { commandOutcome, fuzzed, runs, timeFor } from "./fuzzing.ts";

const FAST = runs();
const WHOLE = runs(0.05);

const orders = fc.array(fc.constantFrom(...WORKS), { minLength: 1, maxLength: 4 });

describe.each([
  ["its file", "file", "workspace.db"],
  ["its write-ahead log", "log", "workspace.db-wal"],
  ["its file, with changes in the log", "log", "workspace.db"],
] as const)("fuzz: a store damaged in %s", (_what, changesIn, damagedFile) => {
  it(
    `is used or refused, and what is published is whole (${FAST} inputs)`,
    timeFor(FAST),
    async () => {
      const template = new StoreTemplate();
      const folder = join(temporaryFolder(), "case");
      await fc.assert(
        fc.asyncProperty(damages, orders, async (damage, order) => {
          template.copyTo(folder, changesIn);
          damageFile(join(folder, damagedFile), damage);
          for (const work of order) await attempt(work, template, folder);
        }),
        fuzzed(FAST),
      );
    },
  );
});

describe("fuzz: commands on a damaged store", () => {
  it(`end with a documented status and one JSON object (${WHOLE} inputs)`, timeFor(WHOLE), () => {
    const template = new StoreTemplate();
    const folder = join(temporaryFolder(), "case");
    const lines = ["check", "publish", "write", "verify", "export exported", "token list"];
    const property = fc.property(damages, fc.constantFrom(...lines), (damage, line) => {
      template.copyTo(folder, "file");
      damageFile(join(folder, "workspace.db"), damage);
      const { error } = commandOutcome(folder, ...line.split(" "));
      if (error !== undefined) expect(REFUSALS, error.message).toContain(error.code);
      expectCompleteFiles(template, folder);
    });
    fc.assert(property, { ...fuzzed(WHOLE), endOnFailure: true });
  });
});
