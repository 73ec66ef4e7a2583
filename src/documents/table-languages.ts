import type { Draft } from "../workspace/draft.ts";
import { distinctLanguages, type Language } from "../workspace/language.ts";
import { formName } from "./entry-forms.ts";
import type { EntryNumber } from "./entry-lookup.ts";
import type { EntryTable } from "./entry-table.ts";

/** B1: the languages of the projects. Reads those that changed after the revision of the table. */
export function languagesInUse(table: EntryTable, draft: Draft, since: number): Language[] {
  const { projectLanguages } = table;
  if (draft.revision !== since) {
    const { changes } = draft;
    for (const [id, language] of changes.languagesSince(since)) projectLanguages.set(id, language);
    const ids = new Set(changes.projectIds());
    for (const id of projectLanguages.keys()) if (!ids.has(id)) projectLanguages.delete(id);
  }
  return distinctLanguages(projectLanguages.values());
}

/** B1: gives the entries that differ by language a form in each. */
export function applyLanguages(
  table: EntryTable,
  { languages, localized }: { languages: readonly string[]; localized: ReadonlySet<string> },
  hasChanged: boolean,
): void {
  const isSame = languages.join() === table.languages.join();
  if (isSame && !hasChanged) return;
  if (!isSame) table.isDirty = true;
  table.languages = languages;
  const most = Math.max(1, languages.length);
  if (table.forms.isEmpty && (localized.size === 0 || most === 1)) return;
  const counts = table.modelIds.list.map((modelId) => (localized.has(modelId) ? most : 1));
  for (let entry = 0, { size } = table; entry < size; entry += 1) {
    if (!table.exists(entry) || table.forms.isForm(entry)) continue;
    setForms(table, entry, counts[table.models[entry] as number] as number);
  }
}

/** Gives an entry a form for each further language, and removes others. */
function setForms(table: EntryTable, entry: EntryNumber, languages: number): void {
  const { forms, ids } = table;
  for (const form of [...forms.of(entry)].slice(languages - 1)) table.removeForm(form);
  for (let language = 1; language < languages; language += 1) {
    if (forms.in(language, entry) !== entry) continue;
    const name = formName(ids.id(entry), language);
    const [row, model] = [table.rows[entry] as number, table.models[entry] as number];
    let form = ids.find(name);
    if (form === undefined) form = table.add(name, row, table.modelIds.list[model] as string);
    else {
      table.staleCount += 1;
      table.move(form, row, model);
    }
    forms.add(entry, language, form);
  }
}
