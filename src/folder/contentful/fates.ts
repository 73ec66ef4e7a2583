import type { FieldDefinition } from "../../workspace/field.ts";
import type { Model, Project } from "../../workspace/records.ts";
import type { Fate } from "../format.ts";
import { WAS_CHANGED } from "../formats/fates.ts";
import type { ContentType, ContentTypeField } from "./export-file.ts";
import type { IdMap } from "./id-index.ts";
import type { RecordIndex } from "./record-index.ts";
import type { Survey } from "./survey.ts";
import type { ImportedType, Types } from "./types.ts";

interface FatesContext {
  /** As exported, with the fields that are omitted. */
  readonly contentTypes: readonly ContentType[];
  readonly survey: Survey;
  readonly types: Types;
  readonly models: readonly Model[];
  /** The validations of each field without an equivalent constraint. */
  readonly notCarried: ReadonlyMap<ContentTypeField, readonly string[]>;
  readonly projects: readonly Project[];
  readonly ids: { readonly entries: IdMap; readonly assets: IdMap };
}

/** X9: what became of each content type, field, entry and asset, in the order of the export. */
export function* fates(context: FatesContext): Generator<Fate> {
  const { types, models, contentTypes } = context;
  for (const [index, type] of types.list.entries()) {
    const { fields = [] } = models[index] ?? {};
    yield { kind: "type", id: type.id, became: { id: type.modelId, type: "model" }, lost: [] };
    for (const [at, [, field]] of type.fields.entries()) {
      yield fieldFate(type, field, fields[at] as FieldDefinition, context);
    }
    const { fields: all = [] } = contentTypes.findLast(({ sys }) => sys.id === type.id) ?? {};
    for (const { id, omitted } of all) {
      if (omitted) yield { kind: "field", id: `${type.id}.${id}`, lost: ["it is omitted"] };
    }
  }
  const experiences = new Map(
    context.projects.flatMap(({ steps, experiences }) => {
      const entries = new Map(steps.map(({ id, layoutContentId }) => [id, layoutContentId]));
      return experiences.flatMap(({ id, stepIds }) =>
        stepIds.map((stepId) => [entries.get(stepId), id] as const),
      );
    }),
  );
  const { survey, ids } = context;
  const draftLocales = new Map(survey.draftLocales.map(({ id, locales }) => [id, locales]));
  for (const number of survey.entries.ids.keys()) {
    const fate = recordFate("entry", survey.entries, number, ids.entries);
    if (fate === undefined) continue;
    const experience = experiences.get(fate.became?.id);
    const type = survey.typeIds[number] ?? "";
    const draft = survey.entries.drafts.has(number);
    const more = { type, ...(draft && { draft }), ...(experience !== undefined && { experience }) };
    const drafts = draftLocales.get(fate.id) ?? [];
    const lost = [
      ...fate.lost,
      ...drafts.map((code) => `its values in ${code}, where it is a draft`),
    ];
    yield { ...fate, ...(fate.became && { became: { ...fate.became, ...more } }), lost };
  }
  for (const number of survey.assets.ids.keys()) {
    const fate = recordFate("asset", survey.assets, number, ids.assets);
    const others = survey.assetOthers.get(number);
    const lost = others === undefined ? [] : [`texts and files in other locales: ${others}`];
    if (fate !== undefined) yield { ...fate, lost: [...fate.lost, ...lost] };
  }
}

function fieldFate(
  type: ImportedType,
  field: ContentTypeField,
  { key, type: fieldType, repeatable }: FieldDefinition,
  { survey, notCarried }: FatesContext,
): Fate {
  const { values = 0, others = 0 } = survey.counts.fields.get(field) ?? {};
  return {
    kind: "field",
    id: `${type.id}.${field.id}`,
    became: { id: key, type: repeatable ? `${fieldType}[]` : fieldType, values },
    lost: [
      ...(notCarried.get(field) ?? []).map((name) => `the validation ${name}`),
      ...(others > 0 ? [`values in other locales: ${others}`] : []),
    ],
  };
}

/** Undefined when it is only the target of a link. */
function recordFate(
  kind: "entry" | "asset",
  index: RecordIndex,
  number: number,
  ids: IdMap,
): Fate | undefined {
  if (index.places[number] === undefined) return undefined;
  const id = index.ids[number] as string;
  const reason = index.reasons[number];
  if (reason !== undefined) return { kind, id, lost: [reason.replace(/^that (?:are )?/, "")] };
  const lost = index.changed.has(number) ? [WAS_CHANGED] : [];
  return { kind, id, became: { id: ids.of(id) }, lost };
}
