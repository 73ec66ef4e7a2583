import { realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { draftFiles } from "../../src/cli/preview/draft-files.ts";
import { editorLink, editorTemplate } from "../../src/cli/preview/editor-link.ts";
import { findPlaces } from "../../src/folder/find-places.ts";
import { temporaryFolder } from "../support/test-bed.ts";
import { page } from "../support/workspaces/small-workspace.ts";
import { workspaceFolder } from "../support/workspaces/workspace-folder.ts";

const AT = { line: 10, column: 3 };
const link = (editor: string, path: string) => editorLink(editorTemplate(editor), path, AT);
const titleOf = (id: string) =>
  ({ code: "value-type", at: { kind: "entry", id, path: "/title" } }) as const;

describe("H40: links to files", () => {
  it.each([
    ["vscode", "/w/a.json", "vscode://file/w/a.json:10:3"],
    ["cursor", "/w/a.json", "cursor://file/w/a.json:10:3"],
    ["zed", "/w/a.json", "zed://file/w/a.json:10:3"],
    ["webstorm", "/w/a.json", "webstorm://open?file=/w/a.json&line=10&column=3"],
    ["idea", "C:\\w\\a b.json", "idea://open?file=C:/w/a%20b.json&line=10&column=3"],
    ["vscode", "C:\\w\\a b.json", "vscode://file/C:/w/a%20b.json:10:3"],
    ["vscode", "/w/50% #1 ü?&:x.json", "vscode://file/w/50%25%20%231%20%C3%BC%3F%26%3Ax.json:10:3"],
    [
      "subl://open?url={path}&l={line}",
      "/w/{line}.json",
      "subl://open?url=/w/%7Bline%7D.json&l=10",
    ],
  ])("H40: %s opens %s by %s", (editor, path, expected) => {
    expect(link(editor, path)).toBe(expected);
  });

  it.each([
    "javascript:alert({path})",
    "JavaScript:{path}",
    "data:{path}",
    "https://x/{path}",
    "code",
    "x:y",
    "",
  ])("H40: refuses the template %j", (template) => {
    expect(() => editorTemplate(template)).toThrow(/must/);
  });

  it.each([
    ["files", { "entries/a b/home.json": page("home", "Home") }],
    ["a list", { "entries.json": [page("z", "Z"), page("home", "Home")] }],
    [
      "lines",
      {
        "entries.ndjson": `${JSON.stringify(page("z", "Z"))}\n${JSON.stringify(page("home", "H"))}\n`,
      },
    ],
  ])(
    "H39, H40: of entries in %s, the place is that of svc check, and the link its real path",
    (_, files) => {
      const folder = workspaceFolder(files);
      const linkTo = join(temporaryFolder(), "link");
      symlinkSync(folder, linkTo);
      const wanted = titleOf("home");
      const place = draftFiles(linkTo, editorTemplate("vscode")).placesOf([wanted])(wanted);
      const checked = findPlaces(folder, [wanted])(wanted);
      expect(checked).toBeDefined();
      const { file = "", line, column } = checked ?? {};
      expect(place).toMatchObject({ line, column });
      expect(place?.file.endsWith(`link/${file}`)).toBe(true);
      const path = join(realpathSync(folder), file);
      expect(place?.href).toBe(
        editorLink("vscode://file{path}:{line}:{column}", path, { line, column }),
      );
      expect(draftFiles(folder, "").placesOf([wanted])(wanted)?.href).toBeUndefined();
    },
  );
});
