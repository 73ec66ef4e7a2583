import { mergeTexts } from "../../src/folder/merge/merge-texts.ts";

export function pretty(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** The merged value of three values; each conflict in it is "conflict". */
export function mergedOf(base: unknown, ours: unknown, theirs: unknown): unknown {
  const texts = { base: pretty(base), ours: pretty(ours), theirs: pretty(theirs) };
  const merged = mergeTexts(texts, 7);
  if (merged === undefined) return "conflict";
  return merged.conflicts.length > 0 ? { l: "conflict" } : JSON.parse(merged.text);
}
