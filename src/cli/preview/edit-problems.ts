import { renderData } from "../../documents/entry.ts";
import { heldText } from "../../documents/held-bytes.ts";
import type { Rendering } from "../../documents/rendering.ts";
import { fieldType } from "../../fields/registry.ts";
import type { FolderDraft, FolderEntry } from "../../folder/folder-draft.ts";
import { idFrom } from "../../import/formats/to-id.ts";
import type { EntryHead } from "../../workspace/draft.ts";
import type { FieldDefinition } from "../../workspace/field.ts";
import { type JsonObject, type JsonValue, jsonPointer, ownMember } from "../../workspace/json.ts";
import { type Problem, problem } from "../../workspace/problem.ts";
import { problemMessage } from "../../workspace/problem-messages.ts";
import type { EditedField } from "./edited-field.ts";

interface Found {
  /** Why the value is refused: each is new, or of the value itself. */
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  /** What the pattern of the field would take, made of the value that it refuses. */
  readonly fitting: string | undefined;
}

/** H43: what the rules of its type say of a value at a path, once it is stored. */
export function editProblems(
  rendering: Rendering,
  draft: FolderDraft,
  head: EntryHead,
  [before, after]: readonly [JsonObject, JsonObject],
  edited: EditedField,
): Found {
  const { path } = edited;
  const here = jsonPointer(path);
  const ofField = jsonPointer(edited.locale === undefined ? path : path.slice(0, -1));
  const isBelow = (at: string, place: string) => at === place || at.startsWith(`${place}/`);
  const had = new Set(problemsOf(rendering, head, before).map(said));
  const found = problemsOf(rendering, head, after).filter(({ at }) => isBelow(at.path, ofField));
  const isNew = (one: Problem) => one.at.path === here || !had.has(said(one));
  // The values of a block that was added are given next.
  const isToCome = ({ code, at }: Problem) =>
    code === "value-missing" && edited.field.type === "content-block" && at.path !== here;
  // Not even in a draft: nobody sees later that a slug is none.
  const isPattern = ({ code, args, at }: Problem) =>
    code === "value-constraint" && args.constraint === "pattern" && isBelow(at.path, here);
  // As the others of a draft (A3), which is not in the rendering before it is made.
  const isDraft = head.publishing?.draft === true;
  const isRefused = (one: Problem) =>
    ((one.level === "error" && !isDraft) || isPattern(one)) && isNew(one) && !isToCome(one);
  const errors = found.filter(isRefused);
  const warnings = found.filter(
    (one) => isBelow(one.at.path, here) && isNew(one) && !isRefused(one),
  );
  errors.push(...duplicates(rendering, draft, head, edited));
  const texts = (problems: readonly Problem[]) => [...new Set(problems.map(problemMessage))];
  const fitting =
    errors.some(isPattern) && typeof edited.value === "string"
      ? fittingText(edited.field, edited.value)
      : undefined;
  return { errors: texts(errors), warnings: texts(warnings), fitting };
}

/** H43a: "Ten days" as "ten-days", "tt-1" as "TT-1", where the field takes it. */
export function fittingText(field: FieldDefinition, text: string): string | undefined {
  const { maxLength } = field as { maxLength?: number };
  const name = idFrom(text.toLowerCase(), "");
  const slug = name.replace(/[._]+/g, "-");
  const short = slug.slice(0, maxLength).replace(/-+$/, "");
  const texts = [slug, name, short, text.trim(), text.trim().toUpperCase()];
  return texts.find((one) => one !== "" && takes(field, one));
}

export function takes(field: FieldDefinition, text: string): boolean {
  return fieldType(field.type).brokenConstraint?.(field, text) === undefined;
}

const said = ({ code, args }: Problem) => JSON.stringify([code, args]);

function problemsOf(rendering: Rendering, head: EntryHead, data: JsonObject): readonly Problem[] {
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
  { id, modelId }: EntryHead,
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
