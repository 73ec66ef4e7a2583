import { cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CliBed } from "../support/cli-bed.ts";

const FIXTURE = join(import.meta.dirname, "../../fixtures/markdown");

describe("svc import --from markdown", { timeout: 60_000 }, () => {
  it("X20: writes the models once, and never changes the file", () => {
    const bed = new CliBed();
    cpSync(FIXTURE, bed.path("texts"), { recursive: true });
    const how = ["import", "--from", "markdown", "texts", "--schema", "models.json"];
    expect(bed.ok(...how).stderr).toContain("wrote the models to models.json");
    const written = readFileSync(bed.path("models.json"), "utf8");
    expect(JSON.parse(written).models.map(({ key }: { key: string }) => key)).toEqual([
      ...["authors", "page", "posts"],
    ]);
    expect(bed.ok(...how).stderr).not.toContain("wrote");
    expect(readFileSync(bed.path("models.json"), "utf8")).toBe(written);
    for (const command of ["check", "publish", "verify"]) bed.ok(command);
  });

  it("the folder survives an export and an import", () => {
    const bed = new CliBed();
    bed.ok("import", "--from", "markdown", FIXTURE);
    const { versionId } = bed.json(0, "publish");
    bed.ok("export", "folder");
    bed.ok("import", "folder");
    expect(bed.json(0, "publish").versionId).toBe(versionId);
  });
});
