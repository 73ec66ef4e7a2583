import type { JsonValue } from "../../../workspace/json.ts";

/** A part of a CloudFormation template: its resources by logical id. */
export interface TemplateSection {
  readonly resources: Readonly<Record<string, JsonValue>>;
  /** By path in the template (`Resources/Bucket/Properties`). */
  readonly comments: Readonly<Record<string, string>>;
}

export function ref(logicalId: string): JsonValue {
  return { Ref: logicalId };
}

export function attribute(logicalId: string, name: string): JsonValue {
  return { "Fn::GetAtt": [logicalId, name] };
}

/** `Fn::Sub` of a text in which variables are `{Name}` and `{Name.Attribute}`, without `$`. */
export function sub(text: string): JsonValue {
  return { "Fn::Sub": text.replaceAll("{", () => "$" + "{") };
}

export function either(condition: string, then: JsonValue, otherwise: JsonValue): JsonValue {
  return { "Fn::If": [condition, then, otherwise] };
}

/** As the value of a property: leaves the property out. */
export const NO_VALUE = ref("AWS::NoValue");
