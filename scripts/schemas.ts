// The last step of `npm run build`: makes the schemas that the package has of the commands' table and of the types of
// their results, svc.config.schema.json and svc.output.schema.json.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  createFormatter,
  createParser,
  createProgram,
  DEFAULT_CONFIG,
  EnumType,
  SchemaGenerator,
} from "ts-json-schema-generator";
import { CONFIG } from "../src/cli/table/options.ts";
import { PROBLEM_LEVELS } from "../src/workspace/problem.ts";
import { severitiesOf } from "../src/workspace/severity.ts";

const ROOT = join(import.meta.dirname, "..");
const RESULTS = join(ROOT, "src/cli/results.ts");
const DRAFT_2020 = "https://json-schema.org/draft/2020-12/schema";

type Schema = { readonly [keyword: string]: unknown };

/** N2, N3: the schema of the config file, for editors. */
function configSchema(): Schema {
  const members = Object.entries(CONFIG).map(([name, { words: description, isByProject }]) => {
    const text = { type: "string", minLength: 1 };
    const all = { type: ["string", "object"], minLength: 1, additionalProperties: text };
    return [name, { ...(isByProject ? all : text), description }] as const;
  });
  const codes = Object.keys(PROBLEM_LEVELS);
  return {
    $schema: DRAFT_2020,
    title: "Defaults for the commands of svc",
    type: "object",
    additionalProperties: false,
    properties: {
      $schema: { type: "string" },
      ...Object.fromEntries(members),
      strict: {
        type: "boolean",
        description: "Whether svc check and svc publish refuse a draft for warnings too",
      },
      severity: {
        type: "object",
        description: "The level of the problems of a code",
        additionalProperties: false,
        properties: Object.fromEntries(codes.map((code) => [code, { enum: severitiesOf(code) }])),
      },
    },
  };
}

/** N5: a schema for each command, by its words, and for failures; types that they share have theirs. */
function outputSchema(): Schema {
  const config = {
    ...DEFAULT_CONFIG,
    path: RESULTS,
    tsconfig: join(ROOT, "tsconfig.json"),
    // The program's own check of types is `npm run types`, by another version of TypeScript.
    skipTypeCheck: true,
    topRef: false,
    additionalProperties: true,
  };
  const program = createProgram(config);
  const parser = createParser(program, config, (parsers) =>
    // It reads no calls of functions, of which the catalogue is made.
    parsers.addNodeParser({
      supportsNode: (node) => node.getText?.() === "keyof typeof CATALOGUE",
      createType: () => new EnumType("codes", Object.keys(PROBLEM_LEVELS)),
    }),
  );
  const generator = new SchemaGenerator(program, parser, createFormatter(config), config);
  const results = generator.createSchema("Results");
  const { definitions, $schema: _, ...failure } = generator.createSchema("Failure");
  const commands = Object.entries(results.properties ?? {});
  const shared: Readonly<Record<string, unknown>> = { ...results.definitions, ...definitions };
  // Types of other files have no name here: whether they are exported must make no difference.
  const own = readFileSync(RESULTS, "utf8").matchAll(/^export (?:interface|type) (\w+)/gm);
  const named = Array.from(own, ([, name = ""]) => name).filter((name) => name in shared);
  const final = (schema: unknown) =>
    inDraft2020(schema, (name) => !named.includes(name) && shared[name]);
  const $defs = {
    failure: final(failure),
    ...Object.fromEntries(commands.map(([words, one]) => [words.replaceAll(" ", "-"), final(one)])),
    ...Object.fromEntries(named.map((name) => [name, final(shared[name])])),
  };
  return {
    $schema: DRAFT_2020,
    title: "What the commands of svc print with --json",
    description:
      "A line that svc deploy list prints is a #/$defs/deploy-list, or a #/$defs/failure. Members may be added.",
    $defs,
  };
}

/**
 * With the references of 2020-12, but to what `inlined` gives. All numbers that commands print are
 * counts, but those of content, which is any JSON.
 */
function inDraft2020(value: unknown, inlined: (name: string) => unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => inDraft2020(one, inlined));
  if (typeof value !== "object" || value === null) return value;
  const name = "$ref" in value ? String(value.$ref).replace("#/definitions/", "") : undefined;
  if (name === "JsonValue") return {};
  if (name !== undefined) {
    const schema = inlined(name);
    return schema ? inDraft2020(schema, inlined) : { $ref: `#/$defs/${name}` };
  }
  const count = "type" in value && value.type === "number" ? { type: "integer", minimum: 0 } : {};
  const members = Object.entries(value).map(([key, one]) => [key, inDraft2020(one, inlined)]);
  return { ...Object.fromEntries(members), ...count };
}

const SCHEMAS = {
  "svc.config.schema.json": configSchema(),
  "svc.output.schema.json": outputSchema(),
};
for (const [file, schema] of Object.entries(SCHEMAS)) {
  writeFileSync(join(ROOT, file), `${JSON.stringify(schema, null, 2)}\n`);
}
