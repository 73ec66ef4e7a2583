/**
 * Every keyword of the JSON Schema 2020-12 vocabularies that is a valid key by I2 (none that starts
 * with `$`), and the two of older drafts that are still in the meta-schema.
 */
export const JSON_SCHEMA_KEYWORDS: ReadonlySet<string> = new Set([
  // applicator
  ...["prefixItems", "items", "contains", "additionalProperties", "properties"],
  ...["patternProperties", "dependentSchemas", "propertyNames", "if", "then", "else"],
  ...["allOf", "anyOf", "oneOf", "not"],
  // unevaluated
  ...["unevaluatedItems", "unevaluatedProperties"],
  // validation
  ...["type", "const", "enum", "multipleOf", "maximum", "exclusiveMaximum", "minimum"],
  ...["exclusiveMinimum", "maxLength", "minLength", "pattern", "maxItems", "minItems"],
  ...["uniqueItems", "maxContains", "minContains", "maxProperties", "minProperties"],
  ...["required", "dependentRequired"],
  // meta-data
  ...["title", "description", "default", "deprecated", "readOnly", "writeOnly", "examples"],
  // format and content
  ...["format", "contentEncoding", "contentMediaType", "contentSchema"],
  // older drafts, still in the meta-schema
  ...["definitions", "dependencies"],
]);
