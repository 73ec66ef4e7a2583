import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { ROOT } from "../support/compiler.ts";
import { temporaryFolder } from "../support/test-bed.ts";

/** A module of the built program, loaded from a file of its own. */
export async function builtModule(contents: string) {
  const outfile = join(mkdtempSync(join(temporaryFolder(), "built-")), "module.mjs");
  const stdin = { contents, resolveDir: ROOT };
  await build({ stdin, outfile, bundle: true, format: "esm", platform: "node" });
  return import(outfile);
}
