import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect } from "vitest";
import { checkJsonOutput } from "../support/json-output.ts";
import { PROGRAM } from "../support/program.ts";

/** The exit of a process and the JSON value that it printed. */
export interface Outcome {
  readonly command: string;
  readonly status: number | null;
  readonly stderr: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests access results without types
  readonly value: any;
}

/** Runs the program with `--json` in a folder. */
export async function start(folder: string, ...args: readonly string[]): Promise<Outcome> {
  const { PATH = "" } = process.env;
  const env = { PATH };
  const program = [PROGRAM, ...args, "--json"];
  const child = spawn(process.execPath, program, { cwd: folder, env, stdio: "pipe" });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text) => {
    stderr += text;
  });
  await once(child, "close");
  const command = args.join(" ");
  expect(stdout, `svc ${command}: ${stderr}`).toMatch(/^\{[^\n]*\}\n$/);
  checkJsonOutput([...args, "--json"], stdout);
  return { command, status: child.exitCode, stderr, value: JSON.parse(stdout) };
}

/** Each of several processes succeeds, or fails with one of these codes and a hint. */
export function expectDoneOrRefused(outcomes: readonly Outcome[], ...codes: readonly string[]) {
  for (const { command, status, value, stderr } of outcomes) {
    const what = `svc ${command}: ${JSON.stringify(value)} ${stderr}`;
    if (status === 0) continue;
    expect(status, what).toBe(3);
    expect(codes, what).toContain(value.error.code);
    expect(value.error.hint, what).toEqual(expect.any(String));
  }
  expect(outcomes.map(({ status }) => status)).toContain(0);
}
