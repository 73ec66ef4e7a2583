import { shownLanguage } from "../documents/hidden-entries.ts";
import { translationOf } from "../documents/translation.ts";
import { localizedModels } from "../fields/localized.ts";
import type { Draft } from "../workspace/draft.ts";
import { languageKey, languageOf } from "../workspace/language.ts";

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
      (counts[translationOf(fields, data, { language, blocks })] as number) += 1;
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
