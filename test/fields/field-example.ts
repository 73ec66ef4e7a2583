import type { JsonValue } from "../../src/workspace/json.ts";

/** One definition of a field type, and values for it. */
export interface FieldExamples {
  /** The options of the definition. */
  readonly options?: { readonly [option: string]: JsonValue };
  readonly served: readonly Example[];
  /** Values of a wrong shape: never served. Null is no value, except as an element. */
  readonly wrong: readonly JsonValue[];
  /** Values of the right shape that break a constraint. */
  readonly breaking?: readonly Example[];
  /** How broken constraints are reported, unless as `value-constraint`. */
  readonly code?: string;
}

export interface Example {
  readonly stored: JsonValue;
  readonly served: JsonValue;
}
