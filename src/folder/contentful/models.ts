import type { FieldDefinition } from "../../workspace/field.ts";
import type { Model } from "../../workspace/records.ts";
import type { Notes } from "../formats/notes.ts";
import type { ContentTypeField } from "./export-file.ts";
import type { ExportFiles } from "./export-files.ts";
import { fieldDefinition } from "./field-definition.ts";
import { HelpTexts } from "./help-texts.ts";
import type { Survey } from "./survey.ts";
import type { Types } from "./types.ts";
import type { Values } from "./values.ts";

/** The models of content types. A date is a text in them: its type depends on all values. */
export function modelsOf(
  types: Types,
  files: ExportFiles,
  notes: Notes,
  values: Values,
): { models: Model[]; notCarried: Map<ContentTypeField, string[]> } {
  const help = new HelpTexts(files.editorInterfaces);
  const notCarried = new Map<ContentTypeField, string[]>();
  const models = types.list.map(({ id, type, modelId, modelKey, fields }) => ({
    ...{ id: modelId, key: modelKey, name: type.name ?? id },
    fields: fields.map(([key, field]) =>
      fieldDefinition(field, {
        key,
        ...{ help: help.of(id, field.id), isTitle: field.id === type.displayField },
        isLocalized: values.isLocalized(field),
        modelKey: (id) => types.modelKey(id),
        onNotCarried: (name) => {
          notes.notCarried(name);
          notCarried.set(field, [...(notCarried.get(field) ?? []), name]);
        },
      }),
    ),
  }));
  return { models, notCarried };
}

/** The models after a survey, which finds the types of dates. */
export function finishedModels(
  models: readonly Model[],
  types: Types,
  { counts: { dates } }: Survey,
): Model[] {
  return models.map((model, index) => {
    const { fields = [] } = types.list[index] ?? {};
    return {
      ...model,
      fields: model.fields.map((field, at): FieldDefinition => {
        const given = fields[at]?.[1];
        const isDate = (given?.items?.type ?? given?.type) === "Date";
        if (given === undefined || !isDate || field.type !== "text") return field;
        return { ...field, type: dates.get(given)?.type ?? "date-time" };
      }),
    };
  });
}
