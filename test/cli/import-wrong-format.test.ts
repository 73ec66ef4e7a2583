import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CliBed } from "../support/cli-bed.ts";
import { workspaceFolder } from "../support/workspaces/workspace-folder.ts";

const FIXTURES = join(import.meta.dirname, "../../fixtures");
const FORMATS = ["contentful", "markdown", "sanity", "storyblok"];

/** An export of each system, and what is one in another form. */
const EXPORTS: readonly (readonly [format: string, path: string])[] = [
  ["contentful", "contentful/blog.json"],
  ["markdown", "markdown"],
  ["markdown", "markdown/index.md"],
  ["sanity", "sanity/blog.ndjson"],
  ["sanity", "sanity"],
  ["storyblok", "storyblok/stories.json"],
  ["storyblok", "storyblok/components.json"],
  ["storyblok", "storyblok"],
];

describe("X4: a file in another format is refused, and the hint names the format", () => {
  const given = EXPORTS.flatMap(([format, path]) =>
    FORMATS.filter((one) => one !== format).map((wanted) => [wanted, path, format] as const),
  );
  it.each(given)("--from %s %s", (wanted, path, format) => {
    const bed = new CliBed();
    const lines = bed.failure(1, "import", "--from", wanted, join(FIXTURES, path));
    expect(lines.join("\n")).toContain(`--from ${format} imports it`);
  });

  it.each(FORMATS)("--from %s: a workspace folder is imported without it", (format) => {
    const bed = new CliBed();
    const lines = bed.failure(1, "import", "--from", format, join(FIXTURES, "starter"));
    expect(lines.join("\n")).toContain("import it without --from");
  });

  const EMPTY: readonly (readonly [format: string, text: string, message: string])[] = [
    ["sanity", "", "the export has no document to import"],
    ["sanity", "{}", "in is not a document: it has no _type"],
    ["sanity", "[]", "the export has no document to import"],
    ["storyblok", "", "in:1:1: broken JSON"],
    ["storyblok", "{}", "the export has no story to import"],
    ["storyblok", "[]", "the export has no story to import"],
    ["storyblok", '{"datasources":[{}]}', "the export has no story to import"],
    ["contentful", "{}", 'it has no list "contentTypes"'],
  ];
  it.each(EMPTY)("--from %s: %j", (format, text, message) => {
    const bed = new CliBed();
    workspaceFolder({ in: text }, bed.folder);
    const [error, hint] = bed.failure(1, "import", "--from", format, "in");
    expect(error).toContain(message);
    expect(hint).not.toMatch(/drafts|seems/);
  });
});
