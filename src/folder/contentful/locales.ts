import { UsageError } from "../../workspace/errors.ts";
import type { JsonValue } from "../../workspace/json.ts";
import type { ContentfulExport, Localized } from "./export-file.ts";

/** How a value is found in the one locale that is imported. */
export interface Locales {
  readonly code: string;
  /** Of a field that is the same in every locale: its value stands in the default one. */
  readonly shared: readonly string[];
  /** The locale, then those that it falls back to. */
  readonly chain: readonly string[];
}

/** @throws UsageError for a locale that the export does not have. */
export function localesOf(given: ContentfulExport, asked: string | undefined): Locales {
  const { locales } = given;
  const known = locales.length > 0 ? locales : usedLocales(given).map((code) => ({ code }));
  const first = known.find((locale) => "default" in locale && locale.default) ?? known[0];
  const main = first?.code ?? "en-US";
  const code = asked ?? main;
  if (asked !== undefined && !known.some((locale) => locale.code === asked)) {
    const codes = known.map((locale) => locale.code).join(", ");
    throw new UsageError(`the export has no locale "${asked}"`, `it has: ${codes || "none"}`);
  }
  const chain = [code];
  for (;;) {
    const last = locales.find((locale) => locale.code === chain.at(-1));
    const next = last?.fallbackCode;
    if (!next || chain.includes(next)) break;
    chain.push(next);
  }
  return { code, shared: [main, ...chain], chain };
}

/** Without a list of locales: those that values are in, the most used first. */
function usedLocales({ entries, assets }: ContentfulExport): string[] {
  const counts = new Map<string, number>();
  for (const { fields = {} } of [...entries, ...assets]) {
    for (const value of Object.values(fields)) {
      for (const code of Object.keys(value)) counts.set(code, (counts.get(code) ?? 0) + 1);
    }
  }
  return [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).map(([code]) => code);
}

/** The first value of these locales; a null is none. */
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
