import { localizedModels } from "../fields/localized.ts";
import type { Draft, EntryHead } from "../workspace/draft.ts";
import type { JsonValue } from "../workspace/json.ts";
import { languageKey, languageOf } from "../workspace/language.ts";
import { shownLanguage } from "./hidden-entries.ts";
import { isUntranslated, translationOf } from "./translation.ts";

/** H72: a translation whose source was another one when it got its present value. */
export interface OlderValue {
  /** JSON Pointer to the values of the field in all locales. */
  readonly path: string;
  /** Of the translation. */
  readonly locale: string;
  /** What the source was. */
  readonly before: JsonValue;
}

/** H72: which translations are older than their source, as far as that is known. */
export interface OlderValues {
  /** `no-history`: nothing tells it; `too-long`: it is not worked out. */
  readonly state: "known" | "no-history" | "too-long";
  of(head: EntryHead): readonly OlderValue[];
}

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
  /** H73: how many of them lack a value in this very language, whatever another one serves in its place. */
  readonly untranslated: number;
  /** H73: how many have a value that is older than its source (H72); null: that is not known. */
  readonly older: number | null;
}

/** Of each language in use, in order of its first project; reads the entries once, each as a part. */
export function* languageStats(
  draft: Draft,
  older?: OlderValues,
): Generator<void, LanguageStats[]> {
  const localized = localizedModels(draft);
  if (localized.size === 0) return [];
  const groups = Map.groupBy(draft.projects, (one) => languageKey(languageOf(one)));
  const languages = Array.from(groups.values(), (projects) => {
    const language = languageOf(projects[0] ?? {});
    return { projects, language, counts: [0, 0, 0, 0], untranslated: 0, older: 0 };
  });
  const models = new Map(draft.models.map((model) => [model.id, model]));
  const blocks = new Map(draft.blocks.map((block) => [block.id, block]));
  for (const head of draft.entries.values()) {
    const { modelId, publishing } = head;
    if (!localized.has(modelId)) continue;
    const data = draft.dataOf(head);
    const fields = models.get(modelId)?.fields ?? [];
    const olds = older?.of(head) ?? [];
    for (const one of languages) {
      const { counts, language } = one;
      const shown = shownLanguage(publishing, language);
      (counts[translationOf(fields, data, { language: shown, blocks })] as number) += 1;
      if (isUntranslated(fields, data, { language, blocks, publishing })) one.untranslated += 1;
      if (olds.some(({ locale }) => locale === language[0])) one.older += 1;
    }
    yield;
  }
  return languages.map(
    ({ projects, language, counts: [, complete = 0, fallback = 0, missing = 0], ...counts }) => ({
      locale: language[0] ?? null,
      fallbackLocales: language.slice(1),
      projects: projects.map(({ id }) => id),
      entries: { complete, fallback, missing },
      untranslated: counts.untranslated,
      older: older?.state === "known" ? counts.older : null,
    }),
  );
}
