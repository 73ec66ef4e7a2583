import { valueIn } from "../../fields/localized.ts";
import { UsageError } from "../../workspace/errors.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownMember } from "../../workspace/json.ts";
import type { Language } from "../../workspace/language.ts";
import type { Notes } from "../formats/notes.ts";
import type { ContentTypes } from "./content-types.ts";
import {
  type ContentTypeField,
  type ExportFiles,
  fieldName,
  type Resource,
  type Sys,
} from "./export-files.ts";

type FieldName = Pick<ContentTypeField, "id" | "apiName" | "localized">;

interface FieldValues {
  /** Those that are imported, each with its locale if the field is localized in the workspace too. */
  readonly values: readonly (readonly [locale: string | undefined, value: JsonValue])[];
  /** The one in the locale that names and addresses are in, or in one of its fallbacks. */
  readonly main: JsonValue | undefined;
  /** The locales of values that are left out. */
  readonly others: readonly string[];
}

const NO_VALUES: FieldValues = { values: [], main: undefined, others: [] };

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
  /** X3k: those that the delivery API does not have. */
  readonly notDelivered: readonly string[];
  /** A record that is published in one of these is published. */
  readonly codes: readonly string[];
  readonly #drafts: boolean;
  readonly #known: ReadonlySet<string>;

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
    this.notDelivered = locales
      .filter((one) => one.contentDeliveryApi === false && one.code !== this.code)
      .map(({ code }) => code);
    const isDelivered = (code: string) => !this.notDelivered.includes(code);
    this.chain = chainOf(this.code, files).filter(isDelivered);
    const codes = new Set([this.main, ...known.map(({ code }) => code).filter(isDelivered)]);
    this.#known = new Set(known.map(({ code }) => code));
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
    for (const { sys, fields = {} } of entries) {
      if (isArchived(sys)) continue;
      for (const field of localized.get(sys.contentType?.sys.id ?? "") ?? []) {
        const stored = valuesOf(fields, field);
        for (const [code, value] of Object.entries(stored)) {
          if (value !== null && codes.has(code)) found.add(code);
        }
      }
      if (found.size === codes.size) break;
    }
    return [...found];
  }

  isLocalized(field: FieldName): boolean {
    return isLocalized(field) && this.languages.length > 0;
  }

  /** X3e: the imported locales in which a record is a draft, while it is published in others. */
  draftLocales({ sys }: Resource): readonly string[] {
    if (this.#isWhole(sys) || this.languages.length === 0) return [];
    const published = publishedIn(sys, this.codes);
    return this.codes.filter((code) => !published.includes(code));
  }

  /** Whether a record has one state in all locales: a draft, or with `--drafts` any record. */
  #isWhole(sys: Sys): boolean {
    return this.#drafts || draftReason(sys, this.codes) !== undefined;
  }

  /** Returns a function that gives the values of the record's fields. */
  valuesOf({ sys, fields = {} }: Resource): (field: FieldName) => FieldValues {
    // A1: names and addresses are published.
    const chain = this.#isWhole(sys) ? this.chain : publishedIn(sys, this.chain);
    return (field) => {
      const stored = valuesOf(fields, field);
      const present = Object.keys(stored).filter((code) => stored[code] !== null);
      if (present.length === 0) return NO_VALUES;
      const main = valueIn(stored, field.localized ? chain : [this.main]);
      if (!this.isLocalized(field)) {
        const others = present.filter((code) => code !== main?.locale);
        const values = main === undefined ? [] : ([[undefined, main.value]] as const);
        return { values, main: main?.value, others };
      }
      const codes = this.codes.filter((code) => present.includes(code));
      return {
        values: codes.map((code) => [code, valueIn(stored, [code])?.value ?? null]),
        main: main?.value,
        others: present.filter((code) => !codes.includes(code)),
      };
    };
  }

  /** X9: why a field's value in a locale is left out. */
  reasonFor(locale: string, { localized }: Pick<FieldName, "localized">): string {
    if (!this.#known.has(locale)) return `values in ${locale}, which is no locale of the space`;
    if (localized) return `values in the locale ${locale}`;
    return `values in ${locale} of fields that are not localized`;
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
  for (const { fields = {} } of [...entries, ...assets]) {
    for (const value of Object.values(fields)) {
      for (const code of Object.keys(value)) counts.set(code, (counts.get(code) ?? 0) + 1);
    }
  }
  return [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)).map(([code]) => code);
}

/** A record of an export, by what its `sys` says. */
export interface RecordState {
  readonly record: Resource;
  readonly isArchived: boolean;
  /** Why it is a draft; undefined: it is published. */
  readonly draft: string | undefined;
  /** Whether it has edits since it was published. */
  readonly changed: boolean;
}

/**
 * The states of records, by id; of records with the same id the last one counts (X5).
 *
 * @param codes the imported locales.
 */
export function statesOf(
  kind: "entry" | "asset",
  records: readonly Resource[],
  { codes, notes }: { readonly codes: readonly string[]; readonly notes: Notes },
): ReadonlyMap<string, RecordState> {
  const states = new Map<string, RecordState>();
  for (const record of records) {
    const { sys } = record;
    const { id } = sys;
    // The last one has its place in the export, too.
    if (states.delete(id)) notes.twice(kind, id);
    const draft = draftReason(sys, codes);
    const isEdited = draft === undefined && isChanged(sys, codes);
    states.set(id, { record, isArchived: isArchived(sys), draft, changed: isEdited });
  }
  return states;
}

/** X9: tags, and concepts of a taxonomy. */
export function leaveOutMetadata({ metadata }: Resource, of: string, notes: Notes): void {
  if (!isJsonObject(metadata)) return;
  for (const [name, list] of Object.entries(metadata)) {
    if (Array.isArray(list)) notes.leaveOut(`${name} of ${of}`, list.length);
  }
}

function isArchived({ archivedVersion }: Sys): boolean {
  return typeof archivedVersion === "number";
}

/**
 * X3d: why a record is a draft; undefined: it is published.
 *
 * @param codes the imported locales: it is published if it is in one of them.
 */
function draftReason(sys: Sys, codes: readonly string[]): string | undefined {
  // Records of the delivery API are published, and have a revision instead of versions; of the preview
  // API what never was has revision 0.
  const isDelivered = Number(sys.revision) > 0 && sys.version === undefined;
  if (typeof sys.publishedVersion !== "number" && !isDelivered) return "not published";
  if (publishedIn(sys, codes).length > 0) return undefined;
  return codes.length === 1 ? `not published in ${codes[0]}` : "not published";
}

/** The state of a record in each locale, if its space publishes by locale. */
function statusOf({ fieldStatus }: Sys): JsonObject | undefined {
  const status = isJsonObject(fieldStatus) ? fieldStatus["*"] : undefined;
  return isJsonObject(status) ? status : undefined;
}

/** The locales in which a record is published: all, unless its space publishes by locale. */
function publishedIn(sys: Sys, codes: readonly string[]): readonly string[] {
  const status = statusOf(sys);
  if (status === undefined) return codes;
  return codes.filter((code) => ownMember(status, code) !== "draft");
}

/** Whether there are edits since the last publish, which itself increments the version, also in one locale. */
function isChanged(sys: Sys, codes: readonly string[]): boolean {
  const { version, publishedVersion } = sys;
  const status = statusOf(sys) ?? {};
  return (
    codes.some((code) => ownMember(status, code) === "changed") ||
    (typeof version === "number" &&
      typeof publishedVersion === "number" &&
      version > publishedVersion + 1)
  );
}
