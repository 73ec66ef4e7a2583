import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../support/test-bed.ts";
import { attempt, expectCompleteFiles, REFUSALS, StoreTemplate, WORKS } from "./damaged-store.ts";
import { commandOutcome, runs, timeFor } from "./fuzzing.ts";

/** SQLite's default page size. */
const PAGE = 4096;

/** One damage to the bytes of a file; `at` is modulo the size. */
type Damage =
  | { readonly kind: "truncate"; readonly at: number }
  | { readonly kind: "flip"; readonly at: number; readonly bit: number }
  | { readonly kind: "byte"; readonly at: number; readonly byte: number }
  | { readonly kind: "zeros"; readonly at: number }
  | { readonly kind: "noise"; readonly at: number; readonly seed: number }
  | { readonly kind: "append"; readonly seed: number };

const number = fc.nat();

const damages: fc.Arbitrary<Damage[]> = fc.array(
  fc.oneof(
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("truncate" as const), at: number }) },
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constant("flip" as const), at: number, bit: fc.nat(7) }),
    },
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constant("byte" as const), at: number, byte: fc.nat(255) }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("zeros" as const), at: number }) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant("noise" as const), at: number, seed: number }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("append" as const), seed: number }) },
  ),
  { minLength: 1, maxLength: 6 },
);

/** Damages a file. */
function damageFile(path: string, list: readonly Damage[]): void {
  writeFileSync(path, list.reduce<Buffer>(damaged, readFileSync(path)));
}

function damaged(bytes: Buffer, damage: Damage): Buffer {
  if (damage.kind === "append") return Buffer.concat([bytes, noise(damage.seed)]);
  if (bytes.length === 0) return bytes;
  const here = damage.at % bytes.length;
  const page = Math.floor(here / PAGE) * PAGE;
  switch (damage.kind) {
    case "truncate":
      return bytes.subarray(0, here);
    case "flip":
      bytes[here] = (bytes[here] as number) ^ (1 << damage.bit);
      break;
    case "byte":
      bytes[here] = damage.byte;
      break;
    case "zeros":
      bytes.subarray(page, page + PAGE).fill(0);
      break;
    case "noise":
      noise(damage.seed).copy(bytes, page);
      break;
  }
  return bytes;
}

/** A pseudo-random page for a seed. */
function noise(seed: number): Buffer {
  let state = seed | 1;
  return Buffer.from(
    Array.from({ length: PAGE }, () => {
      state = (Math.imul(state, 1664525) + 1013904223) | 0;
      return state >>> 24;
    }),
  );
}

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
        { numRuns: FAST },
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
    fc.assert(property, { numRuns: WHOLE, endOnFailure: true });
  });
});
