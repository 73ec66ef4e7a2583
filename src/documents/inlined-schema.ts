import { isJsonObject, type JsonObject, type JsonValue, ownMember } from "../workspace/json.ts";

/**
 * A schema document whose fields have what they share with others (S11) in its place, as documents of
 * older programs have it: what reads both needs no references.
 */
export function inlinedSchema(document: JsonObject): JsonObject {
  const definitions = member(document, "$defs");
  const fields = member(definitions, "fields");
  const shared = member(fields, "$defs");
  if (Object.keys(shared).length === 0) return document;
  const known = new Map<string, JsonObject>();

  function sharedSchema(name: string): JsonObject {
    const made = known.get(name);
    if (made !== undefined) return made;
    // A document that anyone wrote may refer in a circle.
    known.set(name, {});
    const schema = inlined(member(shared, name)) as JsonObject;
    known.set(name, schema);
    return schema;
  }

  function inlined(value: JsonValue): JsonValue {
    if (Array.isArray(value)) return value.map(inlined);
    if (!isJsonObject(value)) return value;
    const members = Object.entries(value).map(([name, one]) => [name, inlined(one)] as const);
    const schema: JsonObject = Object.fromEntries(members);
    const [, name] = SHARED_REF.exec(String(schema.$ref)) ?? [];
    if (name === undefined) return schema;
    const { $ref: _, ...own } = schema;
    const general = sharedSchema(name);
    const properties = { ...member(general, "properties"), ...member(own, "properties") };
    return { ...general, ...own, ...(general.properties !== undefined && { properties }) };
  }

  const { $defs: _, ...ownFields } = fields;
  const { contentModels = {}, contentBlocks = {} } = definitions;
  return {
    ...document,
    $defs: {
      ...definitions,
      contentModels: inlined(contentModels),
      contentBlocks: inlined(contentBlocks),
      fields: inlined(ownFields),
    },
  };
}

/** `#/$defs/fields/$defs/<name>`. */
const SHARED_REF = /^#\/\$defs\/fields\/\$defs\/([^/]+)$/;

function member(object: JsonObject, name: string): JsonObject {
  const value = ownMember(object, name);
  return isJsonObject(value) ? value : {};
}
