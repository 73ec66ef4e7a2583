import { entryOf } from "../workspace/draft.ts";
import type { FieldDefinition } from "../workspace/field.ts";
import { isJsonObject, type JsonObject, type JsonValue, pathIn } from "../workspace/json.ts";
import type { Problem } from "../workspace/problem.ts";
import { type DescribedProblem, describedProblem } from "../workspace/problem-messages.ts";
import type { Block } from "../workspace/records.ts";
import type { DraftState } from "./draft-state.ts";
import { valueAt, withValueAt } from "./edited.ts";

/** A problem as the page shows it. */
export interface ShownProblem extends DescribedProblem {
  /** H82: the name of the dead value that may be removed. */
  readonly dead?: string;
}

type Definitions = Pick<DraftState, "models" | "blocks">;

export function shownProblem(state: DraftState, problem: Problem): ShownProblem {
  const described = describedProblem(problem);
  const { kind, id } = problem.at;
  const name = deadName(problem);
  const entry = name === undefined || kind !== "entry" ? undefined : entryOf(state.draft, id);
  const isRemovable = entry && withoutDead(state, entry.modelId, entry.data, problem);
  return isRemovable && name !== undefined ? { ...described, dead: name } : described;
}

/** H82: what a value is called that nothing serves: its own name, or that of what it points at, which is not there. */
export function deadName({ code, args }: Problem): string | undefined {
  if (code === "field-unknown") return args.field;
  if (code === "reference-deleted") return args.target;
  if (code === "block-deleted") return args.block;
  const isMissing =
    code === "asset-missing" || (code === "html-unreadable" && args.reason === "missing");
  return isMissing ? args.asset : undefined;
}

/**
 * The data of an entry without the value that a problem is about; undefined: it is none that is removed, as of what is in rich
 * text, for which there is an editor.
 */
export function withoutDead(
  { models, blocks }: Definitions,
  modelId: string,
  data: JsonObject,
  { at }: Problem,
): JsonObject | undefined {
  const path = pathIn(at.path);
  const found = placeIn(models.get(modelId)?.fields ?? [], data, path, blocks);
  if (found === undefined) return undefined;
  const { field, isItem } = found;
  if (!isItem) return withValueAt(data, path, null, field?.localized === true);
  const around = path.slice(0, -1);
  const list = valueAt(data, around) as readonly JsonValue[];
  return withValueAt(data, around, list.toSpliced(Number(path.at(-1)), 1), false);
}

/** What is at a path: a value of a field, an item of its list, or a member without a field. */
function placeIn(
  fields: readonly FieldDefinition[],
  data: JsonObject,
  path: readonly string[],
  blocks: ReadonlyMap<string, Block>,
): { readonly field?: FieldDefinition; readonly isItem: boolean } | undefined {
  let defined = fields;
  let end = 0;
  while (end < path.length) {
    const field = defined.find(({ key }) => key === path[end]);
    end += 1;
    if (field === undefined) return end === path.length ? { isItem: false } : undefined;
    if (field.localized) end += 1;
    if (field.repeatable) end += 1;
    if (end === path.length) return { field, isItem: field.repeatable === true };
    if (field.type !== "content-block" || path[end] !== "data") return undefined;
    const block = valueAt(data, path.slice(0, end)) ?? null;
    const id = isJsonObject(block) ? String(block.contentBlockId) : "";
    defined = blocks.get(id)?.fields ?? [];
    end += 1;
  }
  return undefined;
}
