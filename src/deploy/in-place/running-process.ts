import { createHash } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { isRunning } from "../../workspace/is-running.ts";

/** A process, identified across machines. */
export interface RunningProcess {
  /** For messages. */
  readonly host: string;
  readonly pid: number;
  /** The boot and the namespace in which the pid is unique; absent where the system has neither. */
  readonly place?: string;
}

export function thisProcess(): RunningProcess {
  const known = { host: hostname(), pid: process.pid };
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    const place = `${boot} ${readlinkSync("/proc/self/ns/pid")}`;
    // Hashed, since a bucket may be public.
    return { ...known, place: createHash("sha256").update(place).digest("hex").slice(0, 32) };
  } catch {
    return known;
  }
}

/** Whether a process is known to have ended: false for one of another machine. */
export function hasEnded({ place, pid }: RunningProcess): boolean {
  return place !== undefined && place === thisProcess().place && !isRunning(pid);
}
