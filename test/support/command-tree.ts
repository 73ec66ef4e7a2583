import type { Command } from "commander";
import { createProgram } from "../../src/cli/main.ts";

/** Every command with all of its options, by its words: "svc deploy list". */
export async function commandTree(): Promise<Map<string, Command>> {
  const program = await createProgram([]);
  const tree = new Map([["svc", program]]);
  const add = (words: string, command: Command) => {
    tree.set(words, command);
    for (const inner of command.commands) add(`${words} ${inner.name()}`, inner);
  };
  for (const name of program.commands.map((command) => command.name())) {
    const whole = (await createProgram([name])).commands.find((one) => one.name() === name);
    if (whole !== undefined) add(`svc ${name}`, whole);
  }
  return tree;
}
