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

const BARE_LOOP = { name: "the bare loop", seconds: secondsOf("barePublish") };
const BARE_IMPORT = { name: "the bare loop", seconds: secondsOf("bareImport") };
const ELEVENTY = { name: "Eleventy", seconds: secondsOf("eleventy") };
const FIRST = { name: "the first publish", seconds: secondsOf("publish") };
const REWRITING = {
  name: "(1.3 × bare rewriting + 0.2 × the bare loop)",
  seconds: ({ steps: { bareRewrite, barePublish } }: Round) =>
    bareRewrite && barePublish && 1.3 * bareRewrite.seconds + 0.2 * barePublish.seconds,
};

/** The rows for this number of experiences. Most goals apply from 10,000. */
export function rowsFor(experiences: number): readonly Row[] {
  const isLarge = experiences >= 10_000;
  const peer = (name: string, step: Step, to?: Row["to"]): Row => ({
    name,
    of: ({ steps }) => steps[step],
    isPeer: true,
    ...(to !== undefined && { to }),
  });
  const row = (name: string, step: Step | Row["of"], to?: Row["to"], goal?: number): Row => ({
    name,
    of: typeof step === "string" ? ({ steps }) => steps[step] : step,
    ...(to !== undefined && { to }),
    ...(goal !== undefined && isLarge && { goal }),
  });
  return [
    peer("bare loop of import", "bareImport"),
    row("svc import, new store", "import", BARE_IMPORT, 1.5),
    row("svc import, nothing changed", "importAgain", BARE_IMPORT, 1),
    peer("bare loop of publish", "barePublish"),
    peer("Eleventy from SQLite", "eleventy", BARE_LOOP),
    { ...row("svc publish, first", "publish", BARE_LOOP), goal: isLarge ? 1.5 : 2 },
    row("svc publish, first", "publish", ELEVENTY, 1),
    row("svc import and publish, new store", importAndPublish, ELEVENTY, 1.5),
    peer("bare rewriting of out/", "bareRewrite"),
    row("publish, one title changed", "title", REWRITING, 1),
    row("publish, a link changed", "link", REWRITING, 1),
    row("publish, an entry added", "add", REWRITING, 1),
    row("publish, an entry removed", "remove", REWRITING, 1),
    row("publish, an asset replaced", "asset", REWRITING, 1),
    row("publish, a hub's title changed", "hub", REWRITING, 1),
    row("publish, nothing changed", "publishAgain", FIRST, 0.1),
    row("publish, a model's field added", "field", FIRST, 1.1),
    row("publish, a block deleted", "block", FIRST, 1.1),
    row("svc check, first", "check", FIRST),
    row("svc check, again", "checkAgain", FIRST, 0.1),
    row("svc diff, one title changed", "diff", FIRST, 0.1),
  ];
}

export function figuresFor(experiences: number): readonly Figure[] {
  const goal = (value: number) => (experiences >= 10_000 ? { goal: value } : {});
  return [
    {
      name: "peak memory of the first publish",
      of: ({ steps }) => steps.publish && steps.publish.peak / 1e6,
      unit: "MB",
      ...goal(experiences >= 100_000 ? 400 : 300),
    },
    { name: "store after import", of: ({ imported }) => imported / 1e6, unit: "MB" },
    {
      name: "store after the first publish",
      of: ({ imported, published }) => published / imported,
      unit: "× after import",
      ...goal(1.6),
    },
    {
      name: "… and of the bare loop's database",
      of: ({ bare, published }) => published / bare,
      unit: "× that",
    },
    {
      name: "growth by publishing a hub's title",
      of: ({ hub }) => hub && (100 * (hub.after - hub.before)) / hub.before,
      unit: "% of the store",
      ...goal(2),
    },
  ];
}

/** The sum of two consecutive measurements. */
function importAndPublish({ steps: { import: first, publish } }: Round): Measured | undefined {
  if (first === undefined || publish === undefined) return undefined;
  const [seconds, peak] = [first.seconds + publish.seconds, Math.max(first.peak, publish.peak)];
  return { seconds, peak, stdout: "" };
}
