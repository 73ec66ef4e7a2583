import { hasLocalized, localizedModels } from "../../fields/localized.ts";
import type { Draft } from "../../workspace/draft.ts";
import { type Language, languageKey, languageOf } from "../../workspace/language.ts";

/** B1: a language with the projects whose documents are in it. */
export interface LanguageView {
  /** Null: the projects have none (B5). */
  readonly locale: string | null;
  readonly fallbackLocales: readonly string[];
  readonly projects: readonly { readonly id: string; readonly name: string }[];
}

export interface PageLanguage {
  readonly language: Language;
  readonly view: LanguageView;
}

/** The languages of a draft, in order of the projects. */
export class PageLanguages {
  readonly all: readonly PageLanguage[];
  /** Whether any value may differ by language, so that it is worth a word. */
  readonly isUsed: boolean;
  readonly #localized: ReadonlySet<string>;
  readonly #byProject = new Map<string, PageLanguage>();

  constructor({ projects, models, blocks }: Pick<Draft, "projects" | "models" | "blocks">) {
    const groups = Map.groupBy(projects, (project) => languageKey(languageOf(project)));
    this.all = Array.from(groups.values(), (group) => {
      const [first] = group as [(typeof group)[number]];
      const { locale = null, fallbackLocales = [] } = first;
      const named = group.map(({ id, name }) => ({ id, name }));
      return { language: languageOf(first), view: { locale, fallbackLocales, projects: named } };
    });
    for (const one of this.all) {
      for (const { id } of one.view.projects) this.#byProject.set(id, one);
    }
    this.isUsed = hasLocalized({ models, blocks });
    this.#localized = localizedModels({ models, blocks });
  }

  /** In the order in which titles are looked for. */
  titles(first?: Language): readonly Language[] {
    const all = this.all.map(({ language }) => language);
    return first === undefined ? all : [first, ...all];
  }

  ofProject(projectId: string): PageLanguage | undefined {
    return this.#byProject.get(projectId);
  }

  /** Those in which an entry of a model may be served differently; none: it is the same in all. */
  ofModel(modelId: string): readonly PageLanguage[] {
    return this.#localized.has(modelId) ? this.all : [];
  }
}
