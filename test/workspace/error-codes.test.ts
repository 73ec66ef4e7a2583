import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ERROR_STATUS } from "../../src/workspace/error-codes.ts";
import { pathsBelow } from "../support/file-tree.ts";
import { ROOT } from "../support/program.ts";

// That no other code is thrown, the compiler checks.
it("cli.md: every code in the table of errors is one that src has", () => {
  const texts = pathsBelow(join(ROOT, "src"))
    .filter((path) => path.endsWith(".ts") && !path.endsWith("workspace/error-codes.ts"))
    .map((path) => readFileSync(join(ROOT, "src", path), "utf8"));
  const has = (code: string) => texts.some((text) => text.includes(`"${code}"`));
  expect(Object.keys(ERROR_STATUS).filter((code) => !has(code))).toEqual([]);
});
