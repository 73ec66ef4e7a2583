import type { Measured } from "./measure.ts";
import type { Round } from "./round.ts";
import { type Figure, figuresFor, type Row, rowsFor } from "./rows.ts";

/** The measurements at one size. */
export interface SizeResult {
  readonly experiences: number;
  readonly entries: number;
  readonly rounds: readonly Round[];
}

/** The allowed ratio of a time to that of a size smaller by this factor. */
export function growthGoal(larger: number): number {
  return Math.round(12 * larger) / 10;
}

/** Prints the rows of one size: medians, with ratios taken per round. */
export function printSize({ experiences, entries, rounds }: SizeResult): void {
  say(
    `\n${count(experiences)} experiences, ${count(entries)} entries; medians of ${rounds.length}`,
  );
  say(`${"".padEnd(36)}${"seconds".padStart(9)}${"peak MB".padStart(9)}${"ratio".padStart(8)}`);
  const printed = new Set<string>();
  for (const row of rowsFor(experiences)) {
    const line = lineOf(row, rounds);
    if (line === undefined || (printed.has(row.name) && !line.isCompared)) continue;
    printed.add(row.name);
    say(line.text);
  }
  for (const figure of figuresFor(experiences)) printFigure(figure, rounds);
}

/** The line of a row; undefined if it was not measured. */
function lineOf(
  { name, of, to, goal }: Row,
  rounds: readonly Round[],
): { text: string; isCompared: boolean } | undefined {
  const measured = rounds.flatMap((round) => of(round) ?? []);
  if (measured.length === 0) return undefined;
  const ratios = rounds.flatMap((round) => {
    const [own, other] = [of(round)?.seconds, to?.seconds(round)];
    return own === undefined || other === undefined ? [] : own / other;
  });
  const seconds = secondsOf(measured).toFixed(2).padStart(9);
  const peak = (median(measured.map((one) => one.peak)) / 1e6).toFixed(0).padStart(9);
  const text = `${name.padEnd(36)}${seconds}${peak}`;
  if (to === undefined || ratios.length === 0) return { text, isCompared: false };
  const ratio = median(ratios);
  const compared = `${ratio.toFixed(2).padStart(8)} × ${to.name}${goalText(ratio, goal)}`;
  return { text: text + compared, isCompared: true };
}

function printFigure({ name, of, unit, goal }: Figure, rounds: readonly Round[]): void {
  const values = rounds.flatMap((round) => of(round) ?? []);
  if (values.length === 0) return;
  const value = median(values);
  say(`${name.padEnd(36)}${value.toFixed(2).padStart(9)} ${unit}${goalText(value, goal)}`);
}

/** Prints how each time grows from one size to a larger one. */
export function printGrowth(small: SizeResult, large: SizeResult): void {
  const goal = growthGoal(large.experiences / small.experiences);
  const sizes = `${count(small.experiences)} to ${count(large.experiences)}`;
  say(`\ngrowth from ${sizes} experiences, times (goal ${goal})`);
  const printed = new Set<string>();
  for (const { name, of, isPeer } of rowsFor(large.experiences)) {
    const [before, after] = [small, large].map(({ rounds }) =>
      rounds.flatMap((round) => of(round) ?? []),
    ) as [Measured[], Measured[]];
    if (before.length === 0 || after.length === 0 || printed.has(name)) continue;
    printed.add(name);
    say(growthLine(name, secondsOf(before), secondsOf(after), isPeer ? undefined : goal));
  }
}

/** A time at one size, at a larger size, and their ratio. */
export function growthLine(name: string, before: number, after: number, goal?: number): string {
  const growth = after / before;
  const mark = goal !== undefined && growth > goal ? "  not met" : "";
  const seconds = `${before.toFixed(2).padStart(9)}${after.toFixed(2).padStart(9)}`;
  return `${name.padEnd(36)}${seconds}${growth.toFixed(1).padStart(8)}${mark}`;
}

export function secondsOf(measured: readonly Measured[]): number {
  return median(measured.map(({ seconds }) => seconds));
}

export function count(value: number): string {
  return value.toLocaleString("en");
}

export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

function goalText(value: number, goal: number | undefined): string {
  if (goal === undefined) return "";
  return `, goal ${goal}${value > goal ? "  not met" : ""}`;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] as number;
}
