import { UsageError } from "../../workspace/errors.ts";
import type { JsonValue } from "../../workspace/json.ts";
import type { Localized } from "./export-file.ts";
import type { ExportFiles } from "./export-files.ts";

/** The imported locale, and the lookup order of values. */
export interface Locales {
  readonly code: string;
  /** The default locale, which alone has the values of fields that are not localized. */
  readonly main: string;
  /** For localized fields: the imported locale, then its fallbacks. */
  readonly chain: readonly string[];
}

/** @throws UsageError for a locale that the export does not have. */
export function localesOf(files: ExportFiles, requested: string | undefined): Locales {
  const { locales } = files;
  const known = locales.length > 0 ? locales : usedLocales(files).map((code) => ({ code }));
  const first = known.find((locale) => "default" in locale && locale.default) ?? known[0];
  const main = first?.code ?? "en-US";
  const code = requested ?? main;
  if (requested !== undefined && !known.some((locale) => locale.code === requested)) {
    const codes = known.map((locale) => locale.code).join(", ");
    throw new UsageError(`the export has no locale "${requested}"`, `it has: ${codes || "none"}`);
  }
  const chain = [code];
  for (;;) {
    const last = locales.find((locale) => locale.code === chain.at(-1));
    const next = last?.fallbackCode;
    if (!next || chain.includes(next)) break;
    chain.push(next);
  }
  return { code, main, chain };
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

/** The first value in these locales that is not null. */
export function valueIn(
  value: Localized | undefined,
  codes: readonly string[],
): JsonValue | undefined {
  if (value === undefined) return undefined;
  for (const code of codes) {
    const found = Object.hasOwn(value, code) ? value[code] : undefined;
    if (found !== undefined && found !== null) return found;
  }
  return undefined;
}
