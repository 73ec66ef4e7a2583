import { spawn } from "node:child_process";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { CliBed, Ran } from "../cli.ts";

const ROOT = join(import.meta.dirname, "../../..");
const PROGRAM = join(ROOT, "bin", "svc.ts");
const CACHE = join(ROOT, "node_modules", ".cache", "svc-test");

/** Runs a command beside this process, which may serve it meanwhile. */
export function started(bed: CliBed, ...args: readonly string[]): Promise<Ran> {
  return start(bed, ...args).ended;
}

/** Starts a command and gives back its process, to be killed or waited for. */
export function start({ folder, env }: CliBed, ...args: readonly string[]) {
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd: folder,
    env: { PATH, HOME, NODE_COMPILE_CACHE: CACHE, ...env },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
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
