import { statSync, watch } from "node:fs";
import { basename, dirname } from "node:path";
import { Option } from "commander";
import { generateTypes } from "../../codegen/generate-types.ts";
import { hasText, replaceFile } from "../../files/replace-file.ts";
import { WatchedFolder } from "../../follow/watched-folder.ts";
import { SvcError, UsageError } from "../../workspace/errors.ts";
import { action, command, notEmpty, withWorkspace } from "../command.ts";
import type { Output } from "../output/output.ts";
import { reportError } from "../output/report-error.ts";
import { isFolder, readSchemaDocument, type SourceOptions } from "../schema-source.ts";
import { stopSignal } from "../stop-signal.ts";

interface TypesOptions extends SourceOptions {
  readonly output?: string;
  readonly check?: boolean;
  readonly watch?: boolean;
  readonly const?: boolean;
}

export const typesCommand = withWorkspace(
  command("types", [
    "svc types content -o src/content.ts",
    "svc types out/api/v1/projects/site/schema.json -o src/content.ts --check",
    "svc types https://cdn.example.com/api/v1/projects/site/schema > content.ts",
  ]),
)
  .argument(
    "[schema]",
    "a workspace folder, or a schema document: a file, a URL, or - for stdin (default: the store's published one)",
  )
  .option("-o, --output <file>", "write the types to this file", notEmpty)
  .option("--project <id>", "the project in the store; required if the workspace has several")
  .option("--draft", "use the store's draft instead of the published version")
  .option("--const", "also generate constants with the lists of keys")
  .option("--check", "write nothing; exit with 1 if the file is not up to date")
  .option("--watch", "write the types again whenever the folder or the schema file changes")
  .addOption(
    new Option("--preview-token <token>", "the preview token, if the URL is of a draft").env(
      "SVC_PREVIEW_TOKEN",
    ),
  )
  .action(
    action<TypesOptions>(async (output, options, schema) => {
      if (options.output === undefined && (options.check || options.watch)) {
        throw new UsageError("--check and --watch need an output file", "add -o <file>");
      }
      if (options.output === "-") {
        throw new UsageError("-o needs a file name", "to print the types, leave -o out");
      }
      if (options.check && options.watch) {
        throw new UsageError("--check and --watch cannot be combined", "use one of them");
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
  const document = await readSchemaDocument(schema, options, output);
  const text = generateTypes(document, { constants: options.const ?? false });
  const { output: file } = options;
  if (file === undefined) {
    output.result({ types: text }, text.trimEnd());
    return 0;
  }
  if (schema !== undefined && isSameFile(schema, file)) {
    throw new UsageError(`-o is the schema file itself, "${file}"`, "choose another output file");
  }
  const upToDate = hasText(file, text);
  if (options.check) {
    output.result({ file, upToDate }, `${file} is ${upToDate ? "" : "not "}up to date`);
    if (!upToDate) output.note("hint: run svc types without --check, and commit the file");
    return upToDate ? 0 : 1;
  }
  if (!upToDate) replaceFile(file, text);
  output.result({ file, written: !upToDate }, upToDate ? `${file} is up to date` : `wrote ${file}`);
  return 0;
}

function isSameFile(a: string, b: string): boolean {
  const [one, other] = [a, b].map((file) =>
    statSync(file, { bigint: true, throwIfNoEntry: false }),
  );
  return one !== undefined && one.ino === other?.ino && one.dev === other.dev;
}

/** Changes within this time count as one, in milliseconds: editors write in several steps. */
const DEBOUNCE = 50;

async function watchSchema(
  output: Output,
  options: TypesOptions,
  schema: string | undefined,
): Promise<number> {
  if (schema === undefined || schema === "-" || /^https?:/.test(schema)) {
    throw new UsageError("--watch needs a workspace folder or a schema file", "name it");
  }
  const make = async () => {
    try {
      await makeTypes(output, options, schema);
    } catch (error) {
      if (!(error instanceof SvcError) && !("code" in Object(error))) throw error;
      reportError(error, { json: output.json, debug: false });
    }
  };
  if (isFolder(schema)) return await watchFolder(output, schema, options, make);
  await make();
  let timer: NodeJS.Timeout | undefined;
  // Watch the folder: a watcher on the file misses a file that replaces it.
  const watcher = watch(dirname(schema), (_event, name) => {
    if (name !== null && name !== basename(schema)) return;
    clearTimeout(timer);
    timer = setTimeout(() => void make(), DEBOUNCE);
  });
  output.note(`watching ${schema} (press Ctrl-C to stop)`);
  await stopSignal();
  clearTimeout(timer);
  watcher.close();
  return 0;
}

async function watchFolder(
  output: Output,
  folder: string,
  { output: file = "", store }: TypesOptions,
  make: () => Promise<void>,
): Promise<number> {
  const watched = new WatchedFolder(folder, [file, store]);
  const stop = stopSignal().then(() => "stop");
  output.note(`watching ${folder} (press Ctrl-C to stop)`);
  do {
    watched.renew();
    await make();
  } while ((await Promise.race([stop, watched.changed()])) !== "stop");
  watched.close();
  return 0;
}
