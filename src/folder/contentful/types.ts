import { NameMap, toKey, toModelKey } from "../formats/name-map.ts";
import type { Notes } from "../formats/notes.ts";
import type { ContentType, ContentTypeField, Resource } from "./export-file.ts";
import { fieldName } from "./filter-records.ts";

/** A content type with its imported fields and their keys. */
export interface ImportedType {
  readonly id: string;
  readonly type: ContentType;
  readonly modelId: string;
  readonly modelKey: string;
  readonly fields: readonly (readonly [key: string, field: ContentTypeField])[];
  /** The names of its fields in the entries of an export. */
  readonly names: ReadonlySet<string>;
}

/** The content types of an export. Ids and keys are Contentful's where they are valid (I1, I2, I3). */
export class Types {
  readonly list: readonly ImportedType[];
  readonly #byId: ReadonlyMap<string, ImportedType>;
  readonly #keys: NameMap;
  readonly #ids: NameMap;

  constructor(types: readonly ContentType[], toId: (text: string) => string, notes: Notes) {
    const names = types.map(({ sys }) => sys.id);
    const what = "of the content type";
    this.#keys = new NameMap(toModelKey, { names, onChange: notes.renamed(`the key ${what}`) });
    this.#ids = new NameMap(toId, { names, onChange: notes.renamed(`the id ${what}`) });
    this.list = types.map((type) => {
      const { fields, sys } = type;
      const keys = new NameMap(toKey("field_"), {
        names: fields.map(fieldName),
        onChange: notes.renamed(`the key of "${sys.id}", field`),
      });
      return {
        ...{ id: sys.id, type, modelId: this.modelId(sys.id), modelKey: this.modelKey(sys.id) },
        fields: fields.map((field) => [keys.of(fieldName(field)), field] as const),
        names: new Set(fields.flatMap((field) => [field.id, fieldName(field)])),
      };
    });
    this.#byId = new Map(this.list.map((type) => [type.id, type]));
  }

  get(id: string): ImportedType | undefined {
    return this.#byId.get(id);
  }

  /** Also of a content type that the export does not have. */
  modelId(id: string): string {
    return this.#ids.of(id);
  }

  modelKey(id: string): string {
    return this.#keys.of(id);
  }
}

export function typeIdOf({ sys }: Resource): string {
  return sys.contentType?.sys.id ?? "";
}

/** Under which name the values of a field are. */
export function nameIn(fields: object, field: Pick<ContentTypeField, "id" | "apiName">): string {
  return Object.hasOwn(fields, fieldName(field)) ? fieldName(field) : field.id;
}
