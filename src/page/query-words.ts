import {
  type Comparison,
  type Conditions,
  NOW,
  type Query,
  SELF,
  sortKeys,
} from "../workspace/conditions.ts";
import type { FieldDefinition } from "../workspace/field.ts";
import type { Model } from "../workspace/records.ts";
import { spoken } from "./spoken.ts";

/** "Article whose section is the same as here, by published at (newest first), at most 3". */
export function queryInWords(
  { where, sort, limit }: Query,
  models: readonly Model[],
  beside: readonly FieldDefinition[],
): string {
  const parts = [
    modelsInWords(models) + conditionsInWords(where, models, beside),
    sortInWords(sort, models),
    limit === undefined ? "" : `at most ${limit}`,
  ];
  return parts.filter((part) => part !== "").join(", ");
}

function modelsInWords(models: readonly Model[]): string {
  return models.length > 3 ? "Entries" : models.map(({ name }) => name).join(" or ");
}

/** @param beside the fields of the record in which a query stands */
export function conditionsInWords(
  where: Conditions = {},
  models: readonly Model[],
  beside: readonly FieldDefinition[] = [],
): string {
  const all = Object.entries(where).map(([key, condition]) => {
    const name = nameOf(key, fieldsOf(models));
    if (condition === SELF) return `${name} is this entry`;
    if (typeof condition === "boolean") return `${name} is ${condition ? "yes" : "no"}`;
    if (typeof condition !== "object") return `${name} is “${condition}”`;
    return `${name} is ${comparisonInWords(key, condition, beside)}`;
  });
  return all.length === 0 ? "" : ` where ${all.join(" and ")}`;
}

function comparisonInWords(
  key: string,
  { same, before, after }: Comparison,
  beside: readonly FieldDefinition[],
): string {
  const times = [
    after === undefined ? "" : after === NOW ? "in the future" : `after ${after}`,
    before === undefined ? "" : before === NOW ? "in the past" : `before ${before}`,
    same === undefined ? "" : same === key ? "the same as here" : `${nameOf(same, beside)} here`,
  ];
  return times.filter((text) => text !== "").join(" and ");
}

const DIRECTIONS: Readonly<Record<string, readonly [up: string, down: string]>> = {
  date: ["oldest first", "newest first"],
  "date-time": ["oldest first", "newest first"],
  "iso-date": ["oldest first", "newest first"],
  number: ["lowest first", "highest first"],
  boolean: ["no first", "yes first"],
  integer: ["lowest first", "highest first"],
};

export function sortInWords(sort: Query["sort"], models: readonly Model[]): string {
  const fields = fieldsOf(models);
  const all = sortKeys(sort).map(({ key, isDown }) => {
    const type = fields.find((one) => one.key === key)?.type ?? "";
    const direction = (DIRECTIONS[type] ?? ["A to Z", "Z to A"])[isDown ? 1 : 0];
    return `${nameOf(key, fields)} (${direction})`;
  });
  return all.length === 0 ? "" : `by ${all.join(", then ")}`;
}

function fieldsOf(models: readonly Model[]): readonly FieldDefinition[] {
  return models.flatMap(({ fields }) => fields);
}

/** What the field with this key is called. */
export function nameOf(key: string, fields: readonly FieldDefinition[]): string {
  return spoken(fields.find((one) => one.key === key)?.name ?? key, key);
}
