import type { Parts } from "../support/test-bed.ts";
import type { RandomWorkspace } from "../support/workspaces/random-workspace.ts";

/** The workspace with one more of all that a schema describes. */
export function extended({ projects, ...parts }: RandomWorkspace): Parts {
  const fields = [{ key: "oneMore", type: "text", required: true }];
  const more = { id: "more", key: "more", name: "More", fields };
  const layout = { layoutName: "Plain", layoutContentId: "more" };
  return {
    ...parts,
    fields: [...parts.fields, ...fields],
    models: [
      ...parts.models.map((model) => ({ ...model, fields: [...model.fields, ...fields] })),
      more,
    ],
    blocks: [
      ...parts.blocks.map((block) => ({ ...block, fields: [...block.fields, ...fields] })),
      { ...more, category: "wide" },
    ],
    features: [...parts.features, { id: "more", key: "more", name: "More", type: "text" }],
    entries: [...parts.entries, { id: "more", modelId: "more", data: {} }],
    projects: [
      ...projects.map((project) => ({
        ...project,
        steps: [...project.steps, { id: "more", key: "more", name: "More", ...layout }],
        experiences: [...project.experiences, { id: "more", key: "more", name: "", stepIds: [] }],
      })),
      { id: "more", name: "More", steps: [], experiences: [] },
    ],
  };
}
