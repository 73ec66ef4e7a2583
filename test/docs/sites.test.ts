import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { pathsBelow } from "../support/file-tree.ts";
import { ROOT } from "../support/program.ts";
import { codeBlocks, DOCUMENTS } from "./documents.ts";

it("docs/sites.md: the code is that of the example sites", () => {
  const folder = join(ROOT, "fixtures/sites");
  const paths = pathsBelow(folder).filter((path) => !/node_modules|(^|\/)\.|lock/.test(path));
  const sources = paths.map((path) => readFileSync(join(folder, path), "utf8"));
  const quoted = codeBlocks(DOCUMENTS.get("docs/sites.md") ?? "").map(({ code }) => code.trim());
  expect(quoted.length).toBeGreaterThan(3);
  for (const code of quoted)
    expect(
      sources.some((source) => source.includes(code)),
      code,
    ).toBe(true);
});
