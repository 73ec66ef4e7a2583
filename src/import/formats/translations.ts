import type { Language } from "../../workspace/language.ts";
import type { Found, FoundDocument, Member } from "./found.ts";
import type { Notes } from "./notes.ts";
import type { ResolvedType, Types } from "./stored-data.ts";

/** X23g: what of an import with several languages is published by fallback, in languages that it is not in. */
export class Translations {
  readonly #types: Types;
  /** The main one first. */
  readonly #locales: readonly string[];
  readonly #hides: boolean;
  #entries = 0;
  #documents = 0;
  /** In characters, about. */
  #translated = 0;
  #untranslated = 0;

  constructor(types: Types, languages: readonly Language[], hides: boolean) {
    this.#types = types;
    this.#locales = languages.map(([locale = ""]) => locale);
    this.#hides = hides;
  }

  /** The record, hidden where it is not translated (A7) if that is wanted. */
  of(record: FoundDocument): FoundDocument {
    const missing = this.#hides ? this.#missing(record) : [];
    if (missing.length === 0) return record;
    const draftLocales = [...(record.draftLocales ?? []), ...missing];
    return draftLocales.length === this.#locales.length
      ? { ...record, draft: true }
      : { ...record, draftLocales };
  }

  add(record: FoundDocument): void {
    const missing = this.#missing(record).length;
    const size = sizeOf(record.members);
    this.#translated += size * (this.#locales.length - missing);
    if (missing === 0) return;
    this.#entries += 1;
    this.#documents += missing;
    this.#untranslated += size * missing;
  }

  /** That most of what is published would be untranslated. */
  report(notes: Notes): void {
    if (this.#hides || this.#untranslated <= this.#translated) return;
    const kilobytes = Math.ceil(this.#untranslated / 1000);
    const size = kilobytes < 1000 ? `${kilobytes} kB` : `${Math.round(kilobytes / 1000)} MB`;
    const entries = this.#entries === 1 ? "1 entry is" : `${this.#entries} entries are`;
    notes.warn(
      `${entries} not translated into all of ${this.#locales.length} languages, and would be published by fallback: about ${this.#documents} documents and ${size} more; --only-translated leaves them out`,
    );
  }

  /** Nothing that is in no language is untranslated. */
  #missing({ draft, draftLocales = [], inLocales, type, members }: FoundDocument): string[] {
    if (draft || this.#locales.length < 2) return [];
    const own = new Set(inLocales ?? this.#localesOf(members, this.#types.model(type)));
    if (own.size === 0) return [];
    return this.#locales.filter((one) => !own.has(one) && !draftLocales.includes(one));
  }

  #localesOf(members: readonly Member[], { fields }: ResolvedType): readonly string[] {
    return members.flatMap(([name, value]) => {
      if (value.kind === "localized") return [...value.values.keys()];
      // X3f: a value without a locale is in the main one.
      if (fields.get(name)?.definition.localized) return this.#locales.slice(0, 1);
      const items = value.kind === "list" ? value.items : [value];
      return items.flatMap((item) =>
        item.kind === "block" ? this.#localesOf(item.members, this.#types.block(item.type)) : [],
      );
    });
  }
}

/** Of the texts in one language. */
function sizeOf(members: readonly Member[]): number {
  return members.reduce((sum, [name, value]) => sum + name.length + sizeIn(value), 0);
}

function sizeIn(value: Found): number {
  if (value.kind === "text") return String(value.tree).length;
  if (value.kind === "block") return sizeOf(value.members);
  if (value.kind === "list") return value.items.reduce((sum, item) => sum + sizeIn(item), 0);
  if (value.kind === "rich-text") return JSON.stringify(value.tree).length;
  if (value.kind !== "localized") return 10;
  const values = [...value.values.values()];
  return values.reduce((sum, one) => sum + sizeIn(one), 0) / values.length;
}
