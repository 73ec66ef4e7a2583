// What `npm run bench` prints for each size: rows of times and other figures, with their goals.
import type { Measured } from "./measure.ts";
import type { Round, Step } from "./round.ts";

/** A time, what it is compared with, and the goal for the ratio. */
export interface Row {
  readonly name: string;
  readonly of: (round: Round) => Measured | undefined;
  /** Whether it is a peer that svc is compared with, which has no goals. */
  readonly isPeer?: boolean;
  readonly to?: { readonly name: string; readonly seconds: (round: Round) => number | undefined };
  readonly goal?: number;
}

export interface Figure {
  readonly name: string;
  readonly of: (round: Round) => number | undefined;
  readonly unit: string;
  readonly goal?: number;
}

const secondsOf = (step: Step) => (round: Round) => round.steps[step]?.seconds;

const ELEVENTY = { name: "Eleventy", seconds: secondsOf("eleventy") };
const FIRST = { name: "the first publish", seconds: secondsOf("publish") };
const OF_FOLDER = { name: "publish of the folder", seconds: secondsOf("publishFolder") };

/** The rows for this number of experiences. The goals apply from 1,000. */
export function rowsFor(experiences: number): readonly Row[] {
  const row = (name: string, step: Step, to?: Row["to"], goal?: number): Row => ({
    name,
    of: ({ steps }) => steps[step],
    ...(to !== undefined && { to }),
    ...(goal !== undefined && experiences >= 1000 && { goal }),
  });
  const peer = (name: string, step: Step): Row => ({ ...row(name, step), isPeer: true });
  return [
    peer("bare loop of publish, from SQLite", "barePublish"),
    peer("Eleventy from SQLite", "eleventy"),
    row("svc publish <folder>", "publishFolder", ELEVENTY, 1),
    row("svc check <folder>", "checkFolder", OF_FOLDER, 0.8),
    row("svc import, new store", "import"),
    row("svc import, nothing changed", "importAgain"),
    row("svc publish of a store, first", "publish", ELEVENTY, 1),
    row("publish, one title changed", "title", ELEVENTY, 1),
    row("publish, a hub's title changed", "hub", ELEVENTY, 1),
    row("publish, an entry added", "add", ELEVENTY, 1),
    row("publish, a model's field added", "field", ELEVENTY),
    row("publish, a block deleted", "block", ELEVENTY),
    row("publish, nothing changed", "publishAgain", FIRST, 0.1),
    row("svc check of a store, first", "check", FIRST),
    row("svc check, again", "checkAgain", FIRST, 0.1),
    row("svc diff, one title changed", "diff", FIRST),
  ];
}

export function figuresFor(experiences: number): readonly Figure[] {
  return [
    {
      name: "peak memory of publish <folder>",
      of: ({ steps }) => steps.publishFolder && steps.publishFolder.peak / 1e6,
      unit: "MB",
      ...(experiences >= 10_000 && { goal: experiences >= 100_000 ? 1500 : 350 }),
    },
    { name: "store after import", of: ({ imported }) => imported / 1e6, unit: "MB" },
    {
      name: "store after the first publish",
      of: ({ imported, published }) => published / imported,
      unit: "× after import",
    },
  ];
}
