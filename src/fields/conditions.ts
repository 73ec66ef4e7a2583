import {
  type Comparison,
  type Conditions,
  MAXIMUM_LIMIT,
  MOST_COMPARED,
  NOW,
} from "../workspace/conditions.ts";
import type { JsonSchema } from "./field-type.ts";
import { isOfFormat } from "./formatted.ts";
import { instantOf } from "./iso-date.ts";

const TIME = { type: "string", description: "a date, a date-time with a zone, or $now" };
const SAME = { type: "string", description: "a field of this record: the two share a value" };

/** Q3: the shape of `where`; that of a collection has no record in which it stands. */
export function conditionsShape(isOfQuery: boolean): JsonSchema {
  const members = { ...(isOfQuery && { same: SAME }), before: TIME, after: TIME };
  return {
    type: "object",
    additionalProperties: {
      type: ["string", "number", "boolean", "object"],
      properties: members,
      additionalProperties: false,
      minProperties: 1,
    },
    maxProperties: MOST_COMPARED,
    description: "by the key of a field; all must hold",
  };
}

/** Q6. */
export const SORT_SHAPE = {
  type: ["string", "array"],
  items: { type: "string" },
  maxItems: MOST_COMPARED,
  description: "the keys of fields, - before one that is descending",
};

export const QUERY_SHAPE = {
  type: "object",
  properties: {
    where: conditionsShape(true),
    sort: SORT_SHAPE,
    limit: { type: "integer", minimum: 1, maximum: MAXIMUM_LIMIT },
  },
  additionalProperties: false,
};

/** Q5: what is wrong with the dates of conditions, whose shape may be wrong; undefined: nothing. */
export function conditionFault(where: Conditions = {}): string | undefined {
  for (const [key, condition] of Object.entries(where)) {
    const { before, after }: Comparison = Object(condition);
    const bad = [before, after].find(
      (time) => typeof time === "string" && time !== NOW && !isInstant(time),
    );
    if (bad !== undefined)
      return `the condition of "${key}" compares with "${bad}", which is no date (2026-11-21), no date and time with zone (2026-11-21T09:30:00Z), and not "${NOW}"`;
  }
  return undefined;
}

/** Of a condition the zone is written, so that nobody has to know which one is meant. */
function isInstant(time: string): boolean {
  const isWhole = isOfFormat("date", time) || isOfFormat("date-time", time);
  return isWhole && !Number.isNaN(instantOf(time));
}
