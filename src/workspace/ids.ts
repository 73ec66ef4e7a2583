/** I1, as a pattern that any regular expression engine understands. */
export const ID = /^[A-Za-z0-9_-]([A-Za-z0-9._-]{0,126}[A-Za-z0-9_-])?$/;
const KEY = /^[A-Za-z][A-Za-z0-9_-]{0,127}$/;

/** I1: ids become file names and path segments. */
export function isId(text: string): boolean {
  return ID.test(text);
}

/** I2. */
export function isKey(text: string): boolean {
  return KEY.test(text);
}

/**
 * I3: keys of models and blocks are in schema position (`$defs.contentModels.<key>`), where a JSON
 * Schema 2020-12 keyword would make the document invalid.
 */
export function isSchemaKeyword(key: string): boolean {
  return JSON_SCHEMA_KEYWORDS.has(key);
}

export const ID_RULE =
  "an id is 1 to 128 letters, digits, '_', '-' or '.', with no '.' at either end";
export const KEY_RULE = "a key starts with a letter and has up to 128 letters, digits, '_' or '-'";

/**
 * Every keyword of the JSON Schema 2020-12 vocabularies that is a valid key by I2 (none that starts
 * with `$`), and the two of older drafts that are still in the meta-schema.
 */
const JSON_SCHEMA_KEYWORDS: ReadonlySet<string> = new Set(
  `
    prefixItems items contains additionalProperties properties patternProperties dependentSchemas
    propertyNames if then else allOf anyOf oneOf not unevaluatedItems unevaluatedProperties type
    const enum multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength
    pattern maxItems minItems uniqueItems maxContains minContains maxProperties minProperties
    required dependentRequired title description default deprecated readOnly writeOnly examples
    format contentEncoding contentMediaType contentSchema definitions dependencies
  `.match(/\w+/g),
);
