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

/** Runs a Node program to its end and measures it as a whole process. */
export function measure(args: readonly string[]): Measured {
  const folder = mkdtempSync(join(tmpdir(), "svc-measure-"));
  const report = join(folder, "peak");
  const preload = `data:text/javascript,${encodeURIComponent(
    `import { writeFileSync } from "node:fs";
     process.on("exit", () => writeFileSync(${JSON.stringify(report)}, String(process.resourceUsage().maxRSS)));`,
  )}`;
  const start = process.hrtime.bigint();
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--import", preload, ...args], {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  const seconds = Number(process.hrtime.bigint() - start) / 1e9;
  if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}: ${stderr}`);
  const peak = Number(readFileSync(report, "utf8")) * 1024;
  rmSync(folder, { recursive: true });
  return { seconds, peak, stdout };
}
