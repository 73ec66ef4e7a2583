import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore, type Store } from "../../../src/store/store.ts";

let empty: Buffer | undefined;

/** Opens a new store: a copy of an empty one, since making its tables takes longer. */
export function newStore(file: string): Store {
  empty ??= bytesOfNew();
  writeFileSync(file, empty, { flag: "wx" });
  return openStore(file);
}

function bytesOfNew(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), "svc-test-"));
  try {
    const file = join(folder, "new.db");
    openStore(file, { create: true }).close();
    return readFileSync(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
