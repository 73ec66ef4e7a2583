import { Command, CommanderError } from "commander";
import { UsageError } from "../workspace/errors.ts";
import { FAILED, reportError } from "./output/report-error.ts";
import { applyConfig } from "./program/config-file.ts";
import { packageVersion } from "./program/package-root.ts";

/** The headings of `svc --help`. */
const JOBS = {
  write: "Write content:",
  publish: "Publish versions:",
  use: "Use the API:",
  host: "Host it:",
  help: "Help:",
} as const;

interface ListedCommand {
  readonly group: string;
  readonly summary: string;
  /** Imports the command and its dependencies, only if it is the one that runs. */
  readonly load: () => Promise<Command>;
}

const COMMANDS: Readonly<Record<string, ListedCommand>> = {
  init: {
    group: JOBS.write,
    summary: "Create a small example workspace folder.",
    load: async () => (await import("./commands/init.ts")).initCommand,
  },
  dev: {
    group: JOBS.write,
    summary:
      "Follow a workspace folder: show it on a page in the browser, list its problems, write its types.",
    load: async () => (await import("./commands/dev.ts")).devCommand,
  },
  import: {
    group: JOBS.write,
    summary: "Import a workspace folder into the store, replacing the workspace's draft.",
    load: async () => (await import("./commands/import.ts")).importCommand,
  },
  export: {
    group: JOBS.write,
    summary: "Export the draft as a workspace folder.",
    load: async () => (await import("./commands/export.ts")).exportCommand,
  },
  migrate: {
    group: JOBS.write,
    summary: "Change the models of a workspace folder, and its content with them.",
    load: async () => (await import("./commands/migrate.ts")).migrateCommand,
  },
  check: {
    group: JOBS.write,
    summary: "List the draft's problems. Exit status 1 if there are errors.",
    load: async () => (await import("./commands/check.ts")).checkCommand,
  },
  stats: {
    group: JOBS.write,
    summary: "Show documents and their sizes, the entries most pointed at, and what is unused.",
    load: async () => (await import("./commands/stats.ts")).statsCommand,
  },
  publish: {
    group: JOBS.publish,
    summary: "Freeze the draft as a version and write its published files.",
    load: async () => (await import("./commands/publish.ts")).publishCommand,
  },
  write: {
    group: JOBS.publish,
    summary: "Write the current version's files again.",
    load: async () => (await import("./commands/write.ts")).writeCommand,
  },
  versions: {
    group: JOBS.publish,
    summary: "List the published versions, newest first; the current one is marked.",
    load: async () => (await import("./commands/versions.ts")).versionsCommand,
  },
  diff: {
    group: JOBS.publish,
    summary: "Show what changed between two versions, drafts, or what is live.",
    load: async () => (await import("./commands/diff.ts")).diffCommand,
  },
  rollback: {
    group: JOBS.publish,
    summary: "Make an earlier version current again and write its files.",
    load: async () => (await import("./commands/rollback.ts")).rollbackCommand,
  },
  types: {
    group: JOBS.use,
    summary: "Generate TypeScript types from a schema document.",
    load: async () => (await import("./commands/types.ts")).typesCommand,
  },
  verify: {
    group: JOBS.publish,
    summary: "Verify every published file, or what a host serves. Exit status 1 if any differs.",
    load: async () => (await import("./commands/verify.ts")).verifyCommand,
  },
  serve: {
    group: JOBS.use,
    summary: "Serve the published files.",
    load: async () => (await import("./commands/serve.ts")).serveCommand,
  },
  preview: {
    group: JOBS.write,
    summary:
      "Preview drafts on a page in the browser, at the link that it prints. Also serves the published files, and drafts to requests with a preview token.",
    load: async () => (await import("./commands/preview.ts")).previewCommand,
  },
  deploy: {
    group: JOBS.host,
    summary: "Deploy the published files to an object store and make them live.",
    load: async () => (await import("./commands/deploy/deploy.ts")).deployCommand,
  },
  cdn: {
    group: JOBS.host,
    summary:
      "Print and check the configuration in front of the bucket: edge function, CloudFormation template, nginx.",
    load: async () => (await import("./commands/cdn/cdn.ts")).cdnCommand,
  },
  schema: {
    group: JOBS.write,
    summary: "Write JSON Schemas of a workspace folder's files, for editors.",
    load: async () => (await import("./commands/schema/schema.ts")).schemaCommand,
  },
  "merge-driver": {
    group: JOBS.write,
    summary: "Let Git merge the files of a workspace folder by field.",
    load: async () => (await import("./commands/merge-driver/merge-driver.ts")).mergeDriverCommand,
  },
  completion: {
    group: JOBS.help,
    summary: "Print a script for a shell, which then completes commands and options.",
    load: async () => (await import("./commands/completion.ts")).completionCommand(commandTree),
  },
  store: {
    group: JOBS.publish,
    summary:
      "Keep the store in a bucket, for a team: pull it, and push it unless somebody else has.",
    load: async () => (await import("./commands/store/store.ts")).storeCommand,
  },
  token: {
    group: JOBS.write,
    summary: "Create, list and revoke preview tokens.",
    load: async () => (await import("./commands/token/token.ts")).tokenCommand,
  },
};

/**
 * Runs the command line. Errors of all commands are caught here and become an error message and
 * an exit status.
 */
export async function main(args: readonly string[]): Promise<void> {
  process.stdout.on("error", exitOnClosedPipe);
  dropEmptyVariables();
  try {
    const program = await createProgram(args);
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return;
    const options = { json: args.includes("--json"), debug: args.includes("--debug") };
    process.exitCode = reportError(error, options);
  }
}

/** Builds the program. Only the command that the arguments name is loaded; others have only a summary. */
export async function createProgram(args: readonly string[]): Promise<Command> {
  const program = new Command("svc")
    .description(
      "Publishes a content workspace as a read-only JSON API of static files, and previews its drafts.",
    )
    .version(packageVersion())
    // Options after a subcommand are the subcommand's.
    .enablePositionalOptions()
    .hook("preAction", (_, acting) => applyConfig(acting))
    .commandsGroup(JOBS.help)
    .helpCommand("help [command]")
    .addHelpText(
      "after",
      "\nExample:\n  $ svc init shop && svc dev shop\n  $ svc publish shop\n\nRun svc <command> --help for its options.",
    );
  const [first, second] = args.filter((arg) => !arg.startsWith("-"));
  const named = first === "help" ? second : first;
  for (const [name, { group, summary, load }] of Object.entries(COMMANDS)) {
    const command = name === named ? await load() : new Command(name);
    program.addCommand(command.description(summary).helpGroup(group));
  }
  throwErrors(program);
  return program;
}

/** Every command with its options, by its words: "svc deploy list". */
export async function commandTree(): Promise<Map<string, Command>> {
  const program = await createProgram([]);
  const tree = new Map([["svc", program]]);
  const add = (words: string, command: Command) => {
    tree.set(words, command);
    for (const inner of command.commands) add(`${words} ${inner.name()}`, inner);
  };
  for (const name of Object.keys(COMMANDS)) {
    const { commands } = await createProgram([name]);
    const command = commands.find((one) => one.name() === name);
    if (command !== undefined) add(`svc ${name}`, command);
  }
  return tree;
}

/** `main` reports errors: commander must neither print them nor exit. */
function throwErrors(command: Command): void {
  command.configureOutput({ outputError: () => {} });
  command.exitOverride((error) => {
    throw error.exitCode === 0 ? error : usageError(error, command);
  });
  for (const subcommand of command.commands) throwErrors(subcommand);
}

function usageError(error: CommanderError, command: Command): UsageError {
  const words = [command.name()];
  for (let { parent } = command; parent !== null; { parent } = parent) words.unshift(parent.name());
  const lacksCommand = /^commander\.(help|unknownCommand)$/.test(error.code);
  const lists = lacksCommand ? "commands" : "arguments and options";
  const help = `${words.join(" ")} --help lists its ${lists}`;
  if (error.code === "commander.help") return new UsageError("a command is missing", help);
  const [, text = "", suggestion] =
    /^(?:error: )?(.*?)(?:\n\((Did you mean .*)\))?$/s.exec(error.message) ?? [];
  // "option … argument 'x' is invalid. must be …" is two sentences, the second one without a capital.
  const message = text.replace(/^(.*' is invalid(?: for argument '[^']*')?)\. /s, "$1: ");
  return new UsageError(message, suggestion ?? help);
}

/** N2: an empty variable is as one that is not set, to commander too. */
function dropEmptyVariables(): void {
  for (const [name, value] of Object.entries(process.env)) {
    if (name.startsWith("SVC_") && value === "") delete process.env[name];
  }
}

/** Readers may close the pipe early: `svc check | head`. */
function exitOnClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE") process.exit(process.exitCode ?? 0);
  process.stderr.write(`error: cannot write the output: ${error.message}\n`);
  process.exit(FAILED);
}
