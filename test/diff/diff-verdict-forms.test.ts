import { describe, expect, it } from "vitest";
import { compareSchemas } from "../../src/diff/compare-schemas.ts";
import type { JsonObject } from "../../src/workspace/json.ts";
import { documentOn, TestBed } from "../support/test-bed.ts";
import { BASE, PAGE } from "./verdict-world.ts";

/** The schema document of a real workspace, with a reference and blocks. */
function schemaText(): string {
  const fields = [
    { key: "ref", type: "reference", models: ["note"] },
    { key: "file", type: "asset", repeatable: true },
  ];
  const models = [{ ...PAGE, id: "m-page", key: "page", name: "Page", fields }];
  const bed = new TestBed({ ...BASE, models: [...models, ...(BASE.models ?? []).slice(1)] });
  return JSON.stringify(documentOn(bed, "published", { kind: "schema", projectId: "p" }));
}

/** What is told of a schema that another version of the program wrote in another form. */
function told(pattern: RegExp | string, replacement: string): string[] {
  const text = schemaText();
  const other = text.replaceAll(pattern as string, replacement);
  expect(other, "the form is another one").not.toBe(text);
  const [before, after] = [JSON.parse(text), JSON.parse(other)] as [JsonObject, JsonObject];
  const changes = compareSchemas(before, after);
  expect(compareSchemas(after, before).map(({ at }) => at)).toEqual(changes.map(({ at }) => at));
  return changes.map(({ at, finding }) =>
    [finding.code, at.kind, at.key, at.field].filter(Boolean).join(" "),
  );
}

describe("another form of the schema document, by another version of the program", () => {
  it.each<[string, RegExp | string, string, string[]]>([
    [
      "its version",
      '"x-svc-schema-version":1',
      '"x-svc-schema-version":2',
      ["shape-changed document"],
    ],
    [
      "what stands around a block's data",
      '"contentBlockId"',
      '"blockId"',
      ["shape-changed block hero", "shape-changed block wide"],
    ],
    [
      "members that may stand beside a pointer's",
      '"data":{"$ref"',
      '"more":{"$ref"',
      ["shape-changed model page ref"],
    ],
    [
      "a member of what an asset is served as",
      /"sizeBytes"/g,
      '"size"',
      ["type-changed model page file"],
    ],
    [
      "the type of a member of an asset",
      '"sizeBytes":{"type":["integer","null"]}',
      '"sizeBytes":{"type":"integer"}',
      ["shape-changed model page file"],
    ],
    [
      "which version it is of, and from where",
      '"x-svc-version-id":null',
      '"x-svc-version-id":"v"',
      [],
    ],
  ])("%s", (_title, pattern, replacement, expected) => {
    expect(told(pattern, replacement)).toEqual(expected);
  });

  it("a schema from before Text flags existed has Boolean flags only", () => {
    const after = JSON.parse(schemaText());
    const { "x-svc-feature-values": _, ...before } = after;
    expect(compareSchemas(before, after)).toMatchObject([
      { at: { kind: "feature", key: "layout" }, finding: { code: "type-changed" } },
    ]);
  });
});
