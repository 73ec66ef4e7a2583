import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import type { DataValidationCxt } from "ajv/dist/types/index.js";
import addFormats from "ajv-formats";
import { Pattern } from "../fields/pattern/pattern.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownMember } from "../workspace/json.ts";
import { metaSchemaCheck } from "./meta-schema.ts";
import {
  type DefinitionSource,
  EXTENSION_KEYWORDS,
  sharedDefinitions,
} from "./schema-definitions.ts";

/**
 * S4: validates values against their published schema document, in ajv's strict mode (S1).
 *
 * S11a: ajv compiles what a `$ref` names when the first value meets it, each definition alone. By
 * itself it compiles all that can be reached at once, recursively, which many models overflow.
 */
export class SchemaValidator {
  readonly #document: JsonObject;
  readonly #ajv: Ajv2020;
  /** For definitions with many members, which ajv otherwise nests as deeply. */
  #flat: Ajv2020 | undefined;
  /** By `$ref`. */
  readonly #validators = new Map<string, Lazy>();

  /** @throws Error when the document is not a valid draft 2020-12 schema. */
  constructor(document: JsonObject) {
    metaSchema ??= metaSchemaCheck();
    if (!metaSchema(document)) {
      throw new Error(`schema is invalid: ${(metaSchema.errors ?? []).map(describe).join("; ")}`);
    }
    this.#document = document;
    this.#ajv = this.#compiler({ allErrors: false });
  }

  /** Why the data violates the definition; undefined when it is valid. */
  fault(definition: SchemaDefinition, data: JsonObject): string | undefined {
    const validate = this.#validator(`#/$defs/${definition}`);
    if (validate(data)) return undefined;
    return (validate.errors ?? []).map(describe).join("; ");
  }

  #compiler(options: { readonly allErrors: boolean }): Ajv2020 {
    const ajv = new Ajv2020({
      strict: true,
      ownProperties: namesInherited(this.#document),
      ...options,
      ...CHECKED,
      ...COMPILED_PLAINLY,
    });
    // Nothing in a schema document is about what was not evaluated: without it, ajv stops at the first
    // case of an `anyOf` that fits.
    ajv.opts.unevaluated = false;
    addFormats.default(ajv);
    ajv.addVocabulary([...EXTENSION_KEYWORDS]);
    ajv.removeKeyword("$ref");
    ajv.addKeyword({
      keyword: "$ref",
      schemaType: "string",
      compile: (ref: string) => this.#validator(ref),
      errors: "full",
    });
    return ajv;
  }

  #validator(ref: string): Lazy {
    const known = this.#validators.get(ref);
    if (known !== undefined) return known;
    let validate: ValidateFunction | undefined;
    const lazy: Lazy = (data, context) => {
      validate ??= this.#compiled(ref);
      const isValid = validate(data, context);
      lazy.errors = validate.errors ?? [];
      return isValid;
    };
    this.#validators.set(ref, lazy);
    return lazy;
  }

  #compiled(ref: string): ValidateFunction {
    const schema = definitionAt(this.#document, ref);
    if (schema === undefined) throw new Error(`the schema has no definition ${ref}`);
    if (memberCount(schema) <= MANY_MEMBERS) return this.#ajv.compile(schema);
    this.#flat ??= this.#compiler({ allErrors: true });
    return this.#flat.compile(schema);
  }
}

interface Lazy {
  (data: unknown, context?: DataValidationCxt): boolean;
  errors?: ErrorObject[];
}

/** Of the keys in a schema document, none has a character that a JSON pointer escapes (I2). */
function definitionAt(document: JsonObject, ref: string): JsonObject | undefined {
  let at: JsonValue | undefined = document;
  for (const name of ref.slice("#/".length).split("/")) {
    at = isJsonObject(at) ? ownMember(at, name) : undefined;
  }
  return isJsonObject(at) ? at : undefined;
}

const MANY_MEMBERS = 200;

/** How deeply ajv would nest its code. */
function memberCount({ properties, allOf }: JsonObject): number {
  const members = isJsonObject(properties) ? Object.values(properties) : [];
  const nested = members.map((member) => (isJsonObject(member) ? memberCount(member) : 0));
  return Math.max(members.length, Array.isArray(allOf) ? allOf.length : 0, ...nested);
}

/** The last one. Compiling takes long, and most edits do not change the definitions. */
let known: { readonly text: string; readonly validator: SchemaValidator } | undefined;

/**
 * Validates by the definitions that the schema documents of all projects of a workspace share.
 */
export function definitionsValidator(draft: DefinitionSource): SchemaValidator {
  const definitions = sharedDefinitions(draft);
  const text = JSON.stringify(definitions);
  if (known?.text === text) return known.validator;
  const validator = new SchemaValidator({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: "svc:workspace/definitions",
    $defs: definitions,
  });
  known = { text, validator };
  return validator;
}

let metaSchema: ReturnType<typeof metaSchemaCheck> | undefined;

/**
 * Whether a schema names a member that every object inherits, such as the field key `constructor`.
 * Only then ajv must check for own members, which takes twice the time.
 */
function namesInherited(schema: JsonValue): boolean {
  if (typeof schema !== "object" || schema === null) return false;
  if (Array.isArray(schema)) return schema.some(namesInherited);
  return Object.entries(schema).some(
    ([name, member]) => name in Object.prototype || namesInherited(member),
  );
}

/** The constructor has checked the document. */
const CHECKED = { validateSchema: false, meta: false } as const;

/** Compiles in half the time, to code of the same speed. */
const COMPILED_PLAINLY = { inlineRefs: false, code: { optimize: false, regExp } } as const;

/** Slow values were tested when they were rendered: only entries without errors are validated. */
function regExp(source: string) {
  const pattern = Pattern.of(source);
  return {
    test: (value: string) => !pattern.isQuick(value) || pattern.test(value) === true,
    // ajv knows expressions by their text.
    toString: () => source,
  };
}
// For code that ajv would write to a file.
regExp.code = "";

/** A place in `$defs`. */
export type SchemaDefinition = `contentModels/${string}` | "fields";

function describe({ instancePath, message }: ErrorObject): string {
  return `${instancePath || "the value"} ${message}`;
}
