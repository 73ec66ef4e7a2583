import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import {
  ByteHolder,
  copyHeld,
  heldCopy,
  heldText,
  isHeld,
} from "../../src/documents/held-bytes.ts";
import { randomRuns } from "../support/random-runs.ts";
import { temporaryFolder } from "../support/test-bed.ts";

/** Texts of up to some chunks of a megabyte, with characters of one to four bytes. */
const text = fc.oneof(
  { weight: 5, arbitrary: fc.string({ unit: "grapheme", maxLength: 20 }) },
  fc
    .tuple(fc.constantFrom("a", "ü", "…", "𝐀"), fc.integer({ min: 0, max: 900_000 }))
    .map(([character, count]) => character.repeat(count)),
);

/** More bytes than are held in memory. */
const BEYOND = 9 * 1024 * 1024;

/** A folder for temporary files, until the test ends. */
function temporaryFiles(folder = temporaryFolder()): string {
  vi.stubEnv("TMPDIR", folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  return folder;
}

describe("bytes that are held outside of the heap", () => {
  it.each([
    ["in memory", 0],
    ["in a file", BEYOND],
  ])("R1: are those that were added: %s", (_where, filled) => {
    const folder = temporaryFiles();
    const property = fc.property(
      fc.array(text, { maxLength: 12 }),
      fc.boolean(),
      (texts, asText) => {
        const holder = new ByteHolder();
        holder.add(Buffer.alloc(filled));
        const held = texts.map((one) =>
          asText ? holder.addText(one) : holder.add(Buffer.from(one)),
        );
        for (const [at, one] of held.entries()) {
          const bytes = Buffer.from(texts[at] as string);
          expect(one.size).toBe(bytes.length);
          expect(heldCopy(one).equals(bytes)).toBe(true);
          expect(heldText(one) === texts[at]).toBe(true);
          expect(isHeld(one, bytes)).toBe(true);
          expect(isHeld(one, Buffer.concat([bytes, bytes, Buffer.of(0)]))).toBe(false);
          expect(
            isHeld(
              one,
              bytes.map((byte) => byte ^ 1),
            ),
          ).toBe(bytes.length === 0);
        }
        const whole = Buffer.alloc(held.reduce((sum, { size }) => sum + size, 0));
        let end = 0;
        for (const one of held) {
          copyHeld(one, whole, end);
          end += one.size;
        }
        expect(whole.equals(Buffer.from(texts.join("")))).toBe(true);
        expect(readdirSync(folder), "files that a killed process would leave").toEqual([]);
      },
    );
    fc.assert(property, { numRuns: randomRuns(15) });
  });

  it("are refused when the temporary file cannot be written", () => {
    const folder = temporaryFiles(join(temporaryFolder(), "gone"));
    expect(existsSync(folder)).toBe(false);
    const holder = new ByteHolder();
    const fill = () => {
      for (let count = 0; count < 3; count += 1) holder.add(Buffer.alloc(BEYOND));
    };
    const refusal = { code: "temporary-file-unwritable", hint: expect.stringContaining("TMPDIR") };
    expect(fill).toThrow(expect.objectContaining(refusal));
  });
});
