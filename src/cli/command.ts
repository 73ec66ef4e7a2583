import { Command, InvalidArgumentError, Option } from "commander";
import { createOutput, type Output } from "./output/output.ts";

/** The options that every command has. */
export interface SharedOptions {
  readonly store: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly debug?: boolean;
}

export interface WorkspaceOptions extends SharedOptions {
  readonly workspace?: string;
}

/**
 * A command with the shared options. What it does in a line stands in the list of `main.ts`.
 */
export function command(name: string, examples: readonly string[]): Command {
  return new Command(name)
    .addOption(
      new Option("--store <file>", "the store's SQLite file")
        .default("workspace.db")
        .env("SVC_STORE"),
    )
    .option("--json", "print one JSON object (or one a line) on stdout, nothing else there")
    .option("--quiet", "print results and errors only")
    .addOption(new Option("--debug", "print stack traces with errors").hideHelp())
    .addHelpText("after", `\nExample:\n${examples.map((line) => `  $ ${line}`).join("\n")}`)
    .exitOverride();
}

/** Adds `--workspace`. */
export function withWorkspace(given: Command): Command {
  return given.option("--workspace <id>", "which workspace; needed when the store has several");
}

/** @throws InvalidArgumentError for a name that is empty. */
export function notEmpty(text: string): string {
  if (text.trim() !== "") return text;
  throw new InvalidArgumentError("a name is expected, not an empty text");
}

/** Adds `--out`. */
export function withOut(given: Command): Command {
  return given.option("--out <folder>", "the folder of published files", notEmpty, "out");
}

type Act<O> = (output: Output, options: O, ...args: string[]) => Promise<number | undefined>;

/** An action that returns its exit status; undefined: 0. */
export function action<O extends SharedOptions>(act: Act<O>) {
  // commander hands over the positional arguments, then the options, then the command.
  return async (...given: unknown[]): Promise<void> => {
    const options = given.at(-2) as O;
    const args = given.slice(0, -2) as string[];
    process.exitCode = (await act(createOutput(options), options, ...args)) ?? 0;
  };
}
