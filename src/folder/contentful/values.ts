import { valueIn } from "../../fields/localized.ts";
import { UsageError } from "../../workspace/errors.ts";
import type { JsonValue } from "../../workspace/json.ts";
import type { Language } from "../../workspace/language.ts";
import type { ContentTypes } from "./content-types.ts";
import {
  type ContentTypeField,
  type ExportFiles,
  fieldName,
  type Resource,
  records,
} from "./export-files.ts";
import { draftReason, isArchived, publishedIn } from "./states.ts";

type FieldName = Pick<ContentTypeField, "id" | "apiName" | "localized">;

/** The values of a field of a record. */
interface FieldValues {
  /** Those that are imported, each with its locale if the field is localized in the workspace too. */
  readonly values: readonly (readonly [locale: string | undefined, value: JsonValue])[];
  /** The one in the locale that names and addresses are in, or in one of its fallbacks. */
  readonly main: JsonValue | undefined;
  /** The imported locales whose values are left out, since the record is a draft in them. */
  readonly draftLocales: readonly string[];
  /** In how many locales there is a value. */
  readonly count: number;
}

const NO_VALUES: FieldValues = { values: [], main: undefined, draftLocales: [], count: 0 };

/** The imported locales, and the values in them (X3). */
export class Locales {
  /** The one that was named, else the default one. */
  readonly code: string;
  /** The default locale, which alone has the values of fields that are not localized. */
  readonly main: string;
  /** For localized fields: `code`, then its fallbacks. */
  readonly chain: readonly string[];
  /** X3: the languages of the projects, the default one first; none: one locale is imported. */
  readonly languages: readonly Language[];
  /** A record that is published in one of these is published. */
  readonly codes: readonly string[];
  readonly #drafts: boolean;

  /** @throws UsageError for a locale that the export does not have. */
  constructor(
    files: ExportFiles,
    { requested, drafts }: { readonly requested: string | undefined; readonly drafts: boolean },
    { types }: Pick<ContentTypes, "types">,
  ) {
    this.#drafts = drafts;
    const { locales } = files;
    const known = locales.length > 0 ? locales : usedLocales(files).map((code) => ({ code }));
    const first = known.find((locale) => "default" in locale && locale.default) ?? known[0];
    this.main = first?.code ?? "en-US";
    if (requested !== undefined && !known.some((locale) => locale.code === requested)) {
      const codes = known.map((locale) => locale.code).join(", ");
      throw new UsageError(`the export has no locale "${requested}"`, `it has: ${codes || "none"}`);
    }
    this.code = requested ?? this.main;
    this.chain = chainOf(this.code, files);
    const codes = new Set([this.main, ...known.map((locale) => locale.code)]);
    const used = requested === undefined ? this.#withValues(files, codes, types) : [];
    const languages = [...codes]
      .filter((code) => code === this.main || used.includes(code))
      .map((code) => chainOf(code, files).filter((one) => codes.has(one)));
    this.languages = languages.length > 1 ? languages : [];
    this.codes = languages.length > 1 ? languages.map(([code = ""]) => code) : [this.code];
  }

  /** The locales in which a localized field has a value; reads until it has met all of them. */
  #withValues(
    { entries }: ExportFiles,
    codes: ReadonlySet<string>,
    types: ContentTypes["types"],
  ): string[] {
    const found = new Set<string>();
    const localized = new Map(
      [...types].map(([id, { fields }]) => [
        id,
        fields.flatMap(([, field]) => (isLocalized(field) ? [field] : [])),
      ]),
    );
    if (codes.size < 2 || ![...localized.values()].some(({ length }) => length > 0)) return [];
    for (const { sys, fields = {} } of records(entries)) {
      if (isArchived(sys)) continue;
      const isWhole = this.#drafts || draftReason(sys, [...codes]) !== undefined;
      for (const field of localized.get(sys.contentType?.sys.id ?? "") ?? []) {
        const stored = valuesOf(fields, field);
        const named = Object.keys(stored).filter((code) => codes.has(code));
        for (const code of isWhole ? named : publishedIn(sys, named)) {
          if (stored[code] !== null) found.add(code);
        }
      }
      if (found.size === codes.size) break;
    }
    return [...found];
  }

  /** Whether a field is localized in the workspace too. */
  isLocalized(field: FieldName): boolean {
    return isLocalized(field) && this.languages.length > 0;
  }

  /** Returns a function that gives the values of the record's fields. */
  valuesOf({ sys, fields = {} }: Resource): (field: FieldName) => FieldValues {
    // A draft, or with `--drafts` any record, has the values of all locales.
    const isWhole = this.#drafts || draftReason(sys, this.codes) !== undefined;
    const [codes, chain] = [this.codes, this.chain].map((all) =>
      isWhole ? all : publishedIn(sys, all),
    ) as [readonly string[], readonly string[]];
    return (field) => {
      const stored = valuesOf(fields, field);
      const count = Object.values(stored).filter((value) => value !== null).length;
      if (count === 0) return NO_VALUES;
      const main = valueIn(stored, field.localized ? chain : [this.main])?.value;
      if (!this.isLocalized(field)) {
        const values = main === undefined ? [] : ([[undefined, main]] as const);
        return { values, main, draftLocales: [], count };
      }
      const has = (code: string) => valueIn(stored, [code]) !== undefined;
      return {
        values: codes.filter(has).map((code) => [code, valueIn(stored, [code])?.value ?? null]),
        ...{ main, count },
        draftLocales: this.codes.filter((code) => !codes.includes(code) && has(code)),
      };
    };
  }
}

function isLocalized({ localized }: Pick<FieldName, "localized">): boolean {
  return localized === true;
}

function valuesOf(fields: NonNullable<Resource["fields"]>, field: FieldName) {
  const name = Object.hasOwn(fields, fieldName(field)) ? fieldName(field) : field.id;
  return (Object.hasOwn(fields, name) && fields[name]) || {};
}

/** A locale and its fallbacks; circular ones end. */
function chainOf(code: string, { locales }: ExportFiles): string[] {
  const chain = [code];
  for (;;) {
    const next = locales.find((locale) => locale.code === chain.at(-1))?.fallbackCode;
    if (!next || chain.includes(next)) return chain;
    chain.push(next);
  }
}

/** The locales that have values, the most used first; for exports without a list of locales. */
function usedLocales({ entries, assets }: ExportFiles): string[] {
  const counts = new Map<string, number>();
  for (const { fields = {} } of records([...entries, ...assets])) {
    for (const value of Object.values(fields)) {
      for (const code of Object.keys(value)) counts.set(code, (counts.get(code) ?? 0) + 1);
    }
  }
  return [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).map(([code]) => code);
}
