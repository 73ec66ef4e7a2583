import type { Files } from "../support/workspaces/workspace-folder.ts";

/** A workspace folder with this id in each of the 11 places for ids. */
export function withId(id: string): Files {
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
export function withKey(key: string): Files {
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
