import { Ajv2020 } from "ajv/dist/2020.js";
import standaloneCode from "ajv/dist/standalone/index.js";
import { FIELD_TYPES } from "../src/fields/registry.ts";
import { SHAPES, shapeOfType } from "../src/folder/record-shapes.ts";

/** The source of a module that replaces src/folder/shape-check.ts: the same checks, precompiled. */
export function compiledShapes(): string {
  const ajv = new Ajv2020({ allErrors: true, strict: true, code: { source: true, esm: true } });
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
