import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import fc from "fast-check";
import { expect, it } from "vitest";
import { fieldType } from "../../src/fields/registry.ts";
import { SharedSchemas } from "../../src/fields/shared-schemas.ts";
import { fieldFaults } from "../../src/records/record-shapes.ts";
import type { JsonValue } from "../../src/workspace/json.ts";
import { randomRuns } from "../support/random-runs.ts";
import { FIELD_OPTIONS } from "../support/workspaces/random-fields.ts";
import {
  anyJson,
  anyText,
  NEARLY_RIGHT,
  rightScalar,
} from "../support/workspaces/random-scalars.ts";

/** The others resolve what they name. */
const SCALARS = Object.keys(FIELD_OPTIONS).filter(
  (type) => !/asset|block|reference|rich-text/.test(type),
);

const ajv = new Ajv2020({ strict: true });
addFormats.default(ajv);

it.each(SCALARS)(
  "V3b: a %s has its shape and breaks no constraint exactly when ajv accepts it",
  (name) => {
    const type = fieldType(name);
    const definitions = (FIELD_OPTIONS[name] ?? []).map((options) => ({
      key: "k",
      type: name,
      ...options,
    }));
    const likely = fc.oneof(
      ...definitions.map(rightScalar),
      fc.constantFrom<JsonValue>(...(NEARLY_RIGHT[name] ?? []), 0, ""),
      fc.oneof(
        anyText({ maxLength: 5 }),
        fc.integer({ min: -8, max: 20 }).map((half) => half / 2),
      ),
    );
    const values = fc.array(fc.oneof({ weight: 5, arbitrary: likely }, anyJson), { minLength: 10 });
    const law = fc.property(fc.constantFrom(...definitions), values, (field, list) => {
      expect(fieldFaults(field)).toEqual([]);
      const shared = new SharedSchemas("#");
      const validate = ajv.compile(type.schema(field, { models: [], blocks: [], shared }));
      const rights: boolean[] = [];
      for (const value of list) {
        const right = type.hasShape(value) && type.brokenConstraint?.(field, value) === undefined;
        expect({ value, right }).toEqual({ value, right: validate(value) });
        rights.push(right);
      }
      fc.pre(rights.includes(true));
    });
    fc.assert(law, { numRuns: randomRuns(100) });
  },
);
