import { fieldType } from "../fields/registry.ts";
import type { OptionProblem, OptionProblems } from "../fields/serving.ts";
import { didYouMean } from "../workspace/did-you-mean.ts";
import type { Draft } from "../workspace/draft.ts";
import type { FieldDefinition } from "../workspace/field.ts";
import { jsonPointer } from "../workspace/json.ts";
import { type Problem, type ProblemPlace, problem } from "../workspace/problem.ts";

type Definitions = Pick<Draft, "workspace" | "models" | "blocks">;

/**
 * P3, P4: the problems of the definitions of fields, in models, blocks and the workspace.
 *
 * @param found the problems of entries and projects: those of options that refuse a stored value are
 *   among them, as errors.
 */
export function definitionProblems(
  definitions: Definitions,
  options: OptionProblems,
  found: readonly Problem[],
): Problem[] {
  const refusing = new Set(
    found.flatMap(({ code, at }) => (code === "option-unknown" ? JSON.stringify(at) : [])),
  );
  const unused = [...options.values()].flat();
  return [
    ...allFields(definitions).flatMap(([field, place]) => patternProblem(field, place)),
    ...unused.filter(({ at }) => !refusing.has(JSON.stringify(at))),
  ];
}

/** P3: the problems of options that name models or categories that do not exist. */
export function optionProblems(definitions: Definitions): OptionProblems {
  return new Map(
    allFields(definitions).flatMap(([field, place]) => {
      const unknown = fieldType(field.type).unknownNames?.(field, definitions) ?? [];
      const problems = unknown.map(({ option, name, path, known }): OptionProblem => {
        const suggestion = didYouMean(name, known);
        const args = { field: field.key, option, name, ...(suggestion && { suggestion }) };
        return problem(place(...path), "option-unknown", args) as OptionProblem;
      });
      return problems.length === 0 ? [] : [[field, problems]];
    }),
  );
}

type PlaceIn = (...path: (string | number)[]) => ProblemPlace;

/** All fields, each with the places in its definition. */
function allFields({ workspace, models, blocks }: Definitions): [FieldDefinition, PlaceIn][] {
  const fieldsOf = (kind: ProblemPlace["kind"], id: string, fields: readonly FieldDefinition[]) =>
    fields.map((field, index): [FieldDefinition, PlaceIn] => [
      field,
      (...path) => ({ kind, id, path: jsonPointer(["fields", index, ...path]) }),
    ]);
  return [
    ...models.flatMap(({ id, fields }) => fieldsOf("model", id, fields)),
    ...blocks.flatMap(({ id, fields }) => fieldsOf("block", id, fields)),
    ...fieldsOf("workspace", workspace.id, workspace.fields ?? []),
  ];
}

function patternProblem(field: FieldDefinition, place: PlaceIn): Problem[] {
  const reason = fieldType(field.type).unboundedPattern?.(field);
  if (reason === undefined) return [];
  const { key, pattern } = field as FieldDefinition & { readonly pattern: string };
  return [problem(place("pattern"), "pattern-unbounded", { field: key, pattern, reason })];
}
