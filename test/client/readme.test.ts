import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { generateTypes } from "../../src/codegen/generate-types.ts";
import { readFolder } from "../../src/folder/read-folder.ts";
import { STARTER } from "../support/cli.ts";
import { compile, ROOT } from "../support/compiler.ts";
import { documentOn, TestBed } from "../support/test-bed.ts";

/** The TypeScript example of the README. */
const [, EXAMPLE = ""] =
  /^```ts\n(.*?)^```/ms.exec(readFileSync(join(ROOT, "README.md"), "utf8")) ?? [];

/** The errors of the compiler for the example, with the types of the starter workspace. */
function compilerErrors(homeId: string): string[] {
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
  const types = generateTypes(schema, { constants: false });
  const code = EXAMPLE.replace('"svc/client"', '"#src/client/client.ts"');
  return compile({ "use.ts": code, "content.ts": types, "package.json": '{"type":"module"}' });
}

it("README: the example compiles", () => {
  expect(EXAMPLE).toContain("createClient<Schema>");
  expect(compilerErrors("home-page").filter((line) => !line.includes("'console'"))).toEqual([]);
});

it("README: if the model of the step changes, the compiler reports the quoted line", () => {
  const [, quoted = "?"] =
    /^use\.ts\(\d+,\d+\): (.*)$/m.exec(readFileSync(join(ROOT, "README.md"), "utf8")) ?? [];
  expect(compilerErrors("sam-rivers").some((line) => line.endsWith(quoted))).toBe(true);
});
