import type { DraftState } from "./draft-state.ts";

export type DefinitionsView = ReturnType<typeof definitionsView>;

/** The models, blocks and features of a draft as authored, with how many entries each model has. */
export function definitionsView({ draft }: DraftState) {
  const counts = new Map<string, number>();
  for (const { modelId } of draft.entries.values()) {
    counts.set(modelId, (counts.get(modelId) ?? 0) + 1);
  }
  return {
    models: draft.models.map((model) => ({ ...model, entries: counts.get(model.id) ?? 0 })),
    blocks: draft.blocks,
    features: draft.features,
  };
}
