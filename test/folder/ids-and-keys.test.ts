import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { filePath } from "../../src/documents/address.ts";
import { isId, isKey } from "../../src/workspace/ids.ts";
import { bedsIn, ROWS } from "../support/import-rows.ts";
import { randomRuns } from "../support/random-runs.ts";
import { projectOf } from "../support/workspaces/small-workspace.ts";
import {
  type Files,
  faultsIn,
  faultsOf,
  workspaceFolder,
} from "../support/workspaces/workspace-folder.ts";

/** A workspace folder with this id in each of the 11 places for ids. */
function withId(id: string): Files {
  const byUrl = { id, fileName: "a.png", url: "https://a.example/a.png" };
  const steps = [{ id, key: "s", name: "S", layoutName: "Plain" }];
  const experiences = [{ id, key: "x", name: "X", stepIds: [] }];
  const variants = [{ id, key: "v", name: "V" }];
  return {
    "workspace.json": { id, name: "W" },
    "models.json": [{ id, key: "m", name: "M", fields: [] }],
    "blocks.json": [{ id, key: "b", name: "B", fields: [] }],
    "features.json": [{ id, key: "f", name: "F", type: "text", variants }],
    "projects.json": [{ id, name: "P", steps, experiences }],
    "entries.json": [{ id, modelId: "m", data: {} }],
    "assets.json": [{ ...byUrl, versions: [byUrl] }],
  };
}

/**
 * A workspace folder with this key in each of the 9 places for keys: of a model, a block, a
 * feature, a variant, a step, an experience, and of fields.
 */
function withKey(key: string): Files {
  const fields = [{ key, type: "text" }];
  const steps = [{ id: "s", key, name: "S", layoutName: "Plain" }];
  const experiences = [{ id: "x", key, name: "X", stepIds: [] }];
  const variants = [{ id: "v", key, name: "V" }];
  return {
    "workspace.json": { id: "w", name: "W", fields },
    "models.json": [{ id: "m", key, name: "M", fields }],
    "blocks.json": [{ id: "b", key, name: "B", fields }],
    "features.json": [{ id: "f", key, name: "F", type: "text", variants }],
    "projects.json": [{ id: "p", name: "P", steps, experiences }],
  };
}

const NAMES = bedsIn(`${ROWS}/faults.yaml`)[".names"] as Record<string, string[]>;
const [IDS, KEYS] = [NAMES.ids, NAMES.keys].map((all = []) => [...all, "x".repeat(128)]) as [
  string[],
  string[],
];
const [NO_IDS, NO_KEYS] = [NAMES.noIds, NAMES.noKeys].map((all = []) => [
  ...all,
  "x".repeat(129),
]) as [string[], string[]];

describe("I1: ids", () => {
  it.each(IDS)("I1: %j is an id", (id) => {
    expect(isId(id)).toBe(true);
    expect(faultsIn(withId(id))).toEqual([]);
  });

  it.each(NO_IDS)("I1: %j is not an id: import rejects it everywhere", (id) => {
    const faults = faultsIn(withId(id));
    expect(faults).toHaveLength(11);
    for (const fault of faults) expect(fault).toContain(`malformed id ${JSON.stringify(id)}`);
  });

  it("I1: an id matches the specified pattern, so that paths with ids stay below out/", () => {
    const stated = /^[A-Za-z0-9_-]([A-Za-z0-9._-]{0,126}[A-Za-z0-9_-])?$/;
    const likely = fc.stringMatching(/^[./\\a%~\n-]{1,4}$/);
    const law = fc.property(fc.oneof(likely, fc.string()), (id) => {
      expect(isId(id)).toBe(stated.test(id));
      if (!isId(id)) return;
      const path = filePath({ kind: "content", projectId: id, experienceId: id });
      expect(join("out", path)).toBe(`out/api/v1/projects/${id}/experiences/${id}/content.json`);
    });
    fc.assert(law, { numRuns: randomRuns(2000) });
  });
});

describe("I2: keys", () => {
  it.each(KEYS)("I2: %j is a key", (key) => {
    expect(isKey(key)).toBe(true);
    expect(faultsIn(withKey(key))).toEqual([]);
  });

  it.each(NO_KEYS)("I2: %j is not a key: import rejects it everywhere", (key) => {
    const faults = faultsIn(withKey(key));
    expect(faults).toHaveLength(9);
    for (const fault of faults) expect(fault).toContain(`malformed key ${JSON.stringify(key)}`);
  });
});

const entry = (id: string) => ({ id, modelId: "m", data: {} });
const model = (id: string, key: string) => ({ id, key, name: "M", fields: [] });

describe("decisions, words: ids are unique per kind in a workspace", () => {
  it("I2: different kinds may have the same id or key", () => {
    expect(faultsIn(withId("same"))).toEqual([]);
    expect(faultsIn(withKey("same"))).toEqual([]);
  });

  it("W4a: of two files with the same id or key each is named", () => {
    const read = (files: Files) =>
      faultsOf(workspaceFolder(files)).map(({ file, other, message }) => [file, other, message]);
    expect(read({ "entries/a.json": entry("a"), "entries/b/c.json": entry("a") })).toEqual([
      ["entries/b/c.json", "entries/a.json", expect.stringContaining('duplicate entry id "a"')],
    ]);
    expect(
      read({ "models/a.json": model("x", "key"), "models/b.json": model("y", "key") }),
    ).toEqual([["models/b.json", "models/a.json", expect.stringContaining("model key")]]);
    expect(
      read({ "projects/a.json": projectOf("shop"), "projects/b.json": projectOf("Shop") }),
    ).toEqual([["projects/b.json", "projects/a.json", expect.stringContaining("letter case")]]);
  });
});
