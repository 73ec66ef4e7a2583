import { fieldType } from "../fields/registry.ts";
import type { Draft } from "../workspace/draft.ts";
import type { FieldDefinition } from "../workspace/field.ts";
import { jsonPointer } from "../workspace/json.ts";
import { type Problem, type ProblemPlace, problem } from "../workspace/problem.ts";

/** P3, P4: the problems of the definitions of fields, in models, blocks and the workspace. */
export function definitionProblems({
  workspace,
  models,
  blocks,
}: Pick<Draft, "workspace" | "models" | "blocks">): Problem[] {
  return [
    ...models.flatMap(({ id, fields }) => fieldProblems("model", id, fields)),
    ...blocks.flatMap(({ id, fields }) => fieldProblems("block", id, fields)),
    ...fieldProblems("workspace", workspace.id, workspace.fields ?? []),
  ];
}

function fieldProblems(
  kind: ProblemPlace["kind"],
  id: string,
  fields: readonly FieldDefinition[],
): Problem[] {
  return fields.flatMap((field, index) => {
    const reason = fieldType(field.type).unboundedPattern?.(field);
    if (reason === undefined) return [];
    const { key, pattern } = field as FieldDefinition & { readonly pattern: string };
    const place = { kind, id, path: jsonPointer(["fields", index, "pattern"]) };
    return problem(place, "pattern-unbounded", { field: key, pattern, reason });
  });
}
