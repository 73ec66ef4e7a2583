import { describe, expect, it } from "vitest";
import { projectOf } from "../support/workspaces/small-workspace.ts";
import { faultsIn } from "../support/workspaces/workspace-folder.ts";
import { withId, withKey } from "./named-records.ts";

const field = (key: string) => ({ key, type: "text" });
const model = (id: string, key: string, ...fields: readonly object[]) => ({
  ...{ id, key, name: "M", fields },
});
const feature = (id: string, key: string, ...variants: readonly object[]) => ({
  ...{ id, key, name: "F", type: "text", variants },
});
const variant = (id: string, key: string) => ({ id, key, name: "V" });
const byUrl = (id: string, ...versions: readonly object[]) => ({
  ...{ id, fileName: "a", url: "https://a.example" },
  ...(versions.length > 0 && { versions }),
});
const step = (id: string, key: string) => ({ id, key, name: "S", layoutName: "Plain" });
const tour = (id: string, key: string) => ({ id, key, name: "X", stepIds: [] });
const project = (steps: readonly object[], experiences: readonly object[]) => ({
  ...{ id: "p", name: "P", steps, experiences },
});
const entry = (id: string) => ({ id, modelId: "m", data: {} });

/** Files with a duplicate id or key, and what is duplicate. */
const DUPLICATES: readonly [string, string, object][] = [
  ["model id", "models.json", [model("a", "x"), model("a", "y")]],
  ["model key", "models.json", [model("x", "a"), model("y", "a")]],
  ["block id", "blocks.json", [model("a", "x"), model("a", "y")]],
  ["block key", "blocks.json", [model("x", "a"), model("y", "a")]],
  ["field key", "models.json", [model("m", "m", field("a"), field("b"), field("a"))]],
  ["field key", "blocks.json", [model("b", "b", field("a"), field("a"))]],
  ["field key", "workspace.json", { id: "w", name: "W", fields: [field("a"), field("a")] }],
  ["feature id", "features.json", [feature("a", "x"), feature("a", "y")]],
  ["feature key", "features.json", [feature("x", "a"), feature("y", "a")]],
  ["variant id", "features.json", [feature("f", "f", variant("a", "x"), variant("a", "y"))]],
  ["variant key", "features.json", [feature("f", "f", variant("x", "a"), variant("y", "a"))]],
  ["project id", "projects.json", [projectOf("a"), projectOf("a")]],
  ["step id", "projects.json", [project([step("a", "x"), step("a", "y")], [])]],
  ["step key", "projects.json", [project([step("x", "a"), step("y", "a")], [])]],
  ["experience id", "projects.json", [project([], [tour("a", "x"), tour("a", "y")])]],
  ["experience key", "projects.json", [project([], [tour("x", "a"), tour("y", "a")])]],
  ["entry id", "entries.json", [entry("a"), entry("b"), entry("a")]],
  ["asset id", "assets.json", [byUrl("a"), byUrl("a")]],
  ["version id", "assets.json", [byUrl("x", byUrl("a"), byUrl("a"))]],
];

describe("decisions, words: ids are unique per kind in a workspace", () => {
  it("I2: different kinds may have the same id or key", () => {
    expect(faultsIn(withId("same"))).toEqual([]);
    expect(faultsIn(withKey("same"))).toEqual([]);
  });

  it.each(DUPLICATES)("I2: import rejects a duplicate %s in %s", (what, file, contents) => {
    const duplicate = expect.stringMatching(new RegExp(`^${file}:1:\\d+ duplicate ${what} "a"$`));
    expect(faultsIn({ [file]: contents })).toEqual([duplicate]);
  });

  it("I2: two models, features or projects may have the same nested keys", () => {
    const projects = ["p", "q"].map((id) => ({ ...project([step("s", "s")], []), id }));
    expect(
      faultsIn({
        "models.json": [model("m", "m", field("a")), model("n", "n", field("a"))],
        "features.json": [
          feature("f", "f", variant("v", "v")),
          feature("g", "g", variant("v", "v")),
        ],
        "projects.json": projects,
      }),
    ).toEqual([]);
  });
});
