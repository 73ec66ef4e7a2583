import type { JsonObject } from "../../src/workspace/json.ts";
import type { Entry } from "../../src/workspace/records.ts";
import type { Parts } from "../support/test-bed.ts";
import { projectOf } from "../support/workspaces/small-workspace.ts";

export const entry = (id: string, data: JsonObject = {}, modelId = "m-page"): Entry => ({
  id,
  modelId,
  data,
});
export const block = (data: JsonObject) => ({ contentBlockId: "b-box", data });
export const to = (...ids: string[]) => ids.map((contentEntryId) => ({ contentEntryId }));

/** A project `p` whose experience `home` shows the entry `home`. */
export const WORLD: Parts = {
  models: [
    {
      id: "m-page",
      key: "page",
      name: "Page",
      fields: [
        { key: "title", type: "text" },
        { key: "tags", type: "text", repeatable: true },
        { key: "next", type: "reference", repeatable: true },
        { key: "box", type: "content-block" },
        { key: "boxes", type: "content-block", repeatable: true },
        { key: "more", type: "json" },
      ],
    },
    { id: "m-note", key: "note", name: "Note", fields: [{ key: "title", type: "text" }] },
  ],
  blocks: [
    { id: "b-other", key: "other", name: "Other", fields: [] },
    {
      id: "b-box",
      key: "box",
      name: "Box",
      fields: [
        { key: "text", type: "text" },
        { key: "inner", type: "content-block", repeatable: true },
      ],
    },
  ],
  projects: [projectOf("p", "home")],
};
/** The content document of an experience. */
export const contentPath = (experience: string, project = "p") =>
  `api/v1/projects/${project}/experiences/${experience}/content.json`;
