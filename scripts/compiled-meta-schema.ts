import { Ajv2020 } from "ajv/dist/2020.js";
import standaloneCode from "ajv/dist/standalone/index.js";
import addFormats from "ajv-formats";

/** The source of a module that replaces src/documents/meta-schema.ts: the same check, precompiled. */
export function compiledMetaSchema(): string {
  const ajv = new Ajv2020({ strict: true, ownProperties: true, code: { source: true, esm: true } });
  addFormats.default(ajv);
  const check = ajv.compile({ $ref: "https://json-schema.org/draft/2020-12/schema" });
  return `${standaloneCode.default(ajv, check)}\nexport const metaSchemaCheck = () => validate;\n`;
}
