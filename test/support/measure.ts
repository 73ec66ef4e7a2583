import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Measured {
  /** On the clock. */
  readonly seconds: number;
  /** Of the processor, in all threads, user and system. */
  readonly cpu: number;
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
  const preload = `data:text/javascript,${encodeURIComponent(usageTo(report))}`;
  const start = process.hrtime.bigint();
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--import", preload, ...args], {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
    ...(cwd !== undefined && { cwd }),
    env: { ...process.env, ...env },
  });
  const seconds = Number(process.hrtime.bigint() - start) / 1e9;
  if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}: ${stderr}`);
  const { peak, cpu } = JSON.parse(readFileSync(report, "utf8"));
  rmSync(folder, { recursive: true });
  return { seconds, cpu: cpu / 1e6, peak: peak * 1024, stdout };
}

/**
 * Code that writes the peak in kB and the microseconds of the processor to a file. `maxRSS` may include the parent's memory, so it is
 * used only where /proc is missing.
 */
function usageTo(report: string): string {
  return `import { readFileSync, writeFileSync } from "node:fs";
    const peak = () => {
      try {
        return Number(/VmHWM:\\s*(\\d+)/.exec(readFileSync("/proc/self/status", "utf8"))[1]);
      } catch {
        return process.resourceUsage().maxRSS;
      }
    };
    process.on("exit", () => {
      const { userCPUTime, systemCPUTime } = process.resourceUsage();
      const used = { peak: peak(), cpu: userCPUTime + systemCPUTime };
      writeFileSync(${JSON.stringify(report)}, JSON.stringify(used));
    });`;
}
