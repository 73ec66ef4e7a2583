import { readFileSync, writeFileSync } from "node:fs";
import fc from "fast-check";

/** SQLite's default page size. */
const PAGE = 4096;

/** One damage to the bytes of a file; `at` is modulo the size. */
export type Damage =
  | { readonly kind: "truncate"; readonly at: number }
  | { readonly kind: "flip"; readonly at: number; readonly bit: number }
  | { readonly kind: "byte"; readonly at: number; readonly byte: number }
  | { readonly kind: "zeros"; readonly at: number }
  | { readonly kind: "noise"; readonly at: number; readonly seed: number }
  | { readonly kind: "append"; readonly seed: number };

const number = fc.nat();

export const damages: fc.Arbitrary<Damage[]> = fc.array(
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
export function damageFile(path: string, list: readonly Damage[]): void {
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
