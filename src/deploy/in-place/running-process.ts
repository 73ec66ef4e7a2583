import { createHash } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** A process, told apart from all others that run anywhere. */
export interface RunningProcess {
  /** For messages. */
  readonly host: string;
  readonly pid: number;
  /** Within which its number means this process: one start of one system. Absent: cannot be told. */
  readonly place?: string;
}

export function thisProcess(): RunningProcess {
  const known = { host: hostname(), pid: process.pid };
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    const place = `${boot} ${readlinkSync("/proc/self/ns/pid")}`;
    // A bucket may be open to all: it is told apart, not told.
    return { ...known, place: createHash("sha256").update(place).digest("hex").slice(0, 32) };
  } catch {
    return known;
  }
}

/** Whether a process is known to have ended: false if it is not of this system. */
export function hasEnded({ place, pid }: RunningProcess): boolean {
  return place !== undefined && place === thisProcess().place && !isRunning(pid);
}

/** Whether this system has a process with this id, of any user. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
