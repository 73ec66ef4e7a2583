import { renderData } from "../../documents/entry.ts";
import { heldText } from "../../documents/held-bytes.ts";
import type { Rendering } from "../../documents/rendering.ts";
import { fieldType } from "../../fields/registry.ts";
import type { FolderDraft, FolderEntry } from "../../folder/folder-draft.ts";
import { idFrom } from "../../import/formats/to-id.ts";
import type { EntryHead } from "../../workspace/draft.ts";
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
  const isRefused = (one: Problem) =>
    (one.level === "error" || isPattern(one)) && isNew(one) && !isToCome(one);
  const errors = found.filter(isRefused);
  const warnings = found.filter(
    (one) => isBelow(one.at.path, here) && isNew(one) && !isRefused(one),
  );
  errors.push(...duplicates(rendering, draft, head, edited));
  const texts = (problems: readonly Problem[]) => [...new Set(problems.map(problemMessage))];
  const fitting = errors.some(isPattern) ? fittingText(edited) : undefined;
  return { errors: texts(errors), warnings: texts(warnings), fitting };
}

/** H43a: "Ten days" as "ten-days", "tt-1" as "TT-1", where the field takes it. */
function fittingText({ field, value }: EditedField): string | undefined {
  if (typeof value !== "string") return undefined;
  const name = idFrom(value.toLowerCase(), "");
  const texts = [name, name.replace(/[._]+/g, "-"), value.trim(), value.trim().toUpperCase()];
  const { brokenConstraint } = fieldType(field.type);
  return texts.find((one) => one !== "" && brokenConstraint?.(field, one) === undefined);
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
  { entries, dataOf }: FolderDraft,
  { id, modelId }: EntryHead,
  { field, path, locale, value }: EditedField,
): Problem[] {
  if (field.unique !== true || value === null) return [];
  const text = JSON.stringify(value);
  const has = (entry: FolderEntry) => {
    if (entry.id === id || entry.modelId !== modelId || !heldText(entry).includes(text))
      return false;
    const stored: JsonValue | undefined = ownMember(dataOf(entry), field.key);
    const own = locale === undefined ? stored : ownMember((stored ?? {}) as JsonObject, locale);
    return JSON.stringify(own) === text;
  };
  const at = { kind: "entry", id, path: jsonPointer(path) } as const;
  const other = [...entries.values()].find(has)?.id;
  if (other === undefined) return [];
  const args = { field: field.key, other, ...(locale !== undefined && { locale }) };
  return [...rendering.leveled([problem(at, "value-duplicate", args)])];
}
