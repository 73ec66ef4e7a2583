import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { pathsBelow } from "../support/file-tree.ts";
import { DOCUMENTS, ROOT } from "./documents.ts";

const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

const TEXTS = [
  ...DOCUMENTS,
  ...pathsBelow(join(ROOT, "src")).map((path) => [path, read(`src/${path}`)] as const),
];

it("N1: the package has a scoped name and is private; its command is svc", () => {
  const { name, private: isPrivate, bin } = JSON.parse(read("package.json"));
  expect(name).toMatch(/^@[a-z-]+\/svc$/);
  expect(isPrivate).toBe(true);
  expect(Object.keys(bin)).toEqual(["svc"]);
});

it("N1: no command and no import names the npm package of another program", () => {
  // `npx svc` in prose is followed by a reason not to run it.
  const wrong = TEXTS.flatMap(([path, text]) => {
    const found = text.match(
      /\bnpx (?!--no-install\b)(?:-\S+ )*svc(?!`)|\bfrom "svc|\bnpm (?:i|install) (?:-\S+ )*svc\b/g,
    );
    return (found ?? []).map((one) => `${path}: ${one}`);
  });
  expect(wrong).toEqual([]);
  const right = TEXTS.filter(([, text]) => text.includes("npx --no-install svc "));
  expect(right.map(([path]) => path)).toContain("docs/ci.md");
});
