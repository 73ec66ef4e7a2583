import { Command, InvalidArgumentError, Option } from "commander";
import type { Severities } from "../workspace/severity.ts";
import { createOutput, type Output } from "./output/output.ts";

/** The options of every command. */
export interface SharedOptions {
  readonly store: string;
  /** Whether --store, SVC_STORE or the config file names the store. */
  readonly namesStore?: boolean;
  /** Of the config file (N3). */
  readonly severity?: Severities;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly debug?: boolean;
}

export interface WorkspaceOptions extends SharedOptions {
  readonly workspace?: string;
}

/**
 * A command with the shared options and, below its help, the examples. Its summary is in `main.ts`.
 */
export function command(name: string, examples: readonly string[]): Command {
  return new Command(name)
    .addOption(
      new Option("--store <file>", "the store's SQLite file")
        .default("workspace.db")
        .env("SVC_STORE"),
    )
    .option("--config <file>", "the config file (default: svc.config.json)", notEmpty)
    .option("--json", "print JSON on stdout: one object, or one per line")
    .option("--quiet", "print only results and errors")
    .addOption(new Option("--debug", "print stack traces with errors").hideHelp())
    .addHelpText("after", `\nExample:\n${examples.map((line) => `  $ ${line}`).join("\n")}`);
}

export function withWorkspace(to: Command): Command {
  return to.option("--workspace <id>", "the workspace to use; required if the store has several");
}

/** @throws InvalidArgumentError for an empty or blank text. */
export function notEmpty(text: string): string {
  if (text.trim() !== "") return text;
  throw new InvalidArgumentError("must not be empty");
}

export function withOut(to: Command): Command {
  return to.option("--out <folder>", "the folder of the published files", notEmpty, "out");
}

type Run<O> = (output: Output, options: O, ...args: string[]) => Promise<number | undefined>;

/** An action for commander from a function that returns its exit status (undefined means 0). */
export function action<O extends SharedOptions>(run: Run<O>) {
  // commander passes the positional arguments, then the options, then the command.
  return async (...given: unknown[]): Promise<void> => {
    const source = (given.at(-1) as Command).getOptionValueSource("store");
    const options = { ...(given.at(-2) as O), namesStore: source !== "default" };
    const args = given.slice(0, -2) as string[];
    process.exitCode = (await run(createOutput(options), options, ...args)) ?? 0;
  };
}
