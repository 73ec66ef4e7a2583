import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packageVersion } from "./package-root.ts";

/** The modules by which a draft becomes documents. */
const RENDERING = ["workspace", "fields", "documents"];

/**
 * Tells programs apart that may render a draft differently: by their release, and by the modules that
 * render, so that a developer's change counts as well.
 */
export function programFingerprint(): string {
  const hash = createHash("sha256").update(packageVersion());
  for (const room of RENDERING) {
    const folder = join(import.meta.dirname, "..", room);
    for (const name of readdirSync(folder).sort()) {
      if (/\.[jt]s$/.test(name)) hash.update(readFileSync(join(folder, name)));
    }
  }
  return hash.digest("hex").slice(0, 32);
}
