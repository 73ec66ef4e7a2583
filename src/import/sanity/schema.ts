import { readFileSync } from "node:fs";
import { SvcError } from "../../workspace/errors.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownMember } from "../../workspace/json.ts";
import {
  type Expected,
  type FieldSurvey,
  fieldOf,
  fieldsOf,
  type TypeFields,
  type TypeSurvey,
} from "../formats/type-survey.ts";
import { isLocaleItemType, localeNames } from "./found-value.ts";

const HOW_TO_EXTRACT = "sanity schema extract writes one (schema.json)";

/**
 * Reads the file of `sanity schema extract`.
 *
 * @returns adds to a survey what the schema says about the types of documents, and of objects in them.
 * @throws SvcError `schema-invalid`.
 */
export function expectedTypes(path: string): (survey: TypeSurvey) => void {
  const types = parsed(path);
  return (survey) => {
    const reader = new SchemaReader(types, survey);
    for (const [name, type] of types) {
      if (type.type === "document" && !name.startsWith("sanity.")) {
        reader.addMembers(fieldsOf(survey.models, name), type, name);
      }
    }
  };
}

function parsed(path: string): ReadonlyMap<string, JsonObject> {
  let value: JsonValue;
  try {
    value = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    throw invalidSchema(path, (error as Error).message);
  }
  if (!Array.isArray(value)) throw invalidSchema(path, "it is not a list of types");
  const types = (value as readonly JsonValue[]).map((type) => {
    const name = isJsonObject(type) ? type.name : undefined;
    if (typeof name !== "string") throw invalidSchema(path, "a type has no name");
    return [name, type as JsonObject] as const;
  });
  return new Map(types);
}

function invalidSchema(path: string, why: string): SvcError {
  return new SvcError("schema-invalid", `"${path}" is not an extracted schema: ${why}`, {
    hint: HOW_TO_EXTRACT,
  });
}

class SchemaReader {
  readonly #types: ReadonlyMap<string, JsonObject>;
  readonly #survey: TypeSurvey;

  constructor(types: ReadonlyMap<string, JsonObject>, survey: TypeSurvey) {
    this.#types = types;
    this.#survey = survey;
  }

  addMembers(fields: TypeFields, object: JsonObject, place: string): void {
    for (const [name, attribute] of Object.entries(this.#attributes(object))) {
      if (name.startsWith("_") || !isJsonObject(attribute)) continue;
      const field = fieldOf(fields, name);
      this.#add(field, attribute.value ?? null, `${place}.${name}`, false);
      if (attribute.optional !== true) field.options = { ...field.options, required: true };
    }
  }

  #add(field: FieldSurvey, given: JsonValue, place: string, isList: boolean): void {
    const value = this.#resolved(given);
    const expect = (expected: Expected) => field.expect({ ...expected, isList });
    switch (value?.type) {
      case "string":
        expect({ kind: "text" });
        break;
      case "number":
      case "boolean":
        expect({ kind: value.type });
        break;
      case "array":
        if (this.#isRichText(value.of ?? null)) field.expect({ kind: "rich-text" });
        else if (this.#itemOfLocales(value.of ?? null) !== undefined) {
          field.isLocalized = true;
          this.#add(field, this.#itemOfLocales(value.of ?? null) ?? null, place, isList);
        } else this.#add(field, value.of ?? null, place, true);
        break;
      case "union":
        this.#addUnion(field, value, place, isList);
        break;
      case "object": {
        const inLocales = this.#inLocales(value);
        if (inLocales === undefined) expect(this.#object(value, place));
        else {
          field.isLocalized = true;
          for (const one of inLocales) this.#add(field, one, place, isList);
        }
      }
    }
  }

  /** X3f: the values of an object that has one for each locale; undefined: it is none. */
  #inLocales(object: JsonObject): JsonValue[] | undefined {
    const attributes = this.#attributes(object);
    const names = localeNames(literal(attributes._type), Object.keys(attributes));
    return names?.map((name) => typeIn(attributes[name]));
  }

  /** X3f: the value of each item of a list that has one for each locale; undefined: it is none. */
  #itemOfLocales(of: JsonValue): JsonValue | undefined {
    const item = this.#resolved(of);
    const attributes = item?.type === "object" ? this.#attributes(item) : {};
    return isLocaleItemType(literal(attributes._type)) ? typeIn(attributes.value) : undefined;
  }

  #addUnion(field: FieldSurvey, union: JsonObject, place: string, isList: boolean): void {
    const alternatives = listOf(union.of).map((one) => this.#resolved(one));
    const texts = alternatives.map((one) => (one?.type === "string" ? one.value : undefined));
    if (texts.length > 0 && texts.every((text) => typeof text === "string")) {
      field.expect({ kind: "text", isList, options: { options: [...new Set(texts)] } });
    } else {
      for (const one of alternatives) this.#add(field, one ?? null, place, isList);
    }
  }

  #object(object: JsonObject, place: string): Expected {
    const attributes = this.#attributes(object);
    const type = literal(attributes._type);
    const target = object.dereferencesTo;
    if (typeof target === "string") {
      if (target.startsWith("sanity.")) return { kind: "asset", as: "image" };
      return { kind: "reference", types: [target], as: "reference" };
    }
    if (type === "slug") return { kind: "text" };
    if (type === "block") return { kind: "rich-text" };
    if (this.#isAsset(attributes)) {
      const {
        asset: _asset,
        media: _media,
        hotspot: _hotspot,
        crop: _crop,
        ...others
      } = attributes;
      const as = type ?? "image";
      if (Object.keys(others).every((name) => name.startsWith("_"))) return { kind: "asset", as };
      const fields = fieldsOf(this.#survey.blocks, as);
      fieldOf(fields, "asset").expect({ kind: "asset", as });
      this.addMembers(fields, { type: "object", attributes: others }, as);
      return { kind: "block", types: [as] };
    }
    const block = type ?? place.replaceAll(".", "_");
    const isKnown = this.#survey.blocks.has(block);
    const fields = fieldsOf(this.#survey.blocks, block);
    if (!isKnown) this.addMembers(fields, object, block);
    return { kind: "block", types: [block] };
  }

  #isAsset({ asset }: JsonObject): boolean {
    const value = isJsonObject(asset) ? this.#resolved(asset.value ?? null) : undefined;
    return typeof value?.dereferencesTo === "string" && value.dereferencesTo.startsWith("sanity.");
  }

  #isRichText(of: JsonValue): boolean {
    const value = this.#resolved(of);
    const alternatives = value?.type === "union" ? listOf(value.of) : [of];
    return alternatives.some((one) => {
      const object = this.#resolved(one);
      return object?.type === "object" && literal(this.#attributes(object)._type) === "block";
    });
  }

  /** The attributes of an object, with those of the type that it extends. */
  #attributes(object: JsonObject): JsonObject {
    const rest = this.#resolved(object.rest ?? null);
    const own = isJsonObject(object.attributes) ? object.attributes : {};
    return rest?.type === "object" ? { ...this.#attributes(rest), ...own } : own;
  }

  /** The value, or that of the type that it names. */
  #resolved(value: JsonValue): JsonObject | undefined {
    let found = value;
    for (let depth = 0; depth < 100 && isJsonObject(found); depth += 1) {
      if (found.type !== "inline") return found;
      const type = this.#types.get(String(found.name));
      found = (type?.type === "type" ? type.value : type) ?? null;
    }
    return undefined;
  }
}

function typeIn(attribute: JsonValue | undefined): JsonValue {
  return (isJsonObject(attribute) ? attribute.value : undefined) ?? null;
}

function literal(attribute: JsonValue | undefined): string | undefined {
  const value = isJsonObject(attribute) ? attribute.value : undefined;
  const text = isJsonObject(value) ? ownMember(value, "value") : undefined;
  return typeof text === "string" ? text : undefined;
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}
