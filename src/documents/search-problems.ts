import { type Compared, comparedAs } from "../fields/compared.ts";
import { fieldType } from "../fields/registry.ts";
import { type Comparison, type Scalar, SELF, sortKeys } from "../workspace/conditions.ts";
import { didYouMean } from "../workspace/did-you-mean.ts";
import type { FieldDefinition } from "../workspace/field.ts";
import type { Problem } from "../workspace/problem.ts";
import { problem } from "../workspace/problem.ts";
import type { InvalidCondition } from "../workspace/problem-catalogue.ts";
import type { Search } from "./indexed-values.ts";

/** Q7: the conditions and sorts that cannot be compared, or never hold. */
export function searchProblems(
  searches: readonly Search[],
  entries: ReadonlyMap<string, unknown>,
): Problem[] {
  return searches.flatMap((search) => [
    ...Object.entries(search.where).flatMap(([key, condition]) =>
      typeof condition === "object"
        ? comparisonProblems(search, key, condition)
        : [
            ...problemsOf(search, key, ["where", key], (field, compared) =>
              canEqual(field, compared, condition) ? undefined : "never",
            ),
            ...danglingId(search, key, condition, entries),
          ],
    ),
    ...sortKeys(search.sort).flatMap(({ key }, index) => {
      const path = Array.isArray(search.sort) ? ["sort", index] : ["sort"];
      return problemsOf(search, key, path, ({ repeatable }) =>
        repeatable ? "repeatable" : undefined,
      );
    }),
  ]);
}

/** @param reasonOf what is wrong with a field that can be compared; undefined: nothing. */
function problemsOf(
  { models, placeOf }: Search,
  key: string,
  path: readonly (string | number)[],
  reasonOf: (field: FieldDefinition, compared: Compared) => "never" | "repeatable" | undefined,
): Problem[] {
  const report = (what: InvalidCondition) => problem(placeOf(...path), "condition-invalid", what);
  const found = models.flatMap((model) =>
    model.fields.filter((one) => one.key === key).map((field) => ({ model: model.key, field })),
  );
  if (found.length === 0 && models.length > 0) {
    return [
      report(
        unknown(
          key,
          models.flatMap(({ fields }) => fields),
        ),
      ),
    ];
  }
  return found.flatMap(({ model, field }) => {
    const compared = comparedAs(field);
    const reason = compared === undefined ? "not-compared" : reasonOf(field, compared);
    return reason === undefined ? [] : [report({ field: key, reason, type: field.type, model })];
  });
}

function unknown(field: string, fields: readonly FieldDefinition[]): InvalidCondition {
  const suggestion = didYouMean(
    field,
    fields.map(({ key }) => key),
  );
  return { field, reason: "unknown", ...(suggestion !== undefined && { suggestion }) };
}

/** Q3, Q4. */
function canEqual(field: FieldDefinition, compared: Compared, value: Scalar): boolean {
  if (compared === "reference") return typeof value === "string";
  const type = fieldType(field.type);
  return value !== SELF && type.hasShape(value) && !type.brokenConstraint?.(field, value);
}

/** That references are compared with the id of no entry. */
function danglingId(
  { models, placeOf }: Search,
  key: string,
  target: Scalar,
  entries: ReadonlyMap<string, unknown>,
): Problem[] {
  const found = models.flatMap(({ fields }) => fields.filter((one) => one.key === key));
  const areReferences = found.length > 0 && found.every((one) => comparedAs(one) === "reference");
  if (!areReferences || typeof target !== "string" || target === SELF) return [];
  return entries.has(target)
    ? []
    : [problem(placeOf("where", key), "reference-deleted", { target })];
}

/** Q4, Q5. */
function comparisonProblems(
  search: Search,
  key: string,
  { same, before, after }: Comparison,
): Problem[] {
  const { query, placeOf } = search;
  const path = ["where", key];
  const isDated = before !== undefined || after !== undefined;
  const own = query?.beside.find((one) => one.key === same);
  const ownCompared = own && comparedAs(own);
  if (query !== undefined && same !== undefined && ownCompared === undefined) {
    const what: InvalidCondition = own
      ? { field: same, reason: "not-compared", type: own.type }
      : unknown(same, query.beside);
    return [problem(placeOf(...path, "same"), "condition-invalid", what)];
  }
  return problemsOf(search, key, path, (_, compared) =>
    (isDated && compared !== "date") || (ownCompared !== undefined && ownCompared !== compared)
      ? "never"
      : undefined,
  );
}
