import { Ajv2020 } from "ajv/dist/2020.js";
import standaloneCode from "ajv/dist/standalone/index.js";
import addFormats from "ajv-formats";
import { FIELD_TYPES } from "../src/fields/registry.ts";
import { SHAPES, shapeOfType } from "../src/records/record-shapes.ts";

/** The source of a module that replaces src/records/shape-check.ts: the same checks, precompiled. */
export function compiledShapes(): string {
  const ajv = new Ajv2020({
    allErrors: true,
    strict: true,
    allowUnionTypes: true,
    code: { source: true, esm: true },
  });
  const shapes = [
    ...Object.entries(SHAPES),
    ...[...FIELD_TYPES.values()].map((type) => [`field ${type.name}`, shapeOfType(type)] as const),
  ];
  const names = shapes.map(([name], at) => [name, `shape${at}`] as const);
  for (const [name, shape] of shapes) ajv.addSchema(shape, name);
  const ids = Object.fromEntries(names.map(([name, id]) => [id, name]));
  const members = names.map(([name, id]) => `${JSON.stringify(name)}: ${id}`);
  return [
    standaloneCode.default(ajv, ids),
    `const checks = { ${members.join(", ")} };`,
    "export const shapeCheck = (name) => checks[name];",
  ].join("\n");
}

/** The source of a module that replaces src/documents/meta-schema.ts: the same check, precompiled. */
export function compiledMetaSchema(): string {
  const ajv = new Ajv2020({ strict: true, ownProperties: true, code: { source: true, esm: true } });
  addFormats.default(ajv);
  const check = ajv.compile({ $ref: "https://json-schema.org/draft/2020-12/schema" });
  return `${standaloneCode.default(ajv, check)}\nexport const metaSchemaCheck = () => validate;\n`;
}
