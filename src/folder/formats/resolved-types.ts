import { fieldType } from "../../fields/registry.ts";
import { toId } from "../../workspace/ids.ts";
import type { JsonValue } from "../../workspace/json.ts";
import type { Block, Model } from "../../workspace/records.ts";
import { categoriesOf } from "./categories.ts";
import { type Definitions, defined, withDefinitions } from "./definitions.ts";
import type { Kind } from "./found.ts";
import { NameMap, toKey, toModelKey } from "./name-map.ts";
import type { Notes } from "./notes.ts";
import type { TypeWithTexts } from "./page-types.ts";
import type { ResolvedField, ResolvedType } from "./resolved-type.ts";
import {
  type FieldSurvey,
  fieldOf,
  fieldsOf,
  kindsText,
  type TypeFields,
  type TypeSurvey,
} from "./type-survey.ts";

/** X11: the models and blocks that fit all values of an export. */
export class ResolvedTypes {
  readonly #models: ReadonlyMap<string, ResolvedType>;
  readonly #blocks: ReadonlyMap<string, ResolvedType>;
  readonly #categories: ReadonlyMap<string, string>;

  constructor(survey: TypeSurvey, notes: Notes, definitions?: Definitions) {
    this.#definitions = definitions ?? { models: [], blocks: [] };
    holdBesideBlocks(survey);
    const names = [...survey.models.keys()];
    const modelKeys = new NameMap(toModelKey, {
      ...{ names, onChange: notes.renamed("the key of the type") },
    });
    const blockKeys = new NameMap(toModelKey, {
      names: survey.blocks.keys(),
      onChange: notes.renamed("the key of the object type"),
    });
    const blockKey = (type: string) => blockKeys.of(type);
    this.#categories = categoriesOf(survey, blockKey);
    const resolve = (
      types: ReadonlyMap<string, TypeFields>,
      keys: NameMap,
      definitions: readonly Model[],
    ) => {
      const ids = new NameMap(toId, { names: types.keys() });
      return new Map(
        [...types].map(([type, fields]) => [
          type,
          defined(
            { id: ids.of(type), key: keys.of(type), fields: this.#fields(type, fields) },
            { definitions, notes },
          ),
        ]),
      );
    };
    this.#notes = notes;
    this.#modelKey = (type) => modelKeys.of(type);
    this.#models = resolve(survey.models, modelKeys, this.#definitions.models);
    this.#blocks = resolve(survey.blocks, blockKeys, this.#definitions.blocks);
  }

  readonly #definitions: Definitions;
  readonly #notes: Notes;
  readonly #modelKey: (type: string) => string;

  #fields(type: string, fields: TypeFields): Map<string, ResolvedField> {
    const keys = new NameMap(toKey("field_"), {
      names: fields.keys(),
      onChange: this.#notes.renamed(`the key of "${type}", field`),
    });
    return new Map(
      [...fields].map(([name, field]) => [
        name,
        this.#field(`${type}.${name}`, keys.of(name), field),
      ]),
    );
  }

  #field(place: string, key: string, field: FieldSurvey): ResolvedField {
    let form = formOf(field);
    // A value that contradicts the schema is a problem of the draft.
    const keepsSchema = form.type === "mixed" && field.expected !== undefined;
    if (keepsSchema && field.expected !== undefined) form = formOf(field.expected);
    if (form.type === "mixed") {
      // Lists can be a tree, in which pointers stay pointers.
      const isTree =
        !field.hasSingles && [...field.kinds.keys()].some((kind) => POINTERS.has(kind));
      const type = isTree ? "rich-text" : "json";
      this.#notes.warn(
        `${place} has values of several kinds and becomes ${type}: ${kindsText(field)}`,
      );
      return { definition: { key, type }, isWhole: true };
    }
    const { type, isWhole } = form;
    const { hasLists } = keepsSchema ? (field.expected ?? field) : field;
    const repeatable = hasLists && !isWhole;
    const { required, ...options } = field.options;
    const { type: exact, ...fitting } = fittingOptions(type, repeatable, options);
    const [block] = field.blocks;
    const category = type === "content-block" ? this.#categories.get(block ?? "") : undefined;
    const models = [...new Set([...field.targets].map(this.#modelKey))];
    return {
      definition: {
        ...{ key, type: exact, ...fitting },
        ...(category !== undefined && { category }),
        ...(type === "reference" && models.length > 0 && { models }),
        ...(required === true && { required }),
        ...(repeatable && { repeatable }),
      },
      isWhole,
    };
  }

  model(type: string): ResolvedType {
    return known(this.#models.get(type), type);
  }

  block(type: string): ResolvedType {
    return known(this.#blocks.get(type), type);
  }

  /** The types of documents with their fields of single texts. */
  withTexts(): TypeWithTexts[] {
    return [...this.#models].map(([id, { fields }]) => ({
      id,
      texts: [...fields]
        .filter(([, { definition }]) => definition.type === "text" && !definition.repeatable)
        .map(([name, { definition }]) => [definition.key, name]),
    }));
  }

  models(): Model[] {
    const found = [...this.#models].map(([name, { id, key, fields }]) => ({
      ...{ id, key, name, fields: [...fields.values()].map(({ definition }) => definition) },
    }));
    return withDefinitions(found, this.#definitions.models);
  }

  blocks(): Block[] {
    const found = [...this.#blocks].map(([name, { id, key, fields }]): Block => {
      const category = this.#categories.get(name);
      return {
        ...{ id, key, name, ...(category !== undefined && { category }) },
        fields: [...fields.values()].map(({ definition }) => definition),
      };
    });
    return withDefinitions(found, this.#definitions.blocks);
  }
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

/** Gives references and assets a block where blocks are beside them: a field holds one kind. */
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

function known(type: ResolvedType | undefined, name: string): ResolvedType {
  if (type === undefined) throw new TypeError(`no type ${name} was found`);
  return type;
}
