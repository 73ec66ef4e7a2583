import type { CommandRow } from "../../src/cli/table/options.ts";
import { TABLE } from "../../src/cli/table/table.ts";

/** The words of every command that does something. */
export const COMMANDS: readonly string[] = Object.entries<CommandRow>(TABLE).flatMap(
  ([words, { isGroup }]) => (isGroup ? [] : [words]),
);
