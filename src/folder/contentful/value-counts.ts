import { isJsonObject, type JsonValue } from "../../workspace/json.ts";
import { DateType } from "../formats/date-type.ts";
import type { Notes } from "../formats/notes.ts";
import type { ContentTypeField, Resource } from "./export-file.ts";
import { countResourceLinks } from "./rich-text.ts";
import type { ImportedType } from "./types.ts";
import type { Values } from "./values.ts";

/** Counts the values of fields: those that are imported, and those that are left out (X9). */
export class ValueCounts {
  /** How many values each field has, and how many that are not imported. */
  readonly fields = new Map<ContentTypeField, { values: number; others: number }>();
  readonly dates = new Map<ContentTypeField, DateType>();
  readonly #values: Values;
  readonly #notes: Notes;

  constructor(values: Values, notes: Notes) {
    this.#values = values;
    this.#notes = notes;
  }

  /** Counts the values of a field, of which these are imported. Returns the locales that are drafts. */
  add(
    of: Resource,
    field: ContentTypeField,
    imported: readonly (readonly [string | undefined, JsonValue])[],
  ): readonly string[] {
    const drafts = this.#values.draftLocales(of, field);
    this.#notes.leaveOut("values of locales in which the entry is a draft", drafts.length);
    const others = this.addOthers(of, field, imported.length + drafts.length);
    const known = this.fields.get(field) ?? { values: 0, others: 0 };
    known.values += imported.length;
    known.others += others + drafts.length;
    this.fields.set(field, known);
    for (const [, value] of imported) {
      if (field.type === "RichText")
        this.#notes.leaveOut(RESOURCE_LINKS, countResourceLinks(value));
      this.#noteDate(field, value);
    }
    return drafts;
  }

  /** Counts the values beside those that are accounted for. */
  addOthers(
    of: Resource,
    field: Pick<ContentTypeField, "id" | "apiName">,
    accounted: number,
  ): number {
    const others = this.#values.countOf(of, field) - accounted;
    this.#notes.leaveOut("values in other locales", others);
    return others;
  }

  #noteDate(field: ContentTypeField, value: JsonValue): void {
    if ((field.items?.type ?? field.type) !== "Date") return;
    const known = this.dates.get(field) ?? new DateType();
    this.dates.set(field, known);
    for (const one of Array.isArray(value) ? value : [value]) known.add(one);
  }

  /** Counts values without a field, since the content type has changed or is missing. */
  addWithoutField(
    { fields = {}, metadata }: Resource,
    type: Pick<ImportedType, "names"> | undefined,
  ): void {
    const tags = isJsonObject(metadata) ? metadata.tags : undefined;
    this.#notes.leaveOut("tags of entries", Array.isArray(tags) ? tags.length : 0);
    const why =
      type === undefined
        ? "values of entries whose content type is not in the export"
        : "values that the content type has no field for, or an omitted one";
    for (const name of Object.keys(fields)) {
      if (!type?.names.has(name)) this.#notes.leaveOut(why);
    }
  }
}

const RESOURCE_LINKS = "targets of links into other spaces, which are served as they are";
