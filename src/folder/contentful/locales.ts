import { UsageError } from "../../workspace/errors.ts";
import type { Language } from "../../workspace/language.ts";
import type { ExportFiles } from "./export-files.ts";
import { draftReason, isArchived, publishedIn } from "./filter-records.ts";
import { nameIn, type Types, typeIdOf } from "./types.ts";

/** The imported locales, and the lookup order of values. */
export interface Locales {
  /** The one that was named, else the default one. */
  readonly code: string;
  /** The default locale, which alone has the values of fields that are not localized. */
  readonly main: string;
  /** For localized fields: `code`, then its fallbacks. */
  readonly chain: readonly string[];
  /** X3: the languages of the projects, the default one first; none: one locale is imported. */
  readonly languages: readonly Language[];
}

/** @throws UsageError for a locale that the export does not have. */
export function localesOf(
  files: ExportFiles,
  { requested, drafts }: { readonly requested: string | undefined; readonly drafts: boolean },
  types: Types,
): Locales {
  const { locales } = files;
  const known = locales.length > 0 ? locales : usedLocales(files).map((code) => ({ code }));
  const first = known.find((locale) => "default" in locale && locale.default) ?? known[0];
  const main = first?.code ?? "en-US";
  if (requested !== undefined && !known.some((locale) => locale.code === requested)) {
    const codes = known.map((locale) => locale.code).join(", ");
    throw new UsageError(`the export has no locale "${requested}"`, `it has: ${codes || "none"}`);
  }
  const code = requested ?? main;
  const codes = new Set([main, ...known.map((locale) => locale.code)]);
  const used = requested === undefined ? localesWithValues(files, { codes, drafts }, types) : [];
  const languages = [...codes]
    .filter((code) => code === main || used.includes(code))
    .map((code) => chainOf(code, files).filter((one) => codes.has(one)));
  return {
    ...{ code, main, chain: chainOf(code, files) },
    languages: languages.length > 1 ? languages : [],
  };
}

/** A locale and its fallbacks; circular ones end. */
function chainOf(code: string, { locales }: ExportFiles): string[] {
  const chain = [code];
  for (;;) {
    const last = locales.find((locale) => locale.code === chain.at(-1));
    const next = last?.fallbackCode;
    if (!next || chain.includes(next)) return chain;
    chain.push(next);
  }
}

/** The locales in which a localized field has a value; reads until it has met all of them. */
function localesWithValues(
  files: ExportFiles,
  { codes, drafts }: { readonly codes: ReadonlySet<string>; readonly drafts: boolean },
  types: Types,
): string[] {
  const found = new Set<string>();
  const hasLocalized = types.list.some(({ fields }) => fields.some(([, one]) => one.localized));
  if (codes.size < 2 || !hasLocalized) return [];
  for (const entry of files.records("entries")) {
    const { sys, fields = {} } = entry;
    if (isArchived(sys)) continue;
    const isWhole = drafts || draftReason(sys, [...codes]) !== undefined;
    for (const [, field] of types.get(typeIdOf(entry))?.fields ?? []) {
      const name = nameIn(fields, field);
      if (!field.localized || !Object.hasOwn(fields, name)) continue;
      const named = Object.keys(fields[name] ?? {}).filter((code) => codes.has(code));
      for (const code of isWhole ? named : publishedIn(sys, named)) {
        if (fields[name]?.[code] !== null) found.add(code);
      }
    }
    if (found.size === codes.size) break;
  }
  return [...found];
}

/** The locales that have values, the most used first; for exports without a list of locales. */
function usedLocales(files: ExportFiles): string[] {
  const counts = new Map<string, number>();
  for (const list of ["entries", "assets"] as const) {
    for (const { fields = {} } of files.records(list)) {
      for (const value of Object.values(fields)) {
        for (const code of Object.keys(value)) counts.set(code, (counts.get(code) ?? 0) + 1);
      }
    }
  }
  return [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).map(([code]) => code);
}
