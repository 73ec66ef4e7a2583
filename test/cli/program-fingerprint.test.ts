import { execFileSync } from "node:child_process";
import { appendFileSync, cpSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { pathsBelow } from "../support/file-tree.ts";
import { ROOT } from "../support/program.ts";
import { temporaryFolder } from "../support/test-bed.ts";

const PARTS = ["src/workspace", "src/fields", "src/documents", "src/cli/program", "package.json"];

/** The fingerprint of the program in a folder. */
function fingerprintIn(folder: string): string {
  const code = `
    import { programFingerprint } from ${JSON.stringify(join(folder, "src/cli/program/program-fingerprint.ts"))};
    console.log(programFingerprint());`;
  return execFileSync(process.execPath, ["--input-type=module", "--eval", code], {
    encoding: "utf8",
  });
}

it("R10: the fingerprint changes with a module that renders, at any depth", () => {
  const folder = temporaryFolder();
  for (const part of PARTS) cpSync(join(ROOT, part), join(folder, part), { recursive: true });
  const modules = pathsBelow(join(folder, "src/fields"));
  const nested = modules.filter((path) => path.includes("/"));
  expect(nested.length).toBeGreaterThan(0);
  const before = fingerprintIn(folder);
  expect(fingerprintIn(folder)).toBe(before);
  for (const path of [nested[0], "text.ts"]) {
    const last = fingerprintIn(folder);
    appendFileSync(join(folder, "src/fields", path as string), "// changed\n");
    expect(fingerprintIn(folder), path).not.toBe(last);
  }
});
