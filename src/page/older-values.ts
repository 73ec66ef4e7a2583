import {
  type LanguageStats,
  languageStats,
  type OlderValues,
} from "../documents/language-stats.ts";
import type { Draft } from "../workspace/draft.ts";
import { Work } from "../workspace/work.ts";
import type { DraftState } from "./draft-state.ts";

/** H72: injected, since only a folder can be in a repository. */
export interface OlderSource extends OlderValues {
  /** Another text when it knows something else; takes no time. */
  readonly mark: string;
  /** Finds out what is not known of these entries, by default of all. */
  fetch(draft: Draft, ids?: Iterable<string>): Promise<void>;
}

export type LanguageCounts = Pick<LanguageStats, "locale" | "untranslated" | "older">;

export interface TranslationCounts {
  /** H49: of which the others are translations. */
  readonly mainLocale: string | null;
  readonly state: OlderValues["state"];
  readonly languages: readonly LanguageCounts[];
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
