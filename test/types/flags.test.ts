import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { generateTypes } from "../../src/codegen/generate-types.ts";
import { readFolder } from "../../src/folder/read-folder.ts";
import { codeBlocks, documentText } from "../docs/documents.ts";
import { STOREFRONT } from "../support/cli-bed.ts";
import { documentOn, TestBed } from "../support/test-bed.ts";
import { compileIn, run, Tools } from "./tools.ts";

let tools: Tools;
beforeAll(() => {
  tools = new Tools();
});
afterAll(() => tools?.remove());

it("docs/feature-flags.md: the recipe runs with a provider, and knows the flags and their values", () => {
  const bed = new TestBed();
  bed.store.import(readFolder(STOREFRONT), new Date());
  const document = documentOn(bed, "published", { kind: "schema", projectId: "prj_web" });
  const [values = "", flags = "", start = ""] = codeBlocks(
    documentText("docs/feature-flags.md"),
  ).map(({ code }) => code);
  const types = generateTypes([{ document }], { constants: false });
  expect(types).toContain(values.replaceAll(/ \/\/ .*/g, ""));
  const wrong = `
import { isOn, variantOf } from "./flags.ts";
// @ts-expect-error a text flag is no switch
isOn("checkoutButton");
// @ts-expect-error no such flag
variantOf("checkout");
// @ts-expect-error no such variant
(await variantOf("checkoutButton")) === "buy";
`;
  const files = { "content.ts": types, "flags.ts": flags, "start.ts": start, "wrong.ts": wrong };
  for (const [name, text] of Object.entries({ ...files, "package.json": '{"type":"module"}' })) {
    writeFileSync(join(tools.folder, name), text);
  }
  expect(compileIn(tools.folder, "start.ts", "wrong.ts")).not.toMatch(
    /^(?!.*'console'|.*client').+/m,
  );
  const { printed } = run(tools.folder, process.execPath, ["start.ts"]);
  expect(printed).toBe("true\nann Buy now\nbob no button\n");
});
