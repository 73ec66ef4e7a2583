import { entryOf } from "../workspace/draft.ts";
import { type JsonValue, ownMember, pathIn } from "../workspace/json.ts";
import type { FilePlace, PlacedProblem, Problem } from "../workspace/problem.ts";
import { shortened } from "../workspace/shortened.ts";
import { type ShownProblem, shownProblem } from "./dead-values.ts";
import type { DraftState } from "./draft-state.ts";
import { summaryOf } from "./entry-summary.ts";
import { type Counts, problemCounts } from "./problem-counts.ts";
import { placeOf, type TextPlace } from "./text-place.ts";

/** A place in a file, with the address that opens it in the author's editor (H40). */
export interface LinkedPlace extends FilePlace {
  readonly href?: string;
}

/** The files of a workspace folder; a store has none. */
export interface DraftFiles {
  placesOf(wanted: readonly PlacedProblem[]): (problem: PlacedProblem) => LinkedPlace | undefined;
}

export interface ListedProblem extends ShownProblem {
  /** Of the entry, or the name of another record. */
  readonly title: string;
  /** Of an entry, in words. */
  readonly field?: TextPlace;
  /** What is stored there, if it is short enough to show. */
  readonly value?: string;
  readonly place?: LinkedPlace;
}

export interface ProblemGroup extends Counts {
  readonly code: Problem["code"];
  readonly problems: readonly ListedProblem[];
}

/** The longest value that is shown, in characters. */
const LONGEST = 80;

/** H39: the problems by their codes, so many of each, with their places in words and in files. */
export function problemList(
  state: DraftState,
  files: DraftFiles | undefined,
  { code, most }: { code: string; most: number },
): ProblemGroup[] {
  const groups = [...Map.groupBy(state.problems, (problem) => problem.code)]
    .filter(([name]) => code === "" || name === code)
    .map(([name, all]) => ({ name, all, shown: all.slice(0, most) }));
  const placeIn = files?.placesOf(groups.flatMap(({ shown }) => shown));
  return groups.map(({ name, all, shown }) => {
    const problems = shown.map((problem) => listed(state, problem, placeIn?.(problem)));
    return { code: name, ...problemCounts(all), problems };
  });
}

function listed(
  state: DraftState,
  problem: Problem,
  place: LinkedPlace | undefined,
): ListedProblem {
  const described = { ...shownProblem(state, problem), ...(place && { place }) };
  const { kind, id, path } = problem.at;
  const at = pathIn(path);
  if (kind === "entry") {
    const entry = entryOf(state.draft, id);
    if (entry === undefined) return { ...described, title: id };
    const { title } = summaryOf(state, entry);
    const field = placeOf(entry, at, state.models.get(entry.modelId), state.blocks);
    return { ...described, title, ...(at.length > 0 && { field }), ...valueAt(entry.data, at) };
  }
  const { workspace, projects, models, blocks, assets } = state.draft;
  const lists = { project: projects, model: models, block: blocks, workspace: [workspace] };
  const asset = assets.get(id);
  const record = kind === "asset" ? asset : lists[kind].find((one) => one.id === id);
  const name = record && "name" in record ? record.name : asset?.fileName;
  return { ...described, title: name ?? id };
}

function valueAt(data: JsonValue, path: readonly string[]): Pick<ListedProblem, "value"> {
  let value: JsonValue | undefined = data;
  for (const name of path) {
    if (typeof value !== "object" || value === null) return {};
    value = ownMember(value as Readonly<Record<string, JsonValue>>, name);
  }
  const isShort = value !== undefined && (typeof value !== "object" || value === null);
  return isShort && path.length > 0 ? { value: shortened(JSON.stringify(value), LONGEST) } : {};
}
