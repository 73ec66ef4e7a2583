import { valueIn } from "../../fields/localized.ts";
import type { JsonValue } from "../../workspace/json.ts";
import type { ContentTypeField, Resource, Sys } from "./export-file.ts";
import { draftReason, publishedIn } from "./filter-records.ts";
import type { Locales } from "./locales.ts";
import { nameIn } from "./types.ts";

type FieldName = Pick<ContentTypeField, "id" | "apiName" | "localized">;

/** An imported value with its locale, if the field is localized in the workspace too. */
type LocaleValue = readonly [locale: string | undefined, value: JsonValue];

/** The values of a record's fields in the imported locales (X3). */
export class Values {
  readonly #locales: Locales;
  readonly #drafts: boolean;
  /** A record that is published in one of these is published. */
  readonly codes: readonly string[];

  constructor(locales: Locales, drafts: boolean) {
    this.#locales = locales;
    this.#drafts = drafts;
    const all = locales.languages.map(([code = ""]) => code);
    this.codes = all.length > 0 ? all : [locales.code];
  }

  /** Whether a field is localized in the workspace too. */
  isLocalized({ localized }: FieldName): boolean {
    return localized === true && this.#locales.languages.length > 0;
  }

  /** In how many locales the field has a value. */
  countOf({ fields = {} }: Resource, field: FieldName): number {
    const name = nameIn(fields, field);
    const values = Object.hasOwn(fields, name) ? Object.values(fields[name] ?? {}) : [];
    return values.filter((value) => value !== null).length;
  }

  /** The value of a field in the locale that names and addresses are in, or in one of its fallbacks. */
  of({ fields = {}, sys }: Resource, field: FieldName): JsonValue | undefined {
    const { main, chain } = this.#locales;
    const name = nameIn(fields, field);
    if (!Object.hasOwn(fields, name)) return undefined;
    if (!field.localized) return valueIn(fields[name], [main])?.value;
    return valueIn(fields[name], this.#publishedIn(sys, chain))?.value;
  }

  /** All values of a field that are imported. */
  all(record: Resource, field: FieldName): readonly LocaleValue[] {
    if (!this.isLocalized(field)) {
      const value = this.of(record, field);
      return value === undefined ? [] : [[undefined, value]];
    }
    const { fields = {}, sys } = record;
    const name = nameIn(fields, field);
    if (!Object.hasOwn(fields, name)) return [];
    return this.#publishedIn(sys, this.codes).flatMap((code): LocaleValue[] => {
      const value = valueIn(fields[name], [code])?.value;
      return value === undefined ? [] : [[code, value]];
    });
  }

  /** The imported locales whose values of a field are left out, since the record is a draft in them. */
  draftLocales({ fields = {}, sys }: Resource, field: FieldName): string[] {
    const name = nameIn(fields, field);
    if (!this.isLocalized(field) || !Object.hasOwn(fields, name)) return [];
    const published = this.#publishedIn(sys, this.codes);
    return this.codes.filter(
      (code) => !published.includes(code) && valueIn(fields[name], [code]) !== undefined,
    );
  }

  /** A draft, or with `--drafts` any record, has the values of all locales. */
  #publishedIn(sys: Sys, codes: readonly string[]): readonly string[] {
    const isWhole = this.#drafts || draftReason(sys, this.codes) !== undefined;
    return isWhole ? codes : publishedIn(sys, codes);
  }
}

/** The stored form of imported values; undefined: there are none. */
export function storedLocales(
  values: readonly LocaleValue[],
  convert: (value: JsonValue) => JsonValue,
): JsonValue | undefined {
  const [first] = values;
  if (first === undefined) return undefined;
  if (first[0] === undefined) return convert(first[1]);
  return Object.fromEntries(values.map(([code = "", value]) => [code, convert(value)]));
}
