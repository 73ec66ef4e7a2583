import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { CommandRow } from "../../src/cli/table/options.ts";
import { TABLE } from "../../src/cli/table/table.ts";
import { ERROR_STATUS, type ErrorCode } from "../../src/workspace/error-codes.ts";
import { ROOT } from "./program.ts";

/** The words of every command that does something. */
export const COMMANDS: readonly string[] = Object.entries<CommandRow>(TABLE).flatMap(
  ([words, { isGroup }]) => (isGroup ? [] : [words]),
);

/** The keywords that the schemas use for members. */
export interface OutputSchema {
  readonly $ref?: string;
  readonly anyOf?: readonly OutputSchema[];
  readonly items?: OutputSchema;
  readonly properties?: Readonly<Record<string, OutputSchema>>;
  readonly additionalProperties?: OutputSchema;
}

/** The schemas of what commands print with --json, by name: `deploy-list`, and shared ones. */
export const OUTPUT_SCHEMAS: Readonly<Record<string, OutputSchema>> = JSON.parse(
  readFileSync(join(ROOT, "svc.output.schema.json"), "utf8"),
).$defs;

const AJV = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });
AJV.addSchema({ $id: "output", $defs: closed(OUTPUT_SCHEMAS) as object });

/** N5: throws unless each line that a command has printed with --json is as its schema says. */
export function checkJsonOutput(args: readonly string[], stdout: string): void {
  if (!args.includes("--json") || /^(?:-h|-V|--help|--version|help)$/m.test(args.join("\n")))
    return;
  const name = schemaName(args);
  // A process that was killed may have printed a part of a line.
  for (const line of stdout.split("\n").slice(0, -1)) {
    const value = JSON.parse(line);
    const validate = AJV.getSchema(`output#/$defs/${"error" in value ? "failure" : name}`);
    const command = `svc ${args.join(" ")}`;
    if (validate === undefined) throw new Error(`no schema for ${command}: ${line}`);
    if (validate(value)) continue;
    throw new Error(`${command}: ${AJV.errorsText(validate.errors)}: ${line.slice(0, 2000)}`);
  }
}

/** The exit status of a command that printed this error with --json. */
export function statusOf(error: { readonly code: string }): number {
  return ERROR_STATUS[error.code as ErrorCode];
}

function schemaName(args: readonly string[]): string {
  const [first = "", second] = args.filter((arg) => !arg.startsWith("-"));
  const both = `${first}-${second}`;
  return Object.hasOwn(OUTPUT_SCHEMAS, both) ? both : first;
}

/** The schemas with no members but those that they list: later versions may add some. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== "object" || schema === null) return schema;
  const members = Object.entries(schema).map(([name, member]) => [name, closed(member)]);
  const isObject = "properties" in schema && "type" in schema;
  return { ...Object.fromEntries(members), ...(isObject && { additionalProperties: false }) };
}
