import { Command, CommanderError } from "commander";
import { UsageError } from "../workspace/errors.ts";
import { tellFailure } from "./output/report-error.ts";
import { packageVersion } from "./package-root.ts";

interface Listed {
  readonly summary: string;
  /** Loads the command with all that it needs: only when it is the one that runs. */
  readonly load: () => Promise<Command>;
}

const COMMANDS: Readonly<Record<string, Listed>> = {
  init: {
    summary: "Make a small example workspace folder to start from.",
    load: async () => (await import("./commands/init.ts")).initCommand,
  },
  import: {
    summary: "Load a workspace folder into the store, as the workspace's whole draft.",
    load: async () => (await import("./commands/import.ts")).importCommand,
  },
  export: {
    summary: "Write the draft back as a workspace folder.",
    load: async () => (await import("./commands/export.ts")).exportCommand,
  },
  check: {
    summary: "List the draft's problems. Exit status 1 if there is an error.",
    load: async () => (await import("./commands/check.ts")).checkCommand,
  },
  publish: {
    summary: "Freeze the draft as a version and write it to the published files.",
    load: async () => (await import("./commands/publish.ts")).publishCommand,
  },
  write: {
    summary: "Write the current version's files again, without publishing.",
    load: async () => (await import("./commands/write.ts")).writeCommand,
  },
  versions: {
    summary: "List the published versions, newest first, the current one marked.",
    load: async () => (await import("./commands/versions.ts")).versionsCommand,
  },
  diff: {
    summary: "Tell what changed between two versions, or from the published one to the draft.",
    load: async () => (await import("./commands/diff.ts")).diffCommand,
  },
  rollback: {
    summary: "Make an earlier version current again and write it.",
    load: async () => (await import("./commands/rollback.ts")).rollbackCommand,
  },
  types: {
    summary: "Generate TypeScript types from a schema document.",
    load: async () => (await import("./commands/types.ts")).typesCommand,
  },
  verify: {
    summary: "Check every published file, or what a host serves. Exit status 1 if one differs.",
    load: async () => (await import("./commands/verify.ts")).verifyCommand,
  },
  serve: {
    summary: "Serve the published files.",
    load: async () => (await import("./commands/serve.ts")).serveCommand,
  },
  preview: {
    summary:
      "Show drafts on a page in the browser, by the link that it prints; serve the published files too, and drafts to whoever holds a preview token.",
    load: async () => (await import("./commands/preview.ts")).previewCommand,
  },
  deploy: {
    summary: "Put the published files on an object store, and make them live.",
    load: async () => (await import("./commands/deploy/deploy.ts")).deployCommand,
  },
  cdn: {
    summary:
      "Print and check what stands in front of the files: edge function, CloudFormation template, nginx.",
    load: async () => (await import("./commands/cdn/cdn.ts")).cdnCommand,
  },
  token: {
    summary: "Make, list and revoke preview tokens.",
    load: async () => (await import("./commands/token.ts")).tokenCommand,
  },
};

/**
 * Runs the command line. This is the one place that catches: whatever a command throws becomes an
 * error message and an exit status here.
 */
export async function main(args: readonly string[]): Promise<void> {
  process.stdout.on("error", endQuietly);
  try {
    const program = await createProgram(args);
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return;
    const options = { json: args.includes("--json"), debug: args.includes("--debug") };
    process.exitCode = tellFailure(asUsage(error), options);
  }
}

/** The program, with all of the command that the arguments name, and the names of the others. */
export async function createProgram(args: readonly string[]): Promise<Command> {
  const program = new Command("svc")
    .description(
      "Publishes a content workspace as a read-only JSON API of static files, and previews drafts.",
    )
    .version(packageVersion())
    .exitOverride()
    // So that a command with subcommands leaves them the options that stand behind.
    .enablePositionalOptions()
    .addHelpText(
      "after",
      "\nExample:\n  $ svc init shop && svc import shop && svc publish\n\nsvc <command> --help tells more.",
    );
  const [first, second] = args.filter((arg) => !arg.startsWith("-"));
  const named = first === "help" ? second : first;
  for (const [name, { summary, load }] of Object.entries(COMMANDS)) {
    const command = name === named ? await load() : new Command(name);
    program.addCommand(command.description(summary));
  }
  silence(program);
  return program;
}

/** commander tells errors by itself, in other words than ours. */
function silence(command: Command): void {
  command.configureOutput({ outputError: () => {} });
  for (const inner of command.commands) silence(inner);
}

function asUsage(error: unknown): unknown {
  if (!(error instanceof CommanderError)) return error;
  const message = error.message.replace(/^error: /, "");
  const [first = "", ...suggestion] = message.split("\n");
  const help = "svc --help lists the commands, svc <command> --help the options";
  if (error.code === "commander.help") return new UsageError("a command is missing", help);
  return new UsageError(first, suggestion.join(" ").replace(/^\(|\)$/g, "") || help);
}

/** Whoever reads our output may stop before its end: `svc check | head`. */
function endQuietly(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE") process.exit(process.exitCode ?? 0);
  process.stderr.write(`error: cannot write the output: ${error.message}\n`);
  process.exit(1);
}
