import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packageVersion } from "./package-root.ts";

/** The rooms that render a draft to documents. */
const RENDERING = ["workspace", "fields", "documents"];

/**
 * A hash of the package's version and of the modules that render. Cached renderings are reused
 * only under the same fingerprint, so a change of the source invalidates them too.
 */
export function programFingerprint(): string {
  const hash = createHash("sha256").update(packageVersion());
  for (const name of RENDERING) {
    const folder = join(import.meta.dirname, "..", "..", name);
    const paths = readdirSync(folder, { recursive: true, encoding: "utf8" });
    for (const path of paths.sort()) {
      if (/\.[jt]s$/.test(path)) hash.update(readFileSync(join(folder, path)));
    }
  }
  return hash.digest("hex").slice(0, 32);
}
