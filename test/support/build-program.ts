import { rmSync } from "node:fs";
import { join } from "node:path";
import { bundle } from "../../scripts/bundle.ts";
import { BUILT, ROOT } from "./program.ts";

/** Before the first test: builds the program that tests of the command line run. */
export async function setup(): Promise<() => void> {
  const folder = `.test-build/${process.pid}`;
  process.env[BUILT] = folder;
  // That of the program: threads that tests start find there what others have compiled.
  process.env.NODE_COMPILE_CACHE ??= join(ROOT, folder, ".compile-cache");
  // What previews keep (H22).
  process.env.XDG_STATE_HOME = join(ROOT, folder, "state");
  await bundle(`${folder}/bin`, { "program-host": "test/support/program-host.ts" });
  return () => rmSync(folder, { recursive: true, force: true });
}
