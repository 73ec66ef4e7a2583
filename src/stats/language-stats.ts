import { shownLanguage } from "../documents/hidden-entries.ts";
import { localizedModels, valueIn } from "../fields/localized.ts";
import { fieldType } from "../fields/registry.ts";
import type { Draft } from "../workspace/draft.ts";
import type { FieldDefinition } from "../workspace/field.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownMember } from "../workspace/json.ts";
import { type Language, languageKey, languageOf } from "../workspace/language.ts";
import type { Block } from "../workspace/records.ts";

/** P14: how far the entries of a draft are translated into a language. */
export interface LanguageStats {
  /** Null: the projects have none (B5). */
  readonly locale: string | null;
  readonly fallbackLocales: readonly string[];
  /** The ids of the projects in this language, in order. */
  readonly projects: readonly string[];
  /** The entries with a localized value in any locale, each in one of the three. */
  readonly entries: {
    /** All of its localized values are of `locale`. */
    readonly complete: number;
    /** One or more is of a fallback locale, and none is missing. */
    readonly fallback: number;
    /** One or more is missing: another locale has it. */
    readonly missing: number;
  };
}

/** In ascending order of weight: the heaviest of an entry's values is the state of the entry. */
const [NONE, COMPLETE, FALLBACK, MISSING] = [0, 1, 2, 3] as const;
type State = typeof NONE | typeof COMPLETE | typeof FALLBACK | typeof MISSING;

/** Of each language in use, in order of its first project; reads the entries once. */
export function languageStats(draft: Draft): LanguageStats[] {
  const localized = localizedModels(draft);
  if (localized.size === 0) return [];
  const groups = Map.groupBy(draft.projects, (one) => languageKey(languageOf(one)));
  const languages = Array.from(groups.values(), (projects) => {
    const counts = [0, 0, 0, 0];
    return { projects, counts, language: languageOf(projects[0] ?? {}) };
  });
  const models = new Map(draft.models.map((model) => [model.id, model]));
  const blocks = new Map(draft.blocks.map((block) => [block.id, block]));
  for (const head of draft.entries.values()) {
    const { modelId } = head;
    if (!localized.has(modelId)) continue;
    const data = draft.dataOf(head);
    const fields = models.get(modelId)?.fields ?? [];
    for (const { language: all, counts } of languages) {
      const language = shownLanguage(head.publishing, all);
      (counts[stateOf(fields, data, { language, blocks })] as number) += 1;
    }
  }
  return languages.map(
    ({ projects, language, counts: [, complete = 0, fallback = 0, missing = 0] }) => ({
      locale: language[0] ?? null,
      fallbackLocales: language.slice(1),
      projects: projects.map(({ id }) => id),
      entries: { complete, fallback, missing },
    }),
  );
}

interface Context {
  readonly language: Language;
  readonly blocks: ReadonlyMap<string, Block>;
}

/** Of the localized values of a record. A value that no locale has is not translated, nor missing. */
function stateOf(fields: readonly FieldDefinition[], data: JsonObject, context: Context): State {
  let state: State = NONE;
  for (const { key, type, localized } of fields) {
    let value = ownMember(data, key) ?? null;
    if (localized) {
      if (!isJsonObject(value) || Object.values(value).every((one) => one === null)) continue;
      const found = valueIn(value, context.language);
      if (found === undefined) return MISSING;
      state = heavier(state, found.locale === context.language[0] ? COMPLETE : FALLBACK);
      value = found.value;
    }
    if (fieldType(type).holdsBlocks) state = heavier(state, stateOfBlocks(value, context));
  }
  return state;
}

/** Of the blocks in a list or in rich text, at any depth. */
function stateOfBlocks(value: JsonValue, context: Context): State {
  if (typeof value !== "object" || value === null) return NONE;
  if (isJsonObject(value) && typeof value.contentBlockId === "string") {
    const { data = null } = value;
    const fields = context.blocks.get(value.contentBlockId)?.fields ?? [];
    return isJsonObject(data) ? stateOf(fields, data, context) : NONE;
  }
  let state: State = NONE;
  for (const member of Object.values(value)) state = heavier(state, stateOfBlocks(member, context));
  return state;
}

function heavier(a: State, b: State): State {
  return a > b ? a : b;
}
