import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Measured {
  readonly seconds: number;
  /** Peak resident memory of the process, in bytes. */
  readonly peak: number;
  readonly stdout: string;
}

/** The working directory of a program, and additions to its environment. */
export interface Place {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a Node program to its end and measures the whole process. */
export function measure(args: readonly string[], { cwd, env }: Place = {}): Measured {
  const folder = mkdtempSync(join(tmpdir(), "svc-measure-"));
  const report = join(folder, "peak");
  const preload = `data:text/javascript,${encodeURIComponent(peakTo(report))}`;
  const start = process.hrtime.bigint();
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--import", preload, ...args], {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
    ...(cwd !== undefined && { cwd }),
    env: { ...process.env, ...env },
  });
  const seconds = Number(process.hrtime.bigint() - start) / 1e9;
  if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}: ${stderr}`);
  const peak = Number(readFileSync(report, "utf8")) * 1024;
  rmSync(folder, { recursive: true });
  return { seconds, peak, stdout };
}

/**
 * Code that writes the peak in kB to a file. `maxRSS` may include the parent's memory, so it is
 * used only where /proc is missing.
 */
function peakTo(report: string): string {
  return `import { readFileSync, writeFileSync } from "node:fs";
    const peak = () => {
      try {
        return /VmHWM:\\s*(\\d+)/.exec(readFileSync("/proc/self/status", "utf8"))[1];
      } catch {
        return process.resourceUsage().maxRSS;
      }
    };
    process.on("exit", () => writeFileSync(${JSON.stringify(report)}, String(peak())));`;
}
