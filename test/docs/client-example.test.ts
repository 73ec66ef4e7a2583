import { expect, it } from "vitest";
import { generateTypes } from "../../src/codegen/generate-types.ts";
import { readFolder } from "../../src/folder/read-folder.ts";
import { STARTER } from "../support/cli-bed.ts";
import { compile } from "../support/compiler.ts";
import { documentOn, TestBed } from "../support/test-bed.ts";
import { codeBlocks, documentText } from "./documents.ts";

const PAGE = documentText("docs/types-and-client.md");
/** What the page does with the client, one example after the other. */
const EXAMPLES = codeBlocks(PAGE).filter(({ code }) => /\bclient\./.test(code));
const EXAMPLE = EXAMPLES.map(({ code }) => code).join("");

/** What the compiler reports about an example, but for the console, with the types of the starter workspace. */
function compilerOutput(homeId: string, example = EXAMPLE): string[] {
  const bed = new TestBed();
  const items = [...readFolder(STARTER)].map((item) => {
    if (item.kind !== "projects") return item;
    const steps = item.record.steps.map((step) =>
      step.key === "home" ? { ...step, layoutContentId: homeId } : step,
    );
    return { ...item, record: { ...item.record, steps } };
  });
  bed.store.import(items, new Date());
  const schema = documentOn(bed, "published", { kind: "schema", projectId: "site" });
  const types = generateTypes([{ document: schema }], { constants: false });
  const files = { "use.ts": example, "content.ts": types, "package.json": '{"type":"module"}' };
  return compile(files).filter((line) => !line.includes("'console'"));
}

it("docs/types-and-client.md: the examples of the client compile as they are", () => {
  expect(EXAMPLES[0]?.code).toContain("createClient<Schema>");
  for (const call of ["content(", "pages(", "onChange("]) expect(EXAMPLE).toContain(call);
  expect(compilerOutput("home-page")).toEqual([]);
});

it("docs/types-and-client.md: when the model of the step changes, the compiler finds the line that is quoted", () => {
  const [, quoted = "?"] = /^use\.ts\(\d+,\d+\): (.*)$/m.exec(PAGE) ?? [];
  expect(compilerOutput("sam-rivers").some((line) => line.endsWith(quoted))).toBe(true);
});

it("README.md: the answer is one of the starter, and its example of the client compiles", () => {
  const blocks = codeBlocks(documentText("README.md"));
  const codeIn = (name: string) => blocks.find(({ language }) => language === name)?.code ?? "";
  const { versionId, ...shown } = JSON.parse(codeIn("json"));
  const bed = new TestBed();
  bed.store.import(readFolder(STARTER), new Date());
  const { experienceId } = shown;
  const real = documentOn(bed, "published", { kind: "content", projectId: "site", experienceId });
  expect(real).toMatchObject({
    ...shown,
    content: [...shown.content, expect.anything()],
  });
  expect(versionId).toMatch(/^[0-9a-f]{32}$/);
  expect(compilerOutput("home-page", codeIn("ts"))).toEqual([]);
});
