import type { Files } from "../support/workspaces/workspace-folder.ts";

/** A workspace folder in which this id stands in each of the 11 places where an id can stand. */
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
 * A workspace folder in which this key stands in each of the 9 places where a key can stand: as
 * the key of a model and a block, of a feature, a variant, a step and an experience, and of fields.
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
