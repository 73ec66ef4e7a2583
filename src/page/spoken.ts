import type { Project, Workspace } from "../workspace/records.ts";

/** The name of a field or a block: without one of its own, its key as words ("Short url"). */
export function spoken(name: string, key: string) {
  if (name !== key) return name;
  const words = key
    .replace(/[_-]+/g, " ")
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .trim()
    .toLowerCase();
  return words === "" ? key : words[0]?.toUpperCase() + words.slice(1);
}

const LANGUAGES = new Intl.DisplayNames(["en"], { type: "language" });

/** "Austrian German". */
export function localeName(locale: string): string {
  try {
    return LANGUAGES.of(locale) ?? locale;
  } catch {
    return locale;
  }
}

/** H49a: the name of a project: of one that an import named by its id that of its language, or of the workspace. */
export function projectName(
  { id, name, locale }: Pick<Project, "id" | "name" | "locale">,
  workspace: Pick<Workspace, "id" | "name">,
): string {
  if (name !== id || !id.startsWith(workspace.id)) return name;
  if (locale !== undefined) return localeName(locale);
  return id === workspace.id ? workspace.name : name;
}
