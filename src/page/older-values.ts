import {
  type LanguageStats,
  languageStats,
  type OlderValues,
} from "../documents/language-stats.ts";
import { type Draft, entryOf } from "../workspace/draft.ts";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownMember,
  pathIn,
} from "../workspace/json.ts";
import { Work } from "../workspace/work.ts";
import { comparedValue } from "./changes.ts";
import type { DraftState } from "./draft-state.ts";
import { namedValue } from "./stored-changes.ts";

/** H72: injected, since only a folder can be in a repository. */
export interface OlderSource extends OlderValues {
  /** Another text when it knows something else; takes no time. */
  readonly mark: string;
  /** Finds out what is not known of these entries, by default of all. */
  fetch(draft: Draft, ids?: Iterable<string>): Promise<void>;
}

export interface TranslationCounts {
  /** H49: of which the others are translations. */
  readonly mainLocale: string | null;
  readonly state: OlderValues["state"];
  readonly languages: readonly Pick<LanguageStats, "locale" | "untranslated" | "older">[];
}

const known = new WeakMap<
  DraftState,
  { readonly mark: string; readonly work: Work<TranslationCounts> }
>();

/** H73: the numbers of `svc stats`, once for each state of the draft and of what is known. */
export function translationCounts(state: DraftState, older?: OlderSource): Work<TranslationCounts> {
  const mark = older?.mark ?? "";
  const before = known.get(state);
  if (before?.mark === mark) return before.work;
  const work = new Work(function* () {
    const languages = yield* languageStats(state.draft, older);
    return {
      mainLocale: state.languages.titles()[0]?.[0] ?? null,
      state: older?.state ?? ("no-history" as const),
      languages: languages.map(({ locale, untranslated, older: olds }) => ({
        ...{ locale, untranslated, older: olds },
      })),
    };
  });
  known.set(state, { mark, work });
  return work;
}

/** H72: how the source has changed since an entry was translated. */
export function olderValuesOf(state: DraftState, id: string, older?: OlderSource) {
  const entry = entryOf(state.draft, id);
  const head = state.draft.entries.get(id);
  const [main = ""] = state.languages.titles()[0] ?? [];
  if (entry === undefined || head === undefined) return [];
  return (older?.of(head) ?? []).map(({ path, locale, before }) => {
    const now = valueAt(entry.data, [...pathIn(path), main]) ?? null;
    const [was, is] = [before, now].map((one) => namedValue(state, one));
    return { path, locale, change: comparedValue(state, { place: [], before: was, after: is }) };
  });
}

function valueAt(data: JsonValue, path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((holder, segment) => {
    if (Array.isArray(holder)) return (holder as readonly JsonValue[])[Number(segment)];
    return isJsonObject(holder ?? null) ? ownMember(holder as JsonObject, segment) : undefined;
  }, data);
}
