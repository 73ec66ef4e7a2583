import { asWarning } from "../../documents/own-problems.ts";
import type { Pointer, Serving } from "../../fields/serving.ts";
import type { JsonObject } from "../../workspace/json.ts";
import type { Hidden, Problem } from "../../workspace/problem.ts";
import type { Entry } from "../../workspace/records.ts";
import type { DraftState } from "./draft-state.ts";
import { titleOf } from "./entry-title.ts";

/** An entry as shown in a list. */
export interface EntrySummary {
  readonly id: string;
  /** Null when its model was deleted. */
  readonly modelKey: string | null;
  readonly title: string;
  /** A1: why it is not published; null: nothing prevents that. */
  readonly hidden: Hidden | null;
}

/** The target of a pointer, whether or not it resolves. */
export interface PointerTarget extends EntrySummary {
  readonly state: "found" | "deleted" | "other-workspace";
}

/** An entry with its served data, its pointers and its problems. */
export interface RenderedEntry {
  readonly entry: Entry;
  readonly data: JsonObject;
  readonly serving: Serving;
  readonly pointers: readonly Pointer[];
  readonly problems: readonly Problem[];
}

/** The entry as served; undefined when the draft does not have it. */
export function renderEntry(state: DraftState, id: string): RenderedEntry | undefined {
  const entry = state.draft.entry(id);
  if (entry === undefined) return undefined;
  const { data, serving } = state.rendering.serve(entry);
  const { pointers, problems: own } = serving;
  const problems = state.hiddenBy(id) === null ? own : own.map(asWarning);
  return { entry, data, serving, pointers, problems };
}

export function summaryOf(state: DraftState, entry: Entry): EntrySummary {
  const model = state.models.get(entry.modelId);
  const { id } = entry;
  const [modelKey, title] = [model?.key ?? null, titleOf(entry, model)];
  return { id, modelKey, title, hidden: state.hiddenBy(id) };
}

/** The target of a pointer; an unresolved one has the reason that `svc check` reports (P3). */
export function pointerTarget(state: DraftState, id: string): PointerTarget {
  const entry = state.draft.entry(id);
  if (entry !== undefined) return { ...summaryOf(state, entry), state: "found" };
  const missing = state.draft.isForeignEntry(id) ? "other-workspace" : "deleted";
  return { id, modelKey: null, title: id, hidden: null, state: missing };
}
