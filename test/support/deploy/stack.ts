import { isJsonObject, type JsonValue } from "../../../src/workspace/json.ts";

/**
 * The resources and outputs of a template with these parameters, as CloudFormation resolves them. A
 * reference to a resource is `<Name>`, to its attributes `<Name.Attribute>`; `any` for deep access.
 */
// biome-ignore lint/suspicious/noExplicitAny: see above
export function stackOf(document: JsonValue, given: Readonly<Record<string, JsonValue>>): any {
  if (!isJsonObject(document)) throw new Error("a template is an object");
  const defaults = Object.entries(document.Parameters as Record<string, { Default?: JsonValue }>);
  const values: Record<string, JsonValue> = {
    "AWS::StackName": "content",
    "AWS::Partition": "aws",
    "AWS::AccountId": "123456789012",
    "AWS::Region": "eu-west-1",
    ...Object.fromEntries(defaults.map(([name, { Default = "" }]) => [name, Default])),
    ...given,
  };
  const conditions = document.Conditions as Record<string, JsonValue>;
  const named = (name: string) => values[name] ?? `<${name}>`;
  const resolve = (value: JsonValue): JsonValue | undefined => {
    if (Array.isArray(value)) return value.map(resolve).filter((item) => item !== undefined);
    if (!isJsonObject(value)) return value;
    // biome-ignore lint/suspicious/noExplicitAny: see above
    const [[name, inner]] = [...Object.entries(value), ["", undefined]] as [[string, any]];
    switch (name) {
      case "Ref":
        return inner === "AWS::NoValue" ? undefined : named(inner);
      case "Fn::GetAtt":
        return `<${(inner as string[]).join(".")}>`;
      case "Fn::Sub":
        return replaced(typeof inner === "string" ? [inner, {}] : inner);
      case "Fn::Select":
        return (resolve(inner[1]) as JsonValue[])[inner[0] as number];
      case "Fn::Split":
        return String(resolve(inner[1])).split(inner[0] as string);
      case "Fn::Equals":
        return resolve(inner[0]) === resolve(inner[1]);
      case "Fn::Not":
        return !resolve(inner[0]);
      case "Fn::And":
        return (resolve(inner) as JsonValue[]).every(Boolean);
      case "Fn::If":
        return resolve(inner[resolve(conditions[inner[0]] as JsonValue) ? 1 : 2]);
    }
    // Of a condition; of a resource or an output it says whether there is one.
    if (typeof value.Condition === "string") {
      const holds = resolve(conditions[value.Condition] as JsonValue);
      if (Object.keys(value).length === 1) return holds;
      if (!holds) return undefined;
    }
    const entries = Object.entries(value).map(([key, member]) => [key, resolve(member)] as const);
    return Object.fromEntries(entries.filter(([, member]) => member !== undefined)) as JsonValue;
  };
  const replaced = ([text, own]: [string, Record<string, JsonValue>]) =>
    text.replaceAll(/\$\{([^}]+)\}/g, (_, name: string) => {
      const local = own[name];
      return String(local === undefined ? named(name) : resolve(local));
    });
  const { Resources, Outputs } = document as Record<string, JsonValue>;
  return resolve({ Resources: Resources as JsonValue, Outputs: Outputs as JsonValue });
}
