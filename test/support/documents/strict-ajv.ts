import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

const WORDS = [
  "x-svc-schema-version",
  "x-svc-source",
  "x-svc-version-id",
  "x-svc-step-content-models",
  "x-svc-feature-values",
  "x-svc-patterns",
];

/** Shared, since the meta-schema takes long to compile. */
const META = new Ajv2020({ strict: true });

/** The definitions of a schema document, each compiled by ajv in strict mode on demand. */
export class CompiledSchema {
  readonly #ajv: Ajv2020;
  readonly #id: string;

  /** @throws Error when the document is not valid draft 2020-12 or does not compile. */
  constructor(document: { readonly $id: string }) {
    // Every object inherits a `constructor`, which is an ordinary field key: own properties only.
    this.#ajv = new Ajv2020({ strict: true, ownProperties: true, validateSchema: false });
    addFormats.default(this.#ajv);
    this.#ajv.addVocabulary(WORDS);
    this.#id = document.$id;
    META.validateSchema(document, true);
    this.#ajv.compile(document);
  }

  /** The violations of `$defs/<definition>` by the value; empty: it is valid. */
  faults(definition: string, value: unknown): string[] {
    const validate = this.definition(definition);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  }

  /** @throws Error when the document has no such definition, or it does not compile. */
  definition(name: string): ValidateFunction {
    const validate = this.#ajv.getSchema(`${this.#id}#/$defs/${name}`);
    if (validate === undefined) throw new Error(`no definition ${name}`);
    return validate;
  }
}
