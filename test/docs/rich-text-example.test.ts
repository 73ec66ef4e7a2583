import { expect, it } from "vitest";
import * as richText from "../../src/client/rich-text.ts";
import { generateTypes } from "../../src/codegen/generate-types.ts";
import type { FieldDefinition } from "../../src/workspace/field.ts";
import { compile } from "../support/compiler.ts";
import { contentOn, withEntry } from "../support/documents/served-data.ts";
import { documentOn, TestBed } from "../support/test-bed.ts";
import { codeBlocks, documentText } from "./documents.ts";

const EXAMPLES = codeBlocks(documentText("docs/types-and-client.md"));
const EXAMPLE = EXAMPLES.find(({ code }) => code.includes("toHtml("))?.code ?? "";

/** The example's page, which is the entry `home`. */
function exampleBed(): TestBed {
  const story = { key: "story", type: "rich-text", required: true, models: ["author"] };
  const text = { key: "text", type: "text", required: true };
  const stored = {
    type: "doc",
    content: [
      {
        type: "blockquote",
        content: [
          { type: "text", text: "By " },
          {
            type: "text",
            text: "Sam & co",
            marks: [{ type: "author", attrs: { to: { contentEntryId: "sam" } } }],
          },
        ],
      },
      { contentBlockId: "n", data: { text: "<Oh>" } },
    ],
  };
  const around = {
    models: [{ id: "a", key: "author", name: "Author", fields: [] as FieldDefinition[] }],
    blocks: [{ id: "n", key: "note", name: "Note", fields: [text] }],
    entries: [{ id: "sam", modelId: "a", data: {} }],
  };
  return new TestBed(withEntry([story], { story: stored }, around));
}

it("K5: the example of docs/types-and-client.md makes the HTML of a page", () => {
  const { content, references } = contentOn(exampleBed(), "published");
  const resolve = ({ contentEntryId }: { contentEntryId: string }) =>
    references.find(({ id }: { id: string }) => id === contentEntryId);
  const body = EXAMPLE.replace(/^import .*$/m, "").replace("export const html =", "return");
  const make = new Function("toHtml", "escapeHtml", "page", "content", body);
  expect(make(richText.toHtml, richText.escapeHtml, content[0], { resolve })).toBe(
    '<blockquote class="pull">By <a href="/people/sam">Sam &#38; co</a></blockquote>' +
      "<aside>&#60;Oh&#62;</aside>",
  );
});

it("T1, K5: the example of docs/types-and-client.md compiles with the generated types", () => {
  const schema = documentOn(exampleBed(), "published", { kind: "schema", projectId: "site" });
  const before =
    'import type { Content } from "@svc-publish/client";\n' +
    'import type { Entry, Schema } from "./content.ts";\n' +
    'declare const page: Entry<"subject">;\ndeclare const content: Content<Schema>;\n';
  expect(EXAMPLE).toContain("toHtml(page.data.story");
  expect(
    compile({
      "use.ts": before + EXAMPLE,
      "content.ts": generateTypes([{ document: schema }], { constants: false }),
      "package.json": '{"type":"module"}',
    }),
  ).toEqual([]);
});
