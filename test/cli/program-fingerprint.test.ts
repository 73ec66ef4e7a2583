import { execFileSync } from "node:child_process";
import { appendFileSync, cpSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { pathsBelow } from "../support/file-tree.ts";
import { ROOT } from "../support/program.ts";
import { temporaryFolder } from "../support/test-bed.ts";

const PARTS = ["src/workspace", "src/fields", "src/documents", "src/cli/program", "package.json"];

it("R10: the fingerprint changes with a module that renders, at any depth", () => {
  const folder = temporaryFolder();
  const modules = pathsBelow(join(ROOT, "src/fields"));
  const nested = modules.find((path) => path.includes("/")) as string;
  const copies = [undefined, undefined, "text.ts", nested].map((changed, at) => {
    const copy = join(folder, `${at}`);
    for (const part of PARTS) cpSync(join(ROOT, part), join(copy, part), { recursive: true });
    if (changed !== undefined) appendFileSync(join(copy, "src/fields", changed), "// changed\n");
    return copy;
  });
  const code = `
    for (const copy of ${JSON.stringify(copies)}) {
      const { programFingerprint } = await import(copy + "/src/cli/program/program-fingerprint.ts");
      console.log(programFingerprint());
    }`;
  const args = ["--input-type=module", "--eval", code];
  const [one, same, ...others] = execFileSync(process.execPath, args, { encoding: "utf8" })
    .trim()
    .split("\n");
  expect(one).toBe(same);
  expect(new Set([one, ...others]).size).toBe(3);
});
