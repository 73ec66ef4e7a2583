import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { JsonObject } from "../workspace/json.ts";

/** A test checks the schemas themselves, which takes 60 ms, twice the start of Node. */
const ajv = new Ajv2020({
  allErrors: true,
  strict: true,
  allowUnionTypes: true,
  validateSchema: false,
  meta: false,
});
const compiled = new Map<string, ValidateFunction>();

/**
 * The check of a shape, compiled once. That takes 50 ms for all, so the build replaces this module by
 * the compiled code (scripts/compiled-checks.ts).
 */
export function shapeCheck(name: string, shape: () => JsonObject): ValidateFunction {
  let check = compiled.get(name);
  if (check === undefined) {
    check = ajv.compile(shape());
    compiled.set(name, check);
  }
  return check;
}
