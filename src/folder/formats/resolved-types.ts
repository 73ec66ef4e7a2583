import { fieldType } from "../../fields/registry.ts";
import type { JsonValue } from "../../workspace/json.ts";
import type { Language } from "../../workspace/language.ts";
import type { Block, Model } from "../../workspace/records.ts";
import { type Definitions, defined, withDefinitions } from "./definitions.ts";
import type { Kind } from "./found.ts";
import type { FoundLocales } from "./found-locales.ts";
import { KeyMap } from "./name-map.ts";
import type { Notes } from "./notes.ts";
import type { ResolvedField, ResolvedType, Types } from "./stored-data.ts";
import {
  type FieldSurvey,
  fieldOf,
  fieldsOf,
  kindsText,
  type TypeFields,
  type TypeSurvey,
} from "./type-survey.ts";

interface TypesContext {
  readonly definitions?: Definitions | undefined;
  readonly locales: FoundLocales;
}

const NAMES = ["title", "name", "heading", "headline", "label"];

/** X11: the models and blocks that fit all values of an export. */
export class ResolvedTypes implements Types {
  readonly all: Types["all"];
  readonly language: Language;
  /** X3f: whether the workspace has several locales. */
  readonly #isLocalized: boolean;
  readonly #categories: ReadonlyMap<string, string>;
  readonly #definitions: Definitions;
  readonly #notes: Notes;
  readonly #modelKeys: KeyMap;

  constructor(
    survey: TypeSurvey,
    notes: Notes,
    { definitions = { models: [], blocks: [] }, locales: { language, languages } }: TypesContext,
  ) {
    this.language = language;
    this.#isLocalized = languages.length > 0;
    this.#notes = notes;
    this.#definitions = definitions;
    holdBesideBlocks(survey);
    const keysOf = (types: ReadonlyMap<string, TypeFields>, what: string) =>
      new KeyMap(types.keys(), {
        prefix: "type_",
        ofTypes: true,
        onChange: notes.renamed(`the key of ${what}`),
      });
    this.#modelKeys = keysOf(survey.models, "a type");
    const blockKeys = keysOf(survey.blocks, "an object type");
    this.#categories = categoriesOf(survey, (type) => blockKeys.of(type));
    this.all = {
      model: this.#resolved(survey.models, this.#modelKeys, definitions.models),
      block: this.#resolved(survey.blocks, blockKeys, definitions.blocks),
    };
  }

  #resolved(
    types: ReadonlyMap<string, TypeFields>,
    keys: KeyMap,
    definitions: readonly Model[],
  ): Map<string, ResolvedType> {
    return new Map(
      [...types].map(([type, found]) => {
        const fields = this.#fields(type, found);
        const resolved = { id: keys.idOf(type), key: keys.of(type), fields, names: NAMES };
        return [type, defined(resolved, definitions, this.#notes)];
      }),
    );
  }

  #fields(type: string, fields: TypeFields): Map<string, ResolvedField> {
    const keys = new KeyMap(fields.keys(), {
      prefix: "field_",
      onChange: this.#notes.renamed("the key of a field", `${type}.`),
    });
    return new Map(
      [...fields].map(([name, field]) => [
        name,
        this.#field(`${type}.${name}`, keys.of(name), field),
      ]),
    );
  }

  #field(place: string, key: string, field: FieldSurvey): ResolvedField {
    const localized = this.#isLocalized && field.isLocalized && { localized: true };
    let form = formOf(field);
    // A value that contradicts the schema is a problem of the draft.
    const schema = form.type === "mixed" ? field.expected : undefined;
    if (schema !== undefined) form = formOf(schema);
    if (form.type === "mixed") {
      // X11b: lists can be a tree, in which pointers stay pointers.
      const isTree =
        !field.hasSingles && [...field.kinds.keys()].some((kind) => POINTERS.has(kind));
      const type = isTree ? "rich-text" : "json";
      this.#notes.warn(
        `${place} has values of several kinds and becomes ${type}: ${kindsText(field)}`,
      );
      return { definition: { key, type, ...localized }, isWhole: true };
    }
    const { type, isWhole } = form;
    const repeatable = (schema ?? field).hasLists && !isWhole;
    const { required, ...options } = field.options;
    const { type: exact, ...fitting } = fittingOptions(type, repeatable, options);
    const [block] = field.blocks;
    const category = type === "content-block" ? this.#categories.get(block ?? "") : undefined;
    const models = [...new Set([...field.targets].map((type) => this.#modelKeys.of(type)))];
    return {
      definition: {
        key,
        type: exact,
        ...fitting,
        ...(category !== undefined && { category }),
        ...(type === "reference" && models.length > 0 && { models }),
        ...(required === true && { required }),
        ...(repeatable && { repeatable }),
        ...localized,
      },
      isWhole,
    };
  }

  model(type: string): ResolvedType {
    return this.#known("model", type);
  }

  block(type: string): ResolvedType {
    return this.#known("block", type);
  }

  #known(kind: "model" | "block", name: string): ResolvedType {
    const type = this.all[kind].get(name);
    if (type === undefined) throw new TypeError(`no type ${name} was found`);
    return type;
  }

  models(): Model[] {
    return withDefinitions([...this.all.model].map(modelOf), this.#definitions.models);
  }

  blocks(): Block[] {
    const found = [...this.all.block].map(([name, type]): Block => {
      const { id, key, fields } = modelOf([name, type]);
      const category = this.#categories.get(name);
      return { id, key, name, ...(category !== undefined && { category }), fields };
    });
    return withDefinitions(found, this.#definitions.blocks);
  }
}

export function modelOf([name, { id, key, fields }]: readonly [string, ResolvedType]): Model {
  return { id, key, name, fields: [...fields.values()].map(({ definition }) => definition) };
}

const POINTERS: ReadonlySet<Kind> = new Set(["reference", "asset", "block"]);

/** Whether references or assets are beside blocks, or beside each other. */
function arePointersMixed({ kinds, hasLists, hasSingles }: FieldSurvey): boolean {
  return (
    kinds.size > 1 &&
    !(hasLists && hasSingles) &&
    [...kinds.keys()].every((kind) => POINTERS.has(kind))
  );
}

/** Whether texts are beside pointers that are written as texts. */
function areTexts({ kinds, canBeTexts }: FieldSurvey): boolean {
  const isText = (kind: Kind) => kind === "text" || kind === "reference" || kind === "asset";
  return kinds.size > 1 && kinds.has("text") && canBeTexts && [...kinds.keys()].every(isText);
}

/** X11a: gives references and assets a block where blocks are beside them: a field holds one kind. */
function holdBesideBlocks({ models, blocks }: TypeSurvey): void {
  for (const fields of [...models.values(), ...blocks.values()]) {
    for (const field of fields.values()) {
      if (!arePointersMixed(field)) continue;
      for (const [wrapper, kind] of field.wrappers) {
        field.blocks.add(wrapper);
        const held = fieldOf(fieldsOf(blocks, wrapper), kind);
        held.expect({ kind, as: wrapper, types: kind === "reference" ? [...field.targets] : [] });
      }
    }
  }
}

function formOf(field: FieldSurvey): { type: string; isWhole: boolean } {
  const { kinds, hasLists, hasSingles, dates } = field;
  const [kind] = kinds.keys();
  // Lists that are empty everywhere tell nothing.
  if (kind === undefined) return { type: "json", isWhole: true };
  if (
    kinds.has("rich-text") &&
    [...kinds.keys()].every((one) => one === "rich-text" || POINTERS.has(one))
  ) {
    return { type: "rich-text", isWhole: true };
  }
  if (hasLists && hasSingles) return { type: "mixed", isWhole: true };
  if (areTexts(field)) return { type: "text", isWhole: false };
  if (arePointersMixed(field)) return { type: "content-block", isWhole: false };
  if (kinds.size > 1) return { type: "mixed", isWhole: true };
  if (kind === "text") {
    const isExact = field.options.options === undefined && (kinds.get(kind)?.count ?? 0) > 0;
    return { type: isExact ? dates.type : "text", isWhole: false };
  }
  return { type: kind === "block" ? "content-block" : kind, isWhole: kind === "json" && !hasLists };
}

/** The options that a type has; a text with options is a `select`. */
function fittingOptions(
  type: string,
  repeatable: boolean,
  options: Readonly<Record<string, JsonValue>>,
): Record<string, JsonValue> & { type: string } {
  const exact = type === "text" && options.options !== undefined ? "select" : type;
  const known = new Set(Object.keys(fieldType(exact).options));
  const isFitting = (name: string) =>
    known.has(name) ||
    name === "name" ||
    name === "description" ||
    (repeatable && /^(?:min|max)Items$/.test(name));
  const fitting = Object.entries(options).filter(([name]) => isFitting(name));
  return { type: exact, ...Object.fromEntries(fitting) };
}

/**
 * X11a: the category of each block, so that a field accepts few others than those it holds: blocks that
 * one field holds have one category, since a block cannot have two. None when all would have the same.
 */
function categoriesOf(
  { models, blocks }: TypeSurvey,
  keyOf: (type: string) => string,
): Map<string, string> {
  const parents = new Map<string, string>();
  const first = (type: string): string => {
    const parent = parents.get(type) ?? type;
    return parent === type ? type : first(parent);
  };
  const places = new Map<string, string>();
  for (const [type, fields] of [...models, ...blocks]) {
    for (const [name, { blocks: held }] of fields) {
      const [one, ...others] = held;
      if (one === undefined) continue;
      for (const other of others) parents.set(first(other), first(one));
      if (!places.has(one)) places.set(one, `${type}.${name}`);
    }
  }
  const groups = Map.groupBy(blocks.keys(), first);
  if (groups.size < 2) return new Map();
  return new Map(
    [...groups].flatMap(([one, types]) => {
      const place = types.map((type) => places.get(type)).find((known) => known !== undefined);
      const name = types.length === 1 ? keyOf(one) : (place ?? one);
      return types.map((type) => [type, name] as const);
    }),
  );
}
