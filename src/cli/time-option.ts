import { type Command, InvalidArgumentError } from "commander";
import { isOfFormat } from "../fields/formatted.ts";

export interface TimeOptions {
  /** A4: the reading of the clock, in milliseconds since 1970. */
  readonly at?: number;
}

export function withTime(to: Command): Command {
  return to.option("--at <time>", "which entries are due at this time (default: now)", toTime);
}

function toTime(text: string): number {
  const time = isOfFormat("date-time", text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  throw new InvalidArgumentError("must be a time with zone by RFC 3339: 2026-11-21T09:30:00Z");
}
