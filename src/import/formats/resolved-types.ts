import { FIELD_TYPES, fieldType } from "../../fields/registry.ts";
import { didYouMean } from "../../workspace/did-you-mean.ts";
import { UsageError } from "../../workspace/errors.ts";
import type { JsonValue } from "../../workspace/json.ts";
import type { Language } from "../../workspace/language.ts";
import type { Block, Model } from "../../workspace/records.ts";
import { type Definitions, defined, withDefinitions } from "./definitions.ts";
import type { Kind } from "./found.ts";
import type { FoundLocales } from "./found-locales.ts";
import { KeyMap } from "./name-map.ts";
import type { Notes } from "./notes.ts";
import type { ResolvedField, ResolvedType, Types } from "./stored-data.ts";
import type { TypeChoice } from "./type-choice.ts";
import {
  type FieldSurvey,
  fieldOf,
  fieldsOf,
  type Kinds,
  kindsText,
  type TypeFields,
  type TypeSurvey,
} from "./type-survey.ts";

interface TypesContext {
  readonly definitions?: Definitions | undefined;
  readonly locales: FoundLocales;
  readonly choices?: readonly TypeChoice[] | undefined;
}

type Chosen = (type: string, name: string) => TypeChoice | undefined;

const NAMES = ["title", "name", "heading", "headline", "label"];

/** X11: the models and blocks that fit all values of an export, or most of them (X24). */
export class ResolvedTypes implements Types {
  readonly all: Types["all"];
  readonly language: Language;
  /** X3f: whether the workspace has several locales. */
  readonly #isLocalized: boolean;
  readonly #categories: ReadonlyMap<string, string>;
  readonly #definitions: Definitions;
  readonly #notes: Notes;
  readonly #modelKeys: KeyMap;
  readonly #choices: Chosen;

  constructor(
    survey: TypeSurvey,
    notes: Notes,
    {
      definitions = { models: [], blocks: [] },
      locales: { language, languages },
      choices = [],
    }: TypesContext,
  ) {
    this.language = language;
    this.#isLocalized = languages.length > 0;
    this.#notes = notes;
    this.#definitions = definitions;
    this.#choices = chosenTypes(choices, survey);
    holdBesideBlocks(survey, this.#choices);
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
      [...fields].map(([name, field]) => [name, this.#field([type, name], keys.of(name), field)]),
    );
  }

  #field(
    names: readonly [type: string, name: string],
    key: string,
    field: FieldSurvey,
  ): ResolvedField {
    const place = names.join(".");
    const localized = this.#isLocalized && field.isLocalized && { localized: true };
    const choice = this.#choices(...names);
    const form = choice === undefined ? formOf(field) : formFor(choice);
    if (form === undefined) {
      // X11b: lists can be a tree, in which pointers stay pointers.
      const isTree =
        field.hasLists &&
        !field.isMixed &&
        [...field.kinds.keys()].some((kind) => POINTERS.has(kind));
      const type = isTree ? "rich-text" : "json";
      this.#notes.warn(
        `${place} has values of several kinds and becomes ${type} (--types ${place}=<type> decides otherwise): ${kindsText(field)}`,
      );
      return { definition: { key, type, ...localized }, isWhole: true };
    }
    const { type, isWhole, repeatable } = form;
    const { required, ...options } = field.options;
    const { type: exact, ...fitting } = fittingOptions(type, repeatable, options, choice);
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
      place,
      ...(choice !== undefined && { isGiven: true, isKept: choice.isKept ?? false }),
      basis: choice ? "by --types" : field.expected ? "by the schema" : "as most values",
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

/** X11a: gives references and assets a block where blocks are beside them: a field holds one kind. */
function holdBesideBlocks({ models, blocks }: TypeSurvey, choices: Chosen): void {
  for (const [type, fields] of [...models, ...blocks]) {
    for (const [name, field] of fields) {
      const { type: own } = choices(type, name) ?? formOf(field) ?? {};
      if (own !== "content-block") continue;
      for (const [wrapper, kind] of field.wrappers) {
        field.blocks.add(wrapper);
        const held = fieldOf(fieldsOf(blocks, wrapper), kind);
        held.expect({ kind, as: wrapper, types: kind === "reference" ? [...field.targets] : [] });
      }
    }
  }
}

interface Form {
  readonly type: string;
  readonly isWhole: boolean;
  readonly repeatable: boolean;
}

function formFor({ type, isList }: TypeChoice): Form {
  const isWhole = type === "rich-text" || (type === "json" && !isList);
  return { type, isWhole, repeatable: isList && !isWhole };
}

/** Undefined: no type fits enough values. */
function formOf(field: FieldSurvey): Form | undefined {
  const { expected } = field;
  if (expected === undefined) return formBy(field, isMost);
  // X15: a value that contradicts the schema is a problem of the draft.
  return formBy(field, isAll) ?? formBy(expected, isAll);
}

/** Whether so many values are of these kinds that a field has their type. */
type Covers = (kinds: Kinds, some: (kind: Kind) => boolean) => boolean;

const isAll: Covers = (kinds, some) => [...kinds.keys()].every(some);

/** X24: more than half. */
const isMost: Covers = (kinds, some) => {
  let [fitting, all] = [0, 0];
  for (const [kind, { count }] of kinds) {
    all += count;
    if (some(kind)) fitting += count;
  }
  return fitting * 2 > all;
};

function formBy(field: FieldSurvey, covers: Covers): Form | undefined {
  const { hasLists, canBeTexts, dates } = field;
  const kinds = covers === isMost ? field.deciding : field.kinds;
  const repeatable = covers === isMost ? field.isRepeatable : hasLists;
  const form = (type: string, isWhole = false) => {
    return { type, isWhole, repeatable: repeatable && !isWhole };
  };
  const has = (...wanted: readonly Kind[]) => wanted.some((kind) => kinds.has(kind));
  const isOnly = (some: (kind: Kind) => boolean) => isAll(kinds, some);
  const isPointer = (kind: Kind) => POINTERS.has(kind);
  // Lists that are empty everywhere tell nothing.
  if (kinds.size === 0) return form("json", true);
  const isRich = (kind: Kind) => kind === "rich-text" || isPointer(kind);
  if (has("rich-text") && covers(kinds, isRich)) return form("rich-text", true);
  if (covers === isAll && field.isMixed) return undefined;
  const kind = [...kinds.keys()].find((one) => covers(kinds, (other) => other === one));
  // X11a: a map beside the texts that lead to files is no block that holds one.
  const isHeld = !canBeTexts || (isOnly(isPointer) && (repeatable || kind === undefined));
  const pointers = [...kinds.keys()].filter(isPointer).length;
  if (pointers > 1 && isHeld && covers(kinds, isPointer)) return form("content-block");
  if (kind === "text") {
    const all = [...kinds.values()].reduce((sum, { count }) => sum + count, 0);
    if (field.options.options !== undefined || all === 0) return form("text");
    return form(covers === isAll ? dates.ofAll : dates.ofMost(all));
  }
  if (kind !== undefined) {
    return form(kind === "block" ? "content-block" : kind, kind === "json" && !repeatable);
  }
  if (covers === isAll) return undefined;
  const isText = (one: Kind) =>
    PLAIN.has(one) || (canBeTexts && (one === "reference" || one === "asset"));
  return has("text") && isOnly(isText) ? form("text") : undefined;
}

/** What can be written as a text. */
const PLAIN: ReadonlySet<Kind> = new Set(["text", "number", "boolean"]);

/** The options that a type has; a text with options is a `select`. */
function fittingOptions(
  type: string,
  repeatable: boolean,
  options: Readonly<Record<string, JsonValue>>,
  choice: TypeChoice | undefined,
): Record<string, JsonValue> & { type: string } {
  const isSelect = type === "text" && options.options !== undefined && choice === undefined;
  const exact = isSelect ? "select" : type;
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

/** X24d: what `--types` says of a field. @throws UsageError for what it names, and there is not, or twice. */
function chosenTypes(all: readonly TypeChoice[], { models, blocks }: TypeSurvey): Chosen {
  const fields = [...models, ...blocks].flatMap(([type, fields]) =>
    [...fields.keys()].flatMap((name) => [name, `${type}.${name}`]),
  );
  const types = [...FIELD_TYPES.values()].filter(({ requiredOptions }) => !requiredOptions);
  const known = new Set(fields);
  const choices = all.filter(({ field, isKept }) => !isKept || known.has(field));
  const byField = new Map(choices.map((choice) => [choice.field, choice]));
  const twice = choices.find((one) => byField.get(one.field) !== one);
  if (twice !== undefined) {
    throw new UsageError(`--types names the field "${twice.field}" twice`, "name its type once");
  }
  for (const { field, type } of choices) {
    assertKnown("field", field, known);
    assertKnown("type", type, new Set(types.map(({ name }) => name)));
  }
  return (type, name) => byField.get(`${type}.${name}`) ?? byField.get(name);
}

function assertKnown(what: string, name: string, known: ReadonlySet<string>): void {
  if (known.has(name)) return;
  const meant = didYouMean(name, known);
  const hint =
    meant === undefined ? `there are: ${[...known].join(", ")}` : `did you mean "${meant}"?`;
  throw new UsageError(`--types names the ${what} "${name}", which there is not`, hint);
}
