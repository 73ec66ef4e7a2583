import { watch } from "node:fs";
import { basename, dirname } from "node:path";
import { Option } from "commander";
import { generateTypes } from "../../codegen/generate-types.ts";
import { SvcError, UsageError } from "../../workspace/errors.ts";
import { action, command, notEmpty, type WorkspaceOptions, withWorkspace } from "../command.ts";
import type { Output } from "../output/output.ts";
import { tellFailure } from "../output/report-error.ts";
import { readSchemaDocument, type SourceOptions } from "../schema-source.ts";
import { stopped } from "../stopped.ts";
import { contentOf, isSameFile, replaceFile } from "../types-file.ts";

interface TypesOptions extends WorkspaceOptions, SourceOptions {
  readonly output?: string;
  readonly check?: boolean;
  readonly watch?: boolean;
  readonly const?: boolean;
}

export const typesCommand = withWorkspace(
  command("types", [
    "svc types -o src/content.ts",
    "svc types out/api/v1/projects/site/schema.json -o src/content.ts --check",
    "svc types https://cdn.example.com/api/v1/projects/site/schema > content.ts",
  ]),
)
  .argument("[schema]", "a schema document: a file, a URL, or - (default: the store's published)")
  .option("-o, --output <file>", "write the types to this file", notEmpty)
  .option("--project <id>", "which project of the store; needed when the workspace has several")
  .option("--draft", "the store's draft instead of what is published")
  .option("--const", "also constants: the lists of keys")
  .option("--check", "write nothing; exit with 1 if the file is not what would be written")
  .option("--watch", "write the types again whenever the schema's file changes")
  .addOption(
    new Option("--preview-token <token>", "for the URL of a draft").env("SVC_PREVIEW_TOKEN"),
  )
  .action(
    action<TypesOptions>(async (output, options, schema) => {
      if (options.output === undefined && (options.check || options.watch)) {
        throw new UsageError("--check and --watch need a file", "name it with -o");
      }
      if (options.output === "-") {
        throw new UsageError("-o needs the name of a file", "without -o, the types are printed");
      }
      if (options.check && options.watch) {
        throw new UsageError("--check and --watch exclude each other", "leave one out");
      }
      if (options.watch) return await watchSchema(output, options, schema);
      return await makeTypes(output, options, schema);
    }),
  );

async function makeTypes(
  output: Output,
  options: TypesOptions,
  schema: string | undefined,
): Promise<number> {
  const document = await readSchemaDocument(schema, options);
  const text = generateTypes(document, { constants: options.const ?? false });
  const { output: file } = options;
  if (file === undefined) {
    output.result({ types: text }, text.trimEnd());
    return 0;
  }
  if (schema !== undefined && isSameFile(schema, file)) {
    throw new UsageError(`-o names the schema itself, "${file}"`, "name another file");
  }
  // A checkout may have other ends of lines.
  const upToDate = contentOf(file)?.replaceAll("\r\n", "\n") === text;
  if (options.check) {
    output.result({ file, upToDate }, `${file} is ${upToDate ? "" : "not "}up to date`);
    if (!upToDate) output.note("hint: run svc types without --check, and check the file in");
    return upToDate ? 0 : 1;
  }
  if (!upToDate) replaceFile(file, text);
  output.result({ file, written: !upToDate }, upToDate ? `${file} is up to date` : `wrote ${file}`);
  return 0;
}

/** How long a burst of changes may last, in milliseconds: editors write in several steps. */
const BURST = 50;

async function watchSchema(
  output: Output,
  options: TypesOptions,
  schema: string | undefined,
): Promise<number> {
  if (schema === undefined || schema === "-" || /^https?:/.test(schema)) {
    throw new UsageError("--watch needs a schema that is a file", "name the file");
  }
  const make = async () => {
    try {
      await makeTypes(output, options, schema);
    } catch (error) {
      if (!(error instanceof SvcError) && !("code" in Object(error))) throw error;
      tellFailure(error, { json: output.json, debug: false });
    }
  };
  await make();
  let timer: NodeJS.Timeout | undefined;
  // The folder is watched: a file that is renamed into its place is another one.
  const watcher = watch(dirname(schema), (_event, name) => {
    if (name !== null && name !== basename(schema)) return;
    clearTimeout(timer);
    timer = setTimeout(() => void make(), BURST);
  });
  output.note(`watching ${schema} (Ctrl-C ends)`);
  await stopped();
  clearTimeout(timer);
  watcher.close();
  return 0;
}
