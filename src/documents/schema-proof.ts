import { Ajv2020, type AnySchemaObject, type ErrorObject } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { JsonObject } from "../workspace/json.ts";
import { EXTENSION_KEYWORDS } from "./schema-document.ts";

/**
 * S4: checks values by the very schema document that is published beside them, in ajv's strict
 * mode (S1).
 */
export class SchemaProof {
  /** Own properties only: every object inherits a `constructor`, which is an ordinary field key. */
  readonly #ajv: Ajv2020;
  readonly #id: string;

  /** @throws Error when the document is not a valid draft 2020-12 schema. */
  constructor(document: JsonObject) {
    this.#ajv = new Ajv2020({ strict: true, ownProperties: true });
    addFormats.default(this.#ajv);
    this.#ajv.addVocabulary([...EXTENSION_KEYWORDS]);
    this.#ajv.addSchema(document as AnySchemaObject);
    this.#id = document.$id as string;
  }

  /** Why the data is not valid by the definition, or undefined when it is. */
  fault(definition: Definition, data: JsonObject): string | undefined {
    const validate = this.#ajv.getSchema(`${this.#id}#/$defs/${definition}`);
    if (validate === undefined) return `the schema has no definition ${definition}`;
    if (validate(data)) return undefined;
    return (validate.errors ?? []).map(describe).join("; ");
  }
}

/** A place in `$defs`. */
export type Definition = `contentModels/${string}` | "fields";

function describe({ instancePath, message }: ErrorObject): string {
  return `${instancePath || "the value"} ${message}`;
}
