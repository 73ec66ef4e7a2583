import {
  Ajv2020,
  type AnySchemaObject,
  type ErrorObject,
  type ValidateFunction,
} from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { Pattern } from "../fields/pattern/pattern.ts";
import type { JsonObject, JsonValue } from "../workspace/json.ts";
import { metaSchemaCheck } from "./meta-schema.ts";
import {
  type DefinitionSource,
  EXTENSION_KEYWORDS,
  sharedDefinitions,
} from "./schema-definitions.ts";

/**
 * S4: validates values against their published schema document, in ajv's strict mode (S1).
 */
export class SchemaValidator {
  readonly #ajv: Ajv2020;
  readonly #id: string;
  /** Cached, since looking one up takes longer than running it. */
  readonly #validators = new Map<SchemaDefinition, ValidateFunction>();

  /** @throws Error when the document is not a valid draft 2020-12 schema. */
  constructor(document: JsonObject) {
    metaSchema ??= metaSchemaCheck();
    if (!metaSchema(document)) {
      throw new Error(`schema is invalid: ${(metaSchema.errors ?? []).map(describe).join("; ")}`);
    }
    this.#ajv = new Ajv2020({
      strict: true,
      ownProperties: namesInherited(document),
      ...CHECKED,
      ...COMPILED_PLAINLY,
    });
    // Nothing in a schema document is about what was not evaluated: without it, ajv stops at the first
    // case of an `anyOf` that fits.
    this.#ajv.opts.unevaluated = false;
    addFormats.default(this.#ajv);
    this.#ajv.addVocabulary([...EXTENSION_KEYWORDS]);
    this.#ajv.addSchema(document as AnySchemaObject);
    this.#id = document.$id as string;
  }

  /** Why the data violates the definition; undefined when it is valid. */
  fault(definition: SchemaDefinition, data: JsonObject): string | undefined {
    let validate = this.#validators.get(definition);
    if (validate === undefined) {
      validate = this.#ajv.getSchema(`${this.#id}#/$defs/${definition}`);
      if (validate === undefined) return `the schema has no definition ${definition}`;
      this.#validators.set(definition, validate);
    }
    if (validate(data)) return undefined;
    return (validate.errors ?? []).map(describe).join("; ");
  }
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
