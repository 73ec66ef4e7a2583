import { renderData } from "../../documents/entry.ts";
import { heldText } from "../../documents/held-bytes.ts";
import type { Rendering } from "../../documents/rendering.ts";
import { idFrom } from "../../documents/to-id.ts";
import { fieldType } from "../../fields/registry.ts";
import type { FolderDraft, FolderEntry } from "../../folder/folder-draft.ts";
import type { EntryHead } from "../../workspace/draft.ts";
import type { FieldDefinition } from "../../workspace/field.ts";
import { type JsonObject, type JsonValue, jsonPointer, ownMember } from "../../workspace/json.ts";
import { type Problem, problem } from "../../workspace/problem.ts";
import { problemMessage } from "../../workspace/problem-messages.ts";
import type { EditedField } from "./edited-field.ts";

/** H43: what the rules of their types say of values, once they are stored. */
interface Found {
  /** All of the entry as it would be. */
  readonly all: readonly Problem[];
  /** Why the values are refused: each is new, or of a value itself. */
  readonly errors: readonly Problem[];
  readonly warnings: readonly Problem[];
  /** What the pattern of a field would take, made of the value that it refuses. */
  readonly fitting: string | undefined;
}

/** @param edited in the data as it would be; none: nothing is changed */
export function editProblems(
  rendering: Rendering,
  draft: FolderDraft,
  head: EntryHead,
  [before, after]: readonly [JsonObject, JsonObject],
  edited: readonly EditedField[],
): Found {
  const had = new Set(problemsOf(rendering, head, before).map(said));
  const found = problemsOf(rendering, head, after);
  const taken = edited.flatMap((one) => duplicates(rendering, draft, head, one));
  const places = edited.map((one) => {
    const { path, locale } = one;
    const field = jsonPointer(locale === undefined ? path : path.slice(0, -1));
    return { edited: one, here: jsonPointer(path), field };
  });
  const errors: Problem[] = [];
  const warnings: Problem[] = [];
  let fitting: string | undefined;
  // As the others of a draft (A3), which is not in the rendering before it is made.
  const isDraft = head.publishing?.draft === true;
  for (const one of found) {
    const { code, args, at, level } = one;
    const own = places.find(({ here }) => isBelow(at.path, here));
    const isOfField = own !== undefined || places.some(({ field }) => isBelow(at.path, field));
    if (!isOfField || (at.path !== own?.here && had.has(said(one)))) continue;
    // Not even in a draft: nobody sees later that a slug is none.
    const isPattern = code === "value-constraint" && args.constraint === "pattern" && own;
    const value = own?.edited.value;
    if (isPattern && typeof value === "string") fitting ??= fittingText(own.edited.field, value);
    if ((level === "error" && !isDraft) || isPattern) errors.push(one);
    else if (own) warnings.push(one);
  }
  return { all: [...found, ...taken], errors: [...errors, ...taken], warnings, fitting };
}

/** Each once: an entry has them in all its languages. */
export const saidOf = (problems: readonly Problem[]) =>
  [...new Set(problems.map(problemMessage))].join("; ");

/** Whether a place is that of a value or in it. */
export const isBelow = (at: string, place: string) => at === place || at.startsWith(`${place}/`);

/** H43a: "Ten days" as "ten-days", "tt-1" as "TT-1", where the field takes it. */
export function fittingText(field: FieldDefinition, text: string): string | undefined {
  const { maxLength } = field as { maxLength?: number };
  const name = idFrom(text.toLowerCase(), "");
  const slug = name.replace(/[._-]+/g, "-");
  const short = slug.slice(0, maxLength).replace(/-+$/, "");
  const texts = [slug, name, short, text.trim(), text.trim().toUpperCase()];
  return texts.find((one) => one !== "" && takes(field, one));
}

export function takes(field: FieldDefinition, text: string): boolean {
  return fieldType(field.type).brokenConstraint?.(field, text) === undefined;
}

const said = ({ code, args }: Problem) => JSON.stringify([code, args]);

/** Those of an entry with these data, in all languages. */
export function problemsOf(
  rendering: Rendering,
  head: EntryHead,
  data: JsonObject,
): readonly Problem[] {
  const { lookup } = rendering;
  return Array.from({ length: Math.max(1, lookup.languages.length) }, (_, language) => {
    const { renderer } = renderData(lookup, head, data, language);
    return rendering.problemsIn(head.id, language, renderer.problems);
  }).flat();
}

/** V10: another entry that has the value of a unique field. */
function duplicates(
  rendering: Rendering,
  draft: FolderDraft,
  head: EntryHead,
  edited: EditedField,
): Problem[] {
  const { field, path, locale, value } = edited;
  const other = field.unique && value !== null ? otherWith(draft, head, edited) : undefined;
  if (other === undefined) return [];
  const at = { kind: "entry", id: head.id, path: jsonPointer(path) } as const;
  const args = { field: field.key, other, ...(locale !== undefined && { locale }) };
  return [...rendering.leveled([problem(at, "value-duplicate", args)])];
}

/** The id of another entry of its model that has the value. */
export function otherWith(
  { entries, dataOf }: FolderDraft,
  { id, modelId }: Pick<EntryHead, "id" | "modelId">,
  { field, locale, value }: EditedField,
): string | undefined {
  const text = JSON.stringify(value);
  const has = (entry: FolderEntry) => {
    if (entry.id === id || entry.modelId !== modelId || !heldText(entry).includes(text))
      return false;
    const stored: JsonValue | undefined = ownMember(dataOf(entry), field.key);
    const own = locale === undefined ? stored : ownMember((stored ?? {}) as JsonObject, locale);
    return JSON.stringify(own) === text;
  };
  return [...entries.values()].find(has)?.id;
}
