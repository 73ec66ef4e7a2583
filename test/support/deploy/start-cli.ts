import { spawn } from "node:child_process";
import { onTestFinished } from "vitest";
import type { CliBed, Ran } from "../cli-bed.ts";
import { checkJsonOutput } from "../json-output.ts";
import { PROGRAM } from "../program.ts";

/** Starts a command and returns its process, with a promise of its exit. */
export function startCli({ folder, env }: CliBed, ...args: readonly string[]) {
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd: folder,
    env: { PATH, HOME, ...env },
  });
  onTestFinished(() => {
    child.kill("SIGKILL");
    checkJsonOutput(args, said.stdout);
  });
  const said = { stdout: "", stderr: "" };
  child.stdout.on("data", (text) => {
    said.stdout += text;
  });
  child.stderr.on("data", (text) => {
    said.stderr += text;
  });
  const ended = new Promise<Ran>((resolve) => {
    child.on("close", (status) => resolve({ status, ...said }));
  });
  return { process: child, ended };
}
