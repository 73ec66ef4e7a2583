import { join } from "node:path";

export const ROOT = join(import.meta.dirname, "../..");

/** The built program, which `test/support/build-program.ts` makes before the first test. */
export const PROGRAM = join(ROOT, "dist/bin/svc.js");
