import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** In a name, in a value, in bytes: where this is, something has leaked. */
export const CANARY = "kanarienvogel";

/** The names and the bytes of everything below `out/`. */
export function everythingIn(out: string): string {
  return readdirSync(out, { recursive: true, withFileTypes: true })
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return `${path.slice(out.length)}\n${entry.isFile() ? readFileSync(path, "latin1") : ""}`;
    })
    .join("\n");
}
