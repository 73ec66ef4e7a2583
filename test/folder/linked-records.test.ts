import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../support/test-bed.ts";
import { faultsIn, faultsOf, workspaceFolder } from "../support/workspaces/workspace-folder.ts";

const entry = (id: string) => ({ id, modelId: "m", data: {} });

/** The faults of a folder in which `path` is a symbolic link to a target outside of it. */
function faultsOfLink(path: string, target: string) {
  const outside = workspaceFolder({
    "workspace.json": { id: "other", name: "Other" },
    "array.json": [entry("outside")],
    "lines.ndjson": JSON.stringify(entry("outside")),
    "one/record.json": entry("outside"),
  });
  const folder = workspaceFolder({ "models/m.json": { id: "m", key: "m", name: "M", fields: [] } });
  symlinkSync(join(outside, target), join(folder, path));
  return faultsOf(folder);
}

describe("folder: records are plain files of the folder", () => {
  it.each([
    ["entries.json", "array.json"],
    ["entries.ndjson", "lines.ndjson"],
    ["entries", "one"],
    ["models/link.json", "one/record.json"],
    ["models/linked", "one"],
    ["models/linked.json", "one"],
  ])("folder: a symbolic link is a fault in every form: %s", (path, target) => {
    expect(faultsOfLink(path, target)).toEqual([
      expect.objectContaining({ file: path, message: expect.stringMatching(/\S/) }),
    ]);
  });

  it("folder: a link to its own folder is a fault", () => {
    const folder = workspaceFolder({ "entries/a.json": entry("a") });
    symlinkSync(join(folder, "entries"), join(folder, "entries/loop"));
    expect(faultsOf(folder)).toEqual([expect.objectContaining({ file: "entries/loop" })]);
  });

  it.each(["entries.json", "entries.ndjson", "models.json", "models.ndjson"])(
    "folder: a folder named %s is a fault",
    (name) => {
      expect(faultsIn({ [`${name}/x`]: "" })).toEqual([
        expect.stringMatching(new RegExp(`^${name} \\S`)),
      ]);
    },
  );

  it("folder: a folder named workspace.json is a fault", () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "workspace.json"));
    expect(faultsOf(folder)).toEqual([expect.objectContaining({ file: "workspace.json" })]);
  });

  it("folder: a file with the name of a kind's folder is a fault", () => {
    expect(faultsIn({ entries: "[]" })).toEqual([expect.stringMatching(/^entries /)]);
  });
});
