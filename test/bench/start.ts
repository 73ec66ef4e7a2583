// The start time of the built program relative to `node -e 0`. Runs are interleaved, so that other
// load on the machine affects both; figures are medians of the ratios per round.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");
const SVC = join(ROOT, "dist/bin/svc.js");
const STOREFRONT = join(ROOT, "fixtures/storefront");

export interface StartRatios {
  /** `svc --help` relative to `node -e 0`. */
  readonly help: number;
  /** `svc publish` of the storefront, a folder, relative to `node -e 0`. */
  readonly publish: number;
}

/** Measures the start of `dist/bin/svc.js`, after one run to fill the compile cache. */
export function measureStart(rounds = 21): StartRatios {
  const folder = mkdtempSync(join(process.env.SVC_BENCH_FOLDER ?? tmpdir(), "svc-start-"));
  const out = join(folder, "out");
  const publish = () => {
    rmSync(out, { recursive: true, force: true });
    return seconds(SVC, "publish", STOREFRONT, "--out", out, "--quiet");
  };
  try {
    const all = Array.from({ length: rounds + 1 }, () => {
      const bare = seconds("-e", "0");
      return { help: seconds(SVC, "--help") / bare, publish: publish() / bare };
    });
    const [, ...warm] = all;
    return {
      help: median(warm.map(({ help }) => help)),
      publish: median(warm.map((one) => one.publish)),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function seconds(...args: string[]): number {
  const start = process.hrtime.bigint();
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  const end = process.hrtime.bigint();
  if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}: ${stderr}`);
  return Number(end - start) / 1e9;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] as number;
}

if (import.meta.main) {
  const { help, publish } = measureStart();
  process.stdout.write(
    `svc --help: ${help.toFixed(2)} × node -e 0; svc publish of the storefront: ${publish.toFixed(2)} ×\n`,
  );
}
