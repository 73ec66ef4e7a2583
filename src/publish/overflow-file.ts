import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Overflow } from "../documents/text-heap.ts";
import { SvcError } from "../workspace/errors.ts";

/**
 * Runs `work` with a file for what memory is not to hold. The file is made when it is first written
 * to, for this user only, and has no name any more from then on: nothing of a draft stays behind,
 * however the process ends.
 */
export function withOverflowFile<T>(work: (overflow: Overflow) => T): T {
  let descriptor: number | undefined;
  let size = 0;
  try {
    return work({
      append(bytes) {
        descriptor ??= openNameless();
        const file = descriptor;
        guardTemporary(() => {
          for (let done = 0; done < bytes.byteLength; ) {
            done += writeSync(file, bytes, done, bytes.byteLength - done, size + done);
          }
        });
        size += bytes.byteLength;
      },
      read(target, position) {
        for (let done = 0; done < target.byteLength; ) {
          const got = readSync(
            descriptor ?? -1,
            target,
            done,
            target.byteLength - done,
            position + done,
          );
          if (got === 0)
            throw new Error("the overflow file is shorter than what was written to it");
          done += got;
        }
      },
    });
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function openNameless(): number {
  return guardTemporary(() => {
    const folder = mkdtempSync(join(tmpdir(), "svc-texts-"));
    try {
      return openSync(join(folder, "texts"), "wx+", 0o600);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

function guardTemporary<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const { message } = error as Error;
    throw new SvcError("temporary-unwritable", `cannot write temporary files: ${message}`, {
      hint: "set TMPDIR to a folder that can be written and has room",
      cause: error,
    });
  }
}
