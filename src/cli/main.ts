import { Command, CommanderError } from "commander";
import { UsageError } from "../workspace/errors.ts";
import { reportError } from "./output/report-error.ts";
import { packageVersion } from "./program/package-root.ts";

interface ListedCommand {
  readonly summary: string;
  /** Imports the command and its dependencies, only if it is the one that runs. */
  readonly load: () => Promise<Command>;
}

const COMMANDS: Readonly<Record<string, ListedCommand>> = {
  init: {
    summary: "Create a small example workspace folder.",
    load: async () => (await import("./commands/init.ts")).initCommand,
  },
  import: {
    summary: "Import a workspace folder into the store, replacing the workspace's draft.",
    load: async () => (await import("./commands/import.ts")).importCommand,
  },
  export: {
    summary: "Export the draft as a workspace folder.",
    load: async () => (await import("./commands/export.ts")).exportCommand,
  },
  check: {
    summary: "List the draft's problems. Exit status 1 if there are errors.",
    load: async () => (await import("./commands/check.ts")).checkCommand,
  },
  stats: {
    summary: "Show documents and their sizes, the entries most pointed at, and what is unused.",
    load: async () => (await import("./commands/stats.ts")).statsCommand,
  },
  publish: {
    summary: "Freeze the draft as a version and write its published files.",
    load: async () => (await import("./commands/publish.ts")).publishCommand,
  },
  write: {
    summary: "Write the current version's files again.",
    load: async () => (await import("./commands/write.ts")).writeCommand,
  },
  versions: {
    summary: "List the published versions, newest first; the current one is marked.",
    load: async () => (await import("./commands/versions.ts")).versionsCommand,
  },
  diff: {
    summary:
      "Show what changed between two versions, or between the published version and the draft.",
    load: async () => (await import("./commands/diff.ts")).diffCommand,
  },
  rollback: {
    summary: "Make an earlier version current again and write its files.",
    load: async () => (await import("./commands/rollback.ts")).rollbackCommand,
  },
  types: {
    summary: "Generate TypeScript types from a schema document.",
    load: async () => (await import("./commands/types.ts")).typesCommand,
  },
  verify: {
    summary: "Verify every published file, or what a host serves. Exit status 1 if any differs.",
    load: async () => (await import("./commands/verify.ts")).verifyCommand,
  },
  serve: {
    summary: "Serve the published files.",
    load: async () => (await import("./commands/serve.ts")).serveCommand,
  },
  preview: {
    summary:
      "Preview drafts on a page in the browser, at the link that it prints. Also serves the published files, and drafts to requests with a preview token.",
    load: async () => (await import("./commands/preview.ts")).previewCommand,
  },
  deploy: {
    summary: "Deploy the published files to an object store and make them live.",
    load: async () => (await import("./commands/deploy/deploy.ts")).deployCommand,
  },
  cdn: {
    summary:
      "Print and check the configuration in front of the bucket: edge function, CloudFormation template, nginx.",
    load: async () => (await import("./commands/cdn/cdn.ts")).cdnCommand,
  },
  token: {
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
    .addHelpText(
      "after",
      "\nExample:\n  $ svc init shop && svc import shop && svc publish\n\nRun svc <command> --help for its options.",
    );
  const [first, second] = args.filter((arg) => !arg.startsWith("-"));
  const named = first === "help" ? second : first;
  for (const [name, { summary, load }] of Object.entries(COMMANDS)) {
    const command = name === named ? await load() : new Command(name);
    program.addCommand(command.description(summary));
  }
  throwErrors(program);
  return program;
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

/** Readers may close the pipe early: `svc check | head`. */
function exitOnClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE") process.exit(process.exitCode ?? 0);
  process.stderr.write(`error: cannot write the output: ${error.message}\n`);
  process.exit(1);
}
