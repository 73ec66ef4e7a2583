import { rmSync } from "node:fs";
import { bundle } from "../../scripts/bundle.ts";
import { BUILT } from "./program.ts";

/** Before the first test: builds the program that tests of the command line run. */
export async function setup(): Promise<() => void> {
  const folder = `.test-build/${process.pid}`;
  process.env[BUILT] = folder;
  await bundle(`${folder}/bin`, { "program-host": "test/support/program-host.ts" });
  return () => rmSync(folder, { recursive: true, force: true });
}
