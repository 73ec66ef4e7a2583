import type { JsonValue } from "../../workspace/json.ts";
import { parseJsonText } from "../json-text.ts";
import { mergeValues } from "./merge-values.ts";
import { type PrintedMerge, printMerged } from "./print-merged.ts";

export interface MergeTexts {
  /** Empty when both sides added the file. */
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
}

const MARK = "\ufeff";

/**
 * G4: merges two sides of a JSON file. Undefined when one is not JSON, or when they have no common
 * structure: then the lines are to be merged.
 */
export function mergeTexts(texts: MergeTexts, markerSize: number): PrintedMerge | undefined {
  const [base, ours, theirs] = [texts.base, texts.ours, texts.theirs].map((text) =>
    text.startsWith(MARK) ? text.slice(MARK.length) : text,
  ) as [string, string, string];
  const before = base.trim() === "" ? undefined : parsed(base);
  if (before === null) return undefined;
  const [ourValue, theirValue] = [parsed(ours), parsed(theirs)];
  if (ourValue === null || theirValue === null) return undefined;
  const merged = mergeValues({
    base: before?.value,
    ours: ourValue.value,
    theirs: theirValue.value,
    oursAt: [],
    theirsAt: [],
  });
  if (merged.kind === "conflict") return undefined;
  if (merged.kind === "theirs") return { text: texts.theirs, conflicts: [] };
  const { text, conflicts } = printMerged(merged, ours, theirs, markerSize);
  return { text: texts.ours.startsWith(MARK) ? MARK + text : text, conflicts };
}

/** Null when the text is not JSON, or loses data when it is parsed. */
function parsed(text: string): { value: JsonValue } | null {
  const result = parseJsonText(text);
  return "value" in result ? result : null;
}
