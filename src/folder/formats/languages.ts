import { toId } from "../../workspace/ids.ts";
import type { Language } from "../../workspace/language.ts";
import type { ImportChoices, Project } from "../../workspace/records.ts";
import type { ImportedBefore } from "../format.ts";
import { NameMap } from "./name-map.ts";

/** A language with the id of its project. */
export interface LanguageProject {
  readonly id: string;
  readonly language: Language;
}

/** The locale to import; undefined: all (X3, X18). `*` takes all, also when the last import took one. */
export function chosenLocale(
  named: string | undefined,
  before: ImportChoices | undefined,
): string | undefined {
  return named === "*" ? undefined : (named ?? before?.locale);
}

/**
 * X3: the ids of the projects of languages. One language has the workspace's id: that of the project
 * with this id before, else the first one.
 */
export function languageProjects(
  workspaceId: string,
  languages: readonly Language[],
  before: ImportedBefore | undefined,
): LanguageProject[] {
  const known = before?.projects.find(({ id }) => id === workspaceId)?.locale;
  const wanted = known ?? before?.choices?.locale;
  const main = languages.find(([locale]) => locale === wanted) ?? languages[0];
  const ids = new NameMap(toId, { ignoreCase: true, taken: [workspaceId] });
  return languages.map((language) => {
    const [locale = ""] = language;
    const id = language === main ? workspaceId : ids.of(`${workspaceId}-${locale.toLowerCase()}`);
    return { id, language };
  });
}

/** A project with its language. */
export function inLanguage(project: Project, [locale, ...fallbackLocales]: Language): Project {
  const { id, name, fields, steps, experiences } = project;
  return {
    ...{ id, name, ...(fields !== undefined && { fields }) },
    ...(locale !== undefined && { locale }),
    ...(fallbackLocales.length > 0 && { fallbackLocales }),
    ...{ steps, experiences },
  };
}
