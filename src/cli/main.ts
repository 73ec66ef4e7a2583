import { Argument, Command, CommanderError, Option } from "commander";
import { ERROR_STATUS } from "../workspace/error-codes.ts";
import { UsageError } from "../workspace/errors.ts";
import { withCompleteHint } from "./output/complete-hints.ts";
import { createOutput, type Output } from "./output/output.ts";
import { printLines } from "./output/print.ts";
import { reportError } from "./output/report-error.ts";
import { configured, withFolderHere } from "./program/config-file.ts";
import { packageRoot, packageVersion } from "./program/package-root.ts";
import type { Results } from "./results.ts";
import {
  type CommandRow,
  JOBS,
  notEmpty,
  plain,
  type Row,
  SHARED,
  VARIABLES,
} from "./table/options.ts";
import {
  type CommandName,
  commandsBelow,
  type Options,
  type Run,
  type RunName,
  TABLE,
  takenBy,
} from "./table/table.ts";

/** Import each command and its dependencies only if it is the one that runs. */
const RUNS: { readonly [N in RunName]: () => Promise<Run<N>> } = {
  init: async () => (await import("./commands/init.ts")).init,
  dev: async () => (await import("./commands/preview.ts")).dev,
  import: async () => (await import("./commands/import.ts")).importCommand,
  export: async () => (await import("./commands/export.ts")).exportCommand,
  migrate: async () => (await import("./commands/migrate.ts")).migrate,
  check: async () => (await import("./commands/check.ts")).check,
  stats: async () => (await import("./commands/stats.ts")).stats,
  publish: async () => (await import("./commands/publish.ts")).publishCommand,
  write: async () => (await import("./commands/versions.ts")).writeCommand,
  versions: async () => (await import("./commands/versions.ts")).versionsCommand,
  diff: async () => (await import("./commands/diff.ts")).diffCommand,
  rollback: async () => (await import("./commands/versions.ts")).rollbackCommand,
  resume: async () => (await import("./commands/versions.ts")).resumeCommand,
  types: async () => (await import("./commands/types.ts")).types,
  verify: async () => (await import("./commands/verify.ts")).verifyCommand,
  serve: async () => (await import("./commands/serve.ts")).serve,
  preview: async () => (await import("./commands/preview.ts")).preview,
  deploy: async () => (await import("./commands/deploy.ts")).deploy,
  "deploy list": async () => (await import("./commands/releases.ts")).deployList,
  "deploy rollback": async () => (await import("./commands/releases.ts")).deployRollback,
  "deploy resume": async () => (await import("./commands/releases.ts")).deployResume,
  "deploy pin": async () => (await import("./commands/releases.ts")).deployPin,
  "deploy unpin": async () => (await import("./commands/releases.ts")).deployUnpin,
  "deploy prune": async () => (await import("./commands/releases.ts")).deployPrune,
  "cdn worker": async () => (await import("./commands/cdn.ts")).cdnWorker,
  "cdn function": async () => (await import("./commands/cdn.ts")).cdnFunction,
  "cdn template": async () => (await import("./commands/cdn.ts")).cdnTemplate,
  "cdn tokens": async () => (await import("./commands/cdn.ts")).cdnTokens,
  "cdn doctor": async () => (await import("./commands/cdn.ts")).cdnDoctor,
  "cdn nginx": async () => (await import("./commands/cdn.ts")).cdnNginx,
  "schema folder": async () => (await import("./commands/schema-folder.ts")).schemaFolder,
  "merge-driver install": async () => (await import("./commands/merge-driver.ts")).installDriver,
  "merge-driver run": async () => (await import("./commands/merge-driver.ts")).runDriver,
  completion: async () => (await import("./commands/completion.ts")).completion,
  "token create": async () => (await import("./commands/token.ts")).createToken,
  "token list": async () => (await import("./commands/token.ts")).listTokens,
  "token revoke": async () => (await import("./commands/token.ts")).revokeToken,
};

/**
 * Runs the command line. Errors of all commands are caught here and become an error message and
 * an exit status.
 */
export async function main(args: readonly string[]): Promise<void> {
  process.stdout.on("error", exitOnClosedPipe);
  dropEmptyVariables();
  try {
    await createProgram(args).parseAsync(args, { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return;
    const options = { json: args.includes("--json"), debug: args.includes("--debug") };
    process.exitCode = reportError(error, options);
  }
}

function createProgram(args: readonly string[]): Command {
  const program = new Command("svc")
    .description(
      "Publishes a content workspace as a read-only JSON API of static files, and previews its drafts.",
    )
    .version(packageVersion())
    // Options after a subcommand are the subcommand's.
    .enablePositionalOptions()
    .commandsGroup(JOBS.help)
    .helpCommand("help [command]")
    .addHelpText(
      "after",
      `\nExample:\n  $ svc init shop && svc dev shop\n  $ svc publish shop\n\nRun svc <command> --help for its options.\nDocs: ${packageRoot()}/README.md`,
    );
  const [first, second] = args.filter((arg) => !arg.startsWith("-"));
  const named = first === "help" ? second : first;
  for (const words of Object.keys(TABLE)) {
    const [name = "", inner] = words.split(" ");
    if (inner === undefined) program.addCommand(commandOf(words, name === named));
    else if (name === named) program.commands.at(-1)?.addCommand(commandOf(words, true));
  }
  throwErrors(program);
  return program;
}

function commandOf(words: string, isNamed: boolean): Command {
  const { job, summary, fails, examples, isGroup, refusesExcess }: CommandRow =
    TABLE[words as CommandName];
  const exits = fails === undefined ? "" : ` Exit status 1 ${fails}.`;
  const made = new Command(words.split(" ").at(-1)).description(`${summary}${exits}`);
  if (job !== undefined) made.helpGroup(JOBS[job]);
  if (!isNamed) return made;
  made.addHelpText("after", `\nExample:\n${examples.map((line) => `  $ ${line}`).join("\n")}`);
  if (isGroup) return made;
  for (const [flags, row] of [...Object.entries(SHARED), ...takenBy(words)]) {
    addTo(made, flags, row);
  }
  made.allowExcessArguments(refusesExcess === true);
  if (commandsBelow(words).length > 0) {
    made.enablePositionalOptions().hook("preSubcommand", assertNoOptions);
  }
  return made.action((...given) => run(words as RunName, given));
}

function addTo(command: Command, flags: string, row: Row): void {
  const [words, given, defaultText] = typeof row === "string" ? [row] : row;
  const variable = VARIABLES[flags];
  const parse = given ?? (/[<[]/.test(flags) ? notEmpty : undefined);
  const value = defaultText && parse?.(defaultText);
  if (!flags.includes("--")) {
    const argument = new Argument(flags, plain(words) + (variable ? ` (or ${variable})` : ""));
    if (parse !== undefined) argument.argParser(parse);
    command.addArgument(defaultText ? argument.default(value, defaultText) : argument);
    return;
  }
  const option = new Option(flags, plain(words)).hideHelp(flags === "--debug");
  if (parse !== undefined) option.argParser(parse);
  if (defaultText) option.default(value, defaultText);
  if (variable !== undefined) option.env(variable);
  // P13: findings in another format are no JSON. (The formats of a template are none of findings.)
  if (option.long === "--format" && defaultText === "text") option.conflicts("json");
  command.addOption(option);
}

/** @param given the positional arguments, the options, and the command, from commander. */
async function run<N extends RunName>(name: N, given: readonly unknown[]): Promise<void> {
  const command = given.at(-1) as Command;
  const names = command.registeredArguments.map((one) => one.name());
  const values = {
    ...command.opts(),
    ...Object.fromEntries(
      names.flatMap((one, at) => (given[at] === undefined ? [] : [[one, given[at]]])),
    ),
    storeFrom: command.getOptionValueSource("store"),
    excess: command.args[names.length],
  };
  const isGiven = (one: string) =>
    command.args[names.indexOf(one)] !== undefined ||
    (names.includes(one) && process.env[VARIABLES[`[${one}]`] ?? ""] !== undefined) ||
    !["default", undefined].includes(command.getOptionValueSource(one));
  const options = withFolderHere(name, configured(name, values, isGiven)) as Options<N>;
  const work: Run<N> = await RUNS[name]();
  // By now it has grown once; with all that may be it takes a quarter more memory, in the same time.
  process.getBuiltinModule("node:v8").setFlagsFromString("--semi-space-growth-factor=1");
  try {
    const status = await work(createOutput(options) as Output<Results[N]>, options);
    process.exitCode = typeof status === "number" ? status : 0;
  } catch (error) {
    throw withCompleteHint(error, options);
  }
}

/** Options before the name of a subcommand would be ignored silently. */
function assertNoOptions(parent: Command, subcommand: Command): void {
  const given = parent.options.find(
    (option) => parent.getOptionValueSource(option.attributeName()) === "cli",
  );
  if (given === undefined) return;
  throw new UsageError(
    `${given.long} is before "${subcommand.name()}"`,
    `put options after it: svc ${parent.name()} ${subcommand.name()} … ${given.long}`,
  );
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

/** N2a: an empty variable is as one that is not set, to commander too. */
function dropEmptyVariables(): void {
  for (const [name, value] of Object.entries(process.env)) {
    if (name.startsWith("SVC_") && value === "") delete process.env[name];
  }
}

/** Readers may close the pipe early: `svc check | head`. */
function exitOnClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code === "EPIPE") process.exit(process.exitCode ?? 0);
  printLines(process.stderr, [`error: cannot write the output: ${error.message}`]);
  process.exit(ERROR_STATUS.system);
}
