import type { Severities } from "../../workspace/severity.ts";
import type { Output } from "../output/output.ts";
import type { Results } from "../results.ts";
import type { CommandRow, Given, Row, SHARED } from "./options.ts";
import { PUBLISH_COMMANDS } from "./publish-commands.ts";
import { WRITE_COMMANDS } from "./write-commands.ts";

/**
 * Every command by its words, those below another one behind it. `--help`, completion, the config file
 * and its schema, and the tables of docs/cli.md are made of it.
 */
export const TABLE = { ...WRITE_COMMANDS, ...PUBLISH_COMMANDS };

export type CommandName = keyof typeof TABLE;

export type RunName = {
  [N in CommandName]: (typeof TABLE)[N] extends { readonly isGroup: true } ? never : N;
}[CommandName];

export type SharedOptions = Given<typeof SHARED> & {
  /** What names the store: commander's word for --store, SVC_STORE, the config file, or nothing. */
  readonly storeFrom: "cli" | "env" | "config" | "default";
  /** Of the config file (N3). */
  readonly severity?: Severities;
  /** Of the config file (N8), for commands that publish or check a draft. */
  readonly strict?: boolean;
  /** An argument too many, of a command that refuses it itself. */
  readonly excess?: string;
};

/** The arguments and options that a command gets, by their names in TypeScript. */
export type Options<N extends CommandName> = SharedOptions & Given<(typeof TABLE)[N]>;

/** A command: it prints its results, and may resolve to an exit status. */
export type Run<N extends RunName> = (
  output: Output<Results[N]>,
  options: Options<N>,
) => Promise<number> | Promise<void>;

export function commandsBelow(words: string): string[] {
  return Object.keys(TABLE).filter((one) => one.startsWith(`${words} `));
}

/** What a command takes beside what every one does. */
export function takenBy(words: string): [flags: string, row: Row][] {
  const row: CommandRow = TABLE[words as CommandName];
  return Object.entries(row).filter((entry): entry is [string, Row] => /^[<[-]/.test(entry[0]));
}
