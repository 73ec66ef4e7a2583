import type { FieldDefinition } from "../workspace/field.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownMember } from "../workspace/json.ts";
import type { FieldType } from "./field-type.ts";
import type { Renderer } from "./renderer.ts";

interface ReferenceField extends FieldDefinition {
  /** The keys of the accepted models. None: every model is accepted. */
  readonly models?: readonly string[];
}

export interface StoredReference extends JsonObject {
  readonly contentEntryId: string;
}

/** V7: a pointer. The entry itself is in `references[]` of the experience content. */
export const reference: FieldType<ReferenceField, StoredReference> = {
  name: "reference",
  options: {
    models: { type: "array", items: { type: "string" }, minItems: 1, uniqueItems: true },
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
  /**
   * S5. `contentModelKey` discriminates between the shapes. It is absent when the target or the
   * target's model does not exist.
   */
  schema(field, { models }) {
    const accepted = models.filter(({ key }) => isAccepted(field, key));
    return {
      anyOf: [
        ...accepted.map(({ key }) => ({
          type: "object",
          properties: {
            contentEntryId: { type: "string" },
            contentModelKey: { const: key },
            data: { $ref: `#/$defs/contentModels/${key}` },
          },
          required: ["contentEntryId", "contentModelKey"],
          additionalProperties: false,
        })),
        {
          type: "object",
          properties: { contentEntryId: { type: "string" } },
          required: ["contentEntryId"],
          additionalProperties: false,
        },
      ],
    };
  },
  /** G7a: the ids are proposals: another one may be that of an entry that is written later. */
  storedSchema(field, { models }) {
    const accepted = models.filter(({ key }) => isAccepted(field, key));
    const ids = accepted.map(({ id }) => ({ $ref: `#/$defs/entryIds/${id}` }));
    return {
      type: "object",
      properties: { contentEntryId: { anyOf: [...ids, { type: "string" }] } },
      required: ["contentEntryId"],
      additionalProperties: false,
    };
  },
};

function targetModelKey(
  field: ReferenceField,
  target: string,
  renderer: Renderer,
): string | undefined {
  const { lookup } = renderer;
  const entry = renderer.pointTo(target);
  if (entry === undefined) {
    const because = lookup.hiddenBy(target);
    const isForeign = lookup.draft.isForeignEntry(target);
    if (because !== undefined) renderer.report("reference-draft", { target, because });
    else renderer.report(isForeign ? "reference-other-workspace" : "reference-deleted", { target });
    return undefined;
  }
  const model = lookup.modelKeyOf(entry);
  if (model !== undefined && !isAccepted(field, model)) reportModel(field, target, model, renderer);
  return model;
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
