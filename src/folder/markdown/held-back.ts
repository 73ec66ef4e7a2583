import type { JsonValue } from "../../workspace/json.ts";
import type { MarkdownText } from "./front-matter.ts";

/** Whether a member, in any letter case, says that a text is a draft. */
export function isDraftMember(name: string): boolean {
  return name.toLowerCase() === "draft";
}

/**
 * Whether a text is a draft (X19c). What cannot be understood is one, and is given to `onUnclear`: a text
 * that is kept back by mistake does less harm than one that is published.
 */
export function isDraft({ matter }: MarkdownText, onUnclear: (name: string) => void) {
  let draft = false;
  for (const [name, value] of Object.entries(matter)) {
    if (!isDraftMember(name) || value === null) continue;
    const said = saysDraft(value);
    if (said === undefined) onUnclear(name);
    if (said !== false) draft = true;
  }
  return draft;
}

function saysDraft(value: JsonValue): boolean | undefined {
  if (typeof value === "number") return value !== 0;
  return typeof value === "object"
    ? undefined
    : DRAFT_WORDS.get(String(value).trim().toLowerCase());
}

const DRAFT_WORDS: ReadonlyMap<string, boolean> = new Map([
  ...["true", "yes", "on", "1"].map((word) => [word, true] as const),
  ...["false", "no", "off", "0"].map((word) => [word, false] as const),
]);
