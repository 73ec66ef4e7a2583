import { SvcError } from "../workspace/errors.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownMember } from "../workspace/json.ts";

/**
 * A schema document whose fields have what they share with others (S11) in its place, as documents of
 * older programs have it: what reads both needs no references.
 *
 * @throws SvcError `schema-invalid` (S11b) when it has more than `MAX_OBJECTS` then: each of some definitions may
 *   refer to the next one twice.
 */
export function inlinedSchema(document: JsonObject): JsonObject {
  const definitions = member(document, "$defs");
  const fields = member(definitions, "fields");
  const shared = member(fields, "$defs");
  if (Object.keys(shared).length === 0) return document;
  const known = new Map<string, { readonly schema: JsonObject; readonly size: number }>();
  let size = 0;

  function sharedSchema(name: string): JsonObject {
    const made = known.get(name);
    if (made !== undefined) {
      size += made.size;
      return made.schema;
    }
    // A document that anyone wrote may refer in a circle.
    known.set(name, { schema: {}, size: 0 });
    const before = size;
    const schema = inlined(member(shared, name)) as JsonObject;
    known.set(name, { schema, size: size - before });
    return schema;
  }

  function inlined(value: JsonValue): JsonValue {
    if (Array.isArray(value)) return value.map(inlined);
    if (!isJsonObject(value)) return value;
    size += 1;
    if (size > MAX_OBJECTS) throw tooLarge();
    const members = Object.entries(value).map(([name, one]) => [name, inlined(one)] as const);
    const schema: JsonObject = Object.fromEntries(members);
    const { $ref = "" } = schema;
    const [, name] = typeof $ref === "string" ? (SHARED_REF.exec($ref) ?? []) : [];
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

/** Some ten for each field. */
const MAX_OBJECTS = 2_000_000;

function tooLarge(): SvcError {
  const message = `the schema document is larger than ${MAX_OBJECTS} objects, with what its fields share`;
  return new SvcError("schema-invalid", message, {
    hint: "svc makes no such document: compare it with the one that was published",
  });
}

/** `#/$defs/fields/$defs/<name>`. */
const SHARED_REF = /^#\/\$defs\/fields\/\$defs\/([^/]+)$/;

function member(object: JsonObject, name: string): JsonObject {
  const value = ownMember(object, name);
  return isJsonObject(value) ? value : {};
}
