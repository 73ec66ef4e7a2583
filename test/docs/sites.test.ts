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

it.each(["astro", "next", "plain", "vite-react"])(
  "N6: the site %s needs no package but those that it names: a copy of it stands alone",
  (name) => {
    const folder = join(ROOT, "fixtures/sites", name);
    const paths = pathsBelow(folder).filter((path) =>
      /^(?!.*node_modules).*\.(astro|tsx?|js)$/.test(path),
    );
    const sources = paths.map((path) => [path, readFileSync(join(folder, path), "utf8")] as const);
    const imported = sources.flatMap(([path, text]) => {
      const isTyped = !path.endsWith(".js") && /"node:|\bprocess\./.test(text);
      const names = [...text.matchAll(/(?:from|import) "(@[\w-]+\/[\w-]+|[\w-]+)(?:\/[^"]*)?"/g)];
      return [...names.map(([, one = ""]) => one), ...(isTyped ? ["@types/node"] : [])];
    });
    const { dependencies, devDependencies } = JSON.parse(
      readFileSync(join(folder, "package.json"), "utf8"),
    );
    expect(imported).toContain("@svc-publish/client");
    expect(Object.keys({ ...dependencies, ...devDependencies })).toEqual(
      expect.arrayContaining(imported),
    );
  },
);
