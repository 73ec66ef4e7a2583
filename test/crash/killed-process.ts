import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, type FSWatcher, watch } from "node:fs";
import { basename, dirname } from "node:path";
import { PROGRAM } from "../support/program.ts";

/** Events of a command that are visible from outside, in this order. */
export const SIGNS = ["started", "opened", "journalled", "written"] as const;
export type Sign = (typeof SIGNS)[number];

/** `delay` milliseconds after a sign. */
export interface Moment {
  readonly sign: Sign;
  readonly delay: number;
}

export interface Ended {
  /** Null: it was killed. */
  readonly status: number | null;
  readonly stderr: string;
  /** When each sign was seen, and the end, in milliseconds from the start. */
  readonly seen: Readonly<Partial<Record<Sign | "ended", number>>>;
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
): Promise<Ended> {
  const { PATH = "" } = process.env;
  const env = { PATH };
  const seen: Partial<Record<Sign | "ended", number>> = {};
  let timer: NodeJS.Timeout | undefined;
  const see = (sign: Sign) => {
    if (seen[sign] !== undefined) return;
    seen[sign] = performance.now() - startedAt;
    if (moment?.sign !== sign) return;
    if (moment.delay < 1) child.kill("SIGKILL");
    else timer = setTimeout(() => child.kill("SIGKILL"), moment.delay);
  };
  const watchers: FSWatcher[] = [
    watch(dirname(store), (_event, name) => {
      if (name?.startsWith(basename(store)) && name.endsWith("-wal")) see("opened");
    }),
  ];
  if (out !== undefined && existsSync(out)) {
    watchers.push(
      watch(out, (_event, name) => {
        if (name === ".svc-writing.json") see("journalled");
        if (name === "manifest.json") see("written");
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
  see("started");
  await once(child, "close");
  seen.ended = performance.now() - startedAt;
  clearTimeout(timer);
  for (const watcher of watchers) watcher.close();
  return { status: child.exitCode, stderr, seen };
}
