import { writeSync } from "node:fs";
import { Socket } from "node:net";
import { createInterface } from "node:readline";
import { main } from "../../src/cli/main.ts";
import "./deploy/localhost-names.ts";
import { ANSWERS, COMMANDS, type HostedCommand } from "./hosted-command.ts";

/** In milliseconds. */
const LONGEST = 60_000;

// The program in one process for many commands, as `HostedProgram` runs it. It resolves the names of
// the stand-ins, since NODE_OPTIONS in the environment of a command has no effect here.
for await (const line of createInterface({ input: new Socket({ fd: COMMANDS }) })) {
  const { args, folder, env }: HostedCommand = JSON.parse(line);
  process.chdir(folder);
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.exitCode = 0;
  const before = process.cpuUsage();
  // Who waits for a command that does not end, as of a server, would wait forever.
  const limit = setTimeout(() => process.exit(1), LONGEST);
  await main(args);
  clearTimeout(limit);
  // As the end of a process does.
  process.stdout.removeAllListeners("error");
  for (const signal of ["SIGINT", "SIGTERM"]) process.removeAllListeners(signal);
  const { user, system } = process.cpuUsage(before);
  writeSync(ANSWERS, `${process.exitCode} ${(user + system) / 1000}\n`);
}
