import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, type FSWatcher, watch } from "node:fs";
import { basename, dirname } from "node:path";
import { PROGRAM } from "../support/program.ts";

/** Observable stages of a command, in this order. */
export const STAGES = ["started", "opened", "journalled", "written"] as const;
export type Stage = (typeof STAGES)[number];

/** `delay` milliseconds after a stage. */
export interface Moment {
  readonly stage: Stage;
  readonly delay: number;
}

export interface ProcessExit {
  /** Null when it was killed. */
  readonly status: number | null;
  readonly stderr: string;
  /** When each stage was seen, and the end, in milliseconds from the start. */
  readonly seen: Readonly<Partial<Record<Stage | "ended", number>>>;
}

/**
 * Runs the program and kills it at the moment, unless it has ended before. "opened": SQLite has made
 * its WAL file; "journalled": the write journal exists; "written": the manifest is written.
 */
export async function runUntil(
  moment: Moment | undefined,
  store: string,
  out: string | undefined,
  args: readonly string[],
): Promise<ProcessExit> {
  const { PATH = "" } = process.env;
  const env = { PATH };
  const seen: Partial<Record<Stage | "ended", number>> = {};
  let timer: NodeJS.Timeout | undefined;
  const record = (stage: Stage) => {
    if (seen[stage] !== undefined) return;
    seen[stage] = performance.now() - startedAt;
    if (moment?.stage !== stage) return;
    if (moment.delay < 1) child.kill("SIGKILL");
    else timer = setTimeout(() => child.kill("SIGKILL"), moment.delay);
  };
  const watchers: FSWatcher[] = [
    watch(dirname(store), (_event, name) => {
      if (name?.startsWith(basename(store)) && name.endsWith("-wal")) record("opened");
    }),
  ];
  if (out !== undefined && existsSync(out)) {
    watchers.push(
      watch(out, (_event, name) => {
        if (name === ".svc-writing.json") record("journalled");
        if (name === "manifest.json") record("written");
      }),
    );
  }
  const startedAt = performance.now();
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd: dirname(store),
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text) => {
    stderr += text;
  });
  record("started");
  await once(child, "close");
  seen.ended = performance.now() - startedAt;
  clearTimeout(timer);
  for (const watcher of watchers) watcher.close();
  return { status: child.exitCode, stderr, seen };
}
