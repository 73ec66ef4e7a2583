import type { Query } from "../workspace/conditions.ts";
import type { FieldDefinition } from "../workspace/field.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownMember } from "../workspace/json.ts";
import type { Hidden } from "../workspace/problem-catalogue.ts";
import type { Model } from "../workspace/records.ts";
import { conditionFault, QUERY_SHAPE } from "./conditions.ts";
import type { FieldType, JsonSchema, SchemaContext } from "./field-type.ts";
import type { Lookup, Renderer } from "./renderer.ts";
import { acceptedOf, setName } from "./shared-schemas.ts";

export interface ReferenceField extends FieldDefinition {
  /** The keys of the accepted models. None: every model is accepted. */
  readonly models?: readonly string[];
  /** Q1: its value is found, not stored. */
  readonly query?: Query;
}

/** Q1: of a field whose value is found; undefined: it is stored. */
export function queryOf(field: FieldDefinition): Query | undefined {
  return field.type === "reference" ? (field as ReferenceField).query : undefined;
}

/** Q1: what is said of stored values. */
const NOT_OF_QUERIES = ["required", "minItems", "maxItems", "unique", "localized"] as const;

export interface StoredReference extends JsonObject {
  readonly contentEntryId: string;
}

/** V7: a pointer. The entry itself is in `references[]` of the experience content. */
export const reference: FieldType<ReferenceField, StoredReference> = {
  name: "reference",
  options: {
    models: { type: "array", items: { type: "string" }, minItems: 1, uniqueItems: true },
    query: QUERY_SHAPE,
  },
  optionFault({ query, ...field }) {
    if (query === undefined) return undefined;
    if (!field.repeatable) return "a query needs repeatable: true";
    const option = NOT_OF_QUERIES.find(
      (name) => field[name] !== undefined && field[name] !== false,
    );
    if (option !== undefined)
      return `a field with a query cannot have ${option}; remove one of the two`;
    return conditionFault(query.where);
  },
  unknownNames({ models: accepted = [] }, { models }) {
    const known = models.map(({ key }) => key);
    return accepted.flatMap((name, index) =>
      known.includes(name) ? [] : { option: "models", name, path: ["models", index], known },
    );
  },
  shape: "reference",
  hasShape: (value: JsonValue): value is StoredReference =>
    isJsonObject(value) && typeof ownMember(value, "contentEntryId") === "string",
  render(field, { contentEntryId }, renderer) {
    const contentModelKey = targetModelKey(field, contentEntryId, renderer);
    return contentModelKey === undefined ? { contentEntryId } : { contentEntryId, contentModelKey };
  },
  schema: (field, context) => servedPointer(acceptedOf(context.models, field.models), context),
  /** G7a: the ids are proposals: another one may be that of an entry that is written later. */
  storedSchema({ models: keys }, { models, shared }) {
    const accepted = acceptedOf(models, keys);
    return shared.ref(setName("reference", accepted, models), () => {
      const ids = accepted.map(({ id }) => ({ $ref: `#/$defs/entryIds/${id}` }));
      return {
        type: "object",
        properties: { contentEntryId: { anyOf: [...ids, { type: "string" }] } },
        required: ["contentEntryId"],
        additionalProperties: false,
      };
    });
  },
};

/**
 * S5, S11: a pointer to an entry of one of the models. `contentModelKey` is absent when the target or
 * the target's model does not exist.
 */
function servedPointer(accepted: readonly Model[], context: SchemaContext): JsonSchema {
  const { models, shared } = context;
  const keys = accepted.map(({ key }) => key);
  // An empty `enum` does not compile.
  const contentModelKey = keys.length === 0 ? { not: {} } : { enum: keys };
  return shared.ref(setName("reference", accepted, models), () => {
    if (accepted.length < models.length) {
      const any = servedPointer(models, context);
      return { ...any, type: "object", properties: { contentModelKey } };
    }
    return {
      type: "object",
      properties: { contentEntryId: { type: "string" }, contentModelKey, data: true },
      required: ["contentEntryId"],
      additionalProperties: false,
      dependentSchemas: { data: shared.ref("reference-data", () => pointerData(models)) },
    };
  });
}

/** The optional `data` of a pointer, typed by the model that it names. */
function pointerData(models: readonly Model[]): JsonSchema {
  return {
    type: "object",
    required: ["contentModelKey"],
    // An empty `allOf` is invalid.
    ...(models.length > 0 && {
      allOf: models.map(({ key }) => ({
        if: { properties: { contentModelKey: { const: key } } },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        then: { properties: { data: { $ref: `#/$defs/contentModels/${key}` } } },
      })),
    }),
  };
}

function targetModelKey(
  field: ReferenceField,
  target: string,
  renderer: Renderer,
): string | undefined {
  const { lookup } = renderer;
  const entry = renderer.pointTo(target);
  if (entry === undefined) {
    const hidden = hiddenHere(target, lookup, renderer.language[0]);
    const isForeign = lookup.draft.isForeignEntry(target);
    if (hidden !== undefined) renderer.report("reference-draft", { target, ...hidden });
    else renderer.report(isForeign ? "reference-other-workspace" : "reference-deleted", { target });
    return undefined;
  }
  const model = lookup.modelKeyOf(entry);
  if (model !== undefined && !isAccepted(field, model)) reportModel(field, target, model, renderer);
  return model;
}

/** Why an entry is hidden in projects with this locale, which is named if others publish it (A7). */
export function hiddenHere(
  id: string,
  lookup: Lookup,
  locale: string | undefined,
): { readonly because: Hidden; readonly locale?: string } | undefined {
  const because = lookup.hiddenBy(id, locale);
  if (because === undefined) return undefined;
  const isInAll = locale === undefined || lookup.hiddenBy(id) !== undefined;
  return isInAll ? { because } : { because, locale };
}

function reportModel(
  field: ReferenceField,
  target: string,
  model: string,
  renderer: Renderer,
): void {
  const accepted = field.models ?? [];
  refuse(field, { option: "models", name: model, accepted }, renderer, () =>
    renderer.report("reference-model-not-accepted", { target, model, accepted }),
  );
}

function isAccepted(field: ReferenceField, modelKey: string): boolean {
  return field.models?.includes(modelKey) ?? true;
}

/** A value that names the model or the block `name`, which is not among the accepted ones. */
interface Refused {
  readonly option: "models" | "blocks";
  readonly name: string;
  readonly accepted: readonly string[];
}

/** P11a: of the field, not of each value, when the name is refused because of a misspelt option. */
export function refuse(
  field: FieldDefinition,
  { option, name, accepted }: Refused,
  renderer: Renderer,
  report: () => void,
): void {
  const all = renderer.lookup.optionProblems.get(field) ?? [];
  const unknown = all.filter(({ args }) => args.option === option);
  const isMeant = unknown.some(({ args }) => args.suggestion === name);
  const acceptsNothing = unknown.length > 0 && unknown.length === accepted.length;
  if (isMeant || acceptsNothing) renderer.refuseBy(unknown);
  else report();
}
