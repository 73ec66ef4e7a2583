import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CliBed } from "../support/cli-bed.ts";
import { workspaceFolder } from "../support/workspaces/workspace-folder.ts";

const FIXTURE = join(import.meta.dirname, "../../fixtures/markdown");

describe("svc import --from markdown", () => {
  it("X20: writes the models once, and never changes the file", () => {
    const bed = new CliBed();
    cpSync(FIXTURE, bed.path("texts"), { recursive: true });
    const how = ["import", "--from", "markdown", "texts", "--schema", "models.json"];
    expect(bed.ok(...how).stderr).toContain("wrote the models to models.json");
    const written = readFileSync(bed.path("models.json"), "utf8");
    expect(JSON.parse(written).models.map(({ key }: { key: string }) => key)).toEqual([
      "authors",
      "page",
      "posts",
    ]);
    expect(bed.ok(...how).stderr).not.toContain("wrote");
    expect(readFileSync(bed.path("models.json"), "utf8")).toBe(written);
    for (const command of ["check", "publish", "verify"]) bed.ok(command);
  });

  it("X19d: the faults of all texts are listed, and nothing is imported", () => {
    const bed = new CliBed();
    workspaceFolder({ "in/a.md": "---\na: [1\n---\n", "in/b.md": "---\na: 1\n" }, bed.folder);
    const { error } = bed.json(1, "import", "--from", "markdown", "in");
    expect(error).toMatchObject({
      code: "export-invalid",
      message: '2 texts of "in" cannot be imported',
      problems: [
        { code: "text-invalid", file: "in/a.md", line: 3, column: 1 },
        { code: "text-invalid", file: "in/b.md", line: 1, column: 1 },
      ],
      counts: { errors: 2 },
    });
    expect(bed.failure(1, "import", "--from", "markdown", "in")[1]).toMatch(
      /b\.md:1:1 +front matter/,
    );
    expect(readdirSync(bed.folder)).not.toContain("workspace.db");
  });
});
