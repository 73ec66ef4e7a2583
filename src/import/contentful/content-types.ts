import { isJsonObject, type JsonValue } from "../../workspace/json.ts";
import type { Model } from "../../workspace/records.ts";
import { KeyMap } from "../formats/name-map.ts";
import type { Notes } from "../formats/notes.ts";
import { modelOf } from "../formats/resolved-types.ts";
import type { ResolvedField, ResolvedType, Types } from "../formats/stored-data.ts";
import type { TypeSurvey } from "../formats/type-survey.ts";
import {
  type ContentType,
  type ContentTypeField,
  type ExportFiles,
  fieldName,
} from "./export-files.ts";
import { fieldDefinition } from "./field-definition.ts";

interface ModelsContext {
  readonly files: ExportFiles;
  readonly isLocalized: (field: ContentTypeField) => boolean;
  readonly notes: Notes;
}

export interface ImportedType {
  readonly type: ContentType;
  readonly fields: readonly (readonly [key: string, field: ContentTypeField])[];
  /** The names of its fields in the entries of an export. */
  readonly names: ReadonlySet<string>;
}

/** The content types of an export. Ids and keys are Contentful's where they are valid (I1, I2, I3). */
export class ContentTypes {
  readonly types: ReadonlyMap<string, ImportedType>;
  readonly #keys: KeyMap;

  constructor(all: readonly ContentType[], notes: Notes) {
    const types = distinct("content type", all, ({ sys }) => sys.id, notes).map((type) => {
      const fields = type.fields.filter(({ omitted }) => !omitted);
      return { type, fields: distinct(`field of "${type.sys.id}"`, fields, fieldName, notes) };
    });
    const names = types.map(({ type }) => type.sys.id);
    this.#keys = new KeyMap(names, {
      prefix: "type_",
      ofTypes: true,
      onChange: notes.renamed("the key of a content type"),
    });
    this.types = new Map(
      types.map(({ type, fields }) => {
        const { id } = type.sys;
        const keys = new KeyMap(fields.map(fieldName), {
          prefix: "field_",
          onChange: notes.renamed("the key of a field", `${id}.`),
        });
        const imported = {
          type,
          fields: fields.map((field) => [keys.of(fieldName(field)), field] as const),
          names: new Set(fields.flatMap((field) => [field.id, fieldName(field)])),
        };
        return [id, imported];
      }),
    );
  }

  /** The models. What type a date has depends on all values, and is read from the survey at the end. */
  resolved(survey: TypeSurvey, context: ModelsContext): Types {
    const help = helpTexts(context.files.editorInterfaces);
    const model = new Map(
      [...this.types].map(([id, { type, fields }]) => {
        const title = fields.find(([, field]) => field.id === type.displayField)?.[0];
        const { taxonomy } = isJsonObject(type.metadata) ? type.metadata : {};
        for (const _ of Array.isArray(taxonomy) ? taxonomy : [])
          context.notes.notCarried("taxonomy");
        const omitted = type.fields.filter((field) => field.omitted);
        const resolved: ResolvedType = {
          id: this.#keys.idOf(id),
          key: this.#keys.of(id),
          fields: new Map(
            fields.map(([key, field]) => [
              key,
              this.#field(key, field, type, { ...context, help, survey }),
            ]),
          ),
          names: title === undefined ? [] : [title],
          omitted: omitted.map((field) => field.id),
        };
        return [id, resolved];
      }),
    );
    const unknown = (id: string) => ({
      key: this.#keys.of(id),
      id: this.#keys.idOf(id),
      fields: new Map(),
      names: [],
    });
    return {
      all: { model, block: new Map() },
      model: (id) => model.get(id) ?? unknown(id),
      block: unknown,
      models: () =>
        [...model].map(([id, type]): Model => modelOf([this.types.get(id)?.type.name ?? id, type])),
      blocks: () => [],
    };
  }

  #field(
    key: string,
    field: ContentTypeField,
    { sys, displayField }: ContentType,
    context: ModelsContext & {
      readonly help: ReturnType<typeof helpTexts>;
      readonly survey: TypeSurvey;
    },
  ): ResolvedField {
    const lost: string[] = [];
    const definition = fieldDefinition(field, {
      key,
      help: context.help(sys.id, field.id),
      isTitle: field.id === displayField,
      isLocalized: context.isLocalized(field),
      modelKey: (id) => this.#keys.of(id),
      onNotCarried: (name) => {
        context.notes.notCarried(name);
        lost.push(`the validation ${name}`);
      },
    });
    const more = { isWhole: true, source: field.id, lost };
    if ((field.items?.type ?? field.type) !== "Date") return { definition, ...more };
    return {
      ...more,
      get definition() {
        const dates = context.survey.models.get(sys.id)?.get(key)?.dates;
        return { ...definition, type: dates?.ofAll ?? "date-time" };
      },
    };
  }
}

/** Of records with the same id, the last, as in Contentful's own import. */
function distinct<T>(
  what: string,
  records: readonly T[],
  idOf: (record: T) => string,
  notes: Notes,
): T[] {
  const byId = new Map<string, T>();
  for (const record of records) {
    const id = idOf(record);
    const known = byId.get(id);
    // All files of an export have its content types.
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(record)) {
      notes.twice(what, id);
    }
    byId.set(id, record);
  }
  return [...byId.values()];
}

/** What editors read beside a field, by its type and its id. */
function helpTexts(editorInterfaces: readonly JsonValue[]) {
  const texts = new Map<string, string>();
  for (const one of editorInterfaces) {
    const type = at(one, "sys", "contentType", "sys", "id");
    const controls = at(one, "controls");
    for (const control of Array.isArray(controls) ? (controls as readonly JsonValue[]) : []) {
      const text = at(control, "settings", "helpText");
      if (typeof text !== "string" || text.trim() === "") continue;
      texts.set(JSON.stringify([type, at(control, "fieldId")]), text.trim());
    }
  }
  return (type: string, fieldId: string) => texts.get(JSON.stringify([type, fieldId]));
}

function at(value: JsonValue | undefined, ...path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>(
    (from, name) => (isJsonObject(from) && Object.hasOwn(from, name) ? from[name] : undefined),
    value,
  );
}
