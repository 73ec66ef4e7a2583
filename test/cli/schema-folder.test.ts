import { cpSync, readFileSync, renameSync } from "node:fs";
import { expect, it } from "vitest";
import { CliBed, STARTER } from "../support/cli-bed.ts";
import { statesBelow } from "../support/file-tree.ts";

it("G7, G8: svc schema folder writes files that no import reads, and only when they differ", () => {
  const bed = new CliBed();
  cpSync(STARTER, bed.path("site/content"), { recursive: true });
  const { files, settings } = bed.json(0, "schema", "folder", "site/content", "--vscode", "site");
  expect(files).toHaveLength(7);
  expect(settings).toBe("site/.vscode/settings.json");
  expect(readFileSync(bed.path(settings), "utf8")).toContain(
    '"./content/.svc/entries.schema.json"',
  );
  const before = statesBelow(bed.path("site"));
  expect(bed.ok("schema", "folder", "site/content", "--vscode", "site").stderr).toBe("");
  expect(statesBelow(bed.path("site"))).toEqual(before);
  expect(bed.ok("import", "site/content").stderr).toBe("next: svc check, then svc publish\n");
  const [error] = bed.failure(2, "schema", "folder", "site/content", "--vscode", "site/other");
  expect(error).toContain('"site/content" is not in "site/other"');
  expect(bed.failure(2, "schema", "folder", "site")[0]).toContain("no workspace folder");
  expect(statesBelow(bed.path("site"))).toEqual(before);
  const settingsFile = bed.path("site/content/workspace.json");
  renameSync(settingsFile, `${settingsFile}c`);
  expect(bed.json(0, "schema", "folder", "site/content").files).toHaveLength(7);
});
