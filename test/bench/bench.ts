// npm run bench [experiences …]: measures the built program on workspaces of so many experiences
// (default 100, 1,000 and 10,000) with ten times as many entries, each figure beside a bare loop of its
// kind, in turns; then its start, and the preview server. Ratios hold between figures of one run;
// seconds alone say more about the machine. From 50,000 experiences on there is one round and no bare
// loop, which would need several gigabytes: such a size is compared with the one before it.
// SVC_BENCH_FOLDER names the folder to work in (a tmpfs tells more of the program), SVC_BENCH_ROUNDS how
// often each is measured (medians are shown).
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeWorkspace, retitleFirstPage } from "./make-workspace.ts";
import { type Measured, measure } from "./measure.ts";
import { measureFirstAfterEdit, measurePreview } from "./preview.ts";
import { measureStart } from "./start.ts";

const sizes = process.argv.slice(2).map(Number);
const svc = join(import.meta.dirname, "../../dist/bin/svc.js");
const folder = mkdtempSync(join(process.env.SVC_BENCH_FOLDER ?? tmpdir(), "svc-bench-"));

type Step = "bare" | "full" | "again" | "one" | "check" | "bareImport" | "import" | "reimport";
type Round = Record<Exclude<Step, "bare" | "bareImport">, Measured> &
  Partial<Record<Step, Measured>>;

/** What a step is compared with. */
const COMPARED = { bare: "the bare loop", bareImport: "the bare loop", full: "the first publish" };

/** Experiences, and seconds of a first publish, of the size before. */
let before: { experiences: number; seconds: number } | undefined;

try {
  for (const experiences of sizes.length > 0 ? sizes : [100, 1000, 10_000]) table(experiences);
  const { help, publish } = measureStart();
  say("\nstart of the built package, × node -e 0");
  figure("svc --help", help, 1.6);
  figure("svc publish, tiny workspace", publish, 3);
  const { speed, p99 } = await measurePreview(svc, 15);
  say("\nwarm preview of 15 entries, 64 connections, × serve-handler on the published file");
  figure("requests per second", speed, "≥ 1");
  figure("p99", p99, 2);
  figure("first request after an edit, ms", await measureFirstAfterEdit(svc), 20);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function table(experiences: number): void {
  const base = join(folder, String(experiences));
  const isLarge = experiences >= 50_000;
  const rounds = isLarge ? 1 : Number(process.env.SVC_BENCH_ROUNDS ?? 5);
  const { entries } = makeWorkspace(join(base, "workspace"), experiences);
  const all = Array.from({ length: rounds }, () => round(base, !isLarge));
  const number = (count: number) => count.toLocaleString("en");
  say(`\n${number(experiences)} experiences, ${number(entries)} entries; medians of ${rounds}`);
  say(`${"".padEnd(34)}${"seconds".padStart(9)}${"peak MB".padStart(9)}${"ratio".padStart(8)}`);
  const row = (name: string, step: Step, to?: keyof typeof COMPARED, goal?: number) => {
    const measured = all.flatMap((one) => one[step] ?? []);
    if (measured.length === 0) return;
    const middle = median(measured, ({ seconds }) => seconds);
    const ratios = to === undefined ? [] : all.flatMap((one) => ratio(one[step], one[to]));
    const compared = ratios.length === 0 ? "" : median(ratios, (value) => value).toFixed(2);
    const told =
      goal === undefined || to === undefined || compared === ""
        ? ""
        : `  × ${COMPARED[to]}, goal ${goal}`;
    const seconds = middle.seconds.toFixed(2).padStart(9);
    const peak = (middle.peak / 1e6).toFixed(0).padStart(9);
    say(`${name.padEnd(34)}${seconds}${peak}${compared.padStart(8)}${told}`);
  };
  row("bare loop of publish", "bare");
  row("svc publish, first", "full", "bare", experiences >= 10_000 ? 1.5 : 2);
  row("svc publish, one entry changed", "one", "full", 0.35);
  row("svc publish, nothing changed", "again", "full", 0.15);
  row("svc check", "check", "full", 0.6);
  row("bare loop of import", "bareImport");
  row("svc import, first", "import", "bareImport", 2);
  row("svc import, one entry changed", "reimport", "bareImport");
  const { seconds } = median(
    all.map(({ full }) => full),
    (full) => full.seconds,
  );
  if (before !== undefined) {
    const times = (seconds / before.seconds).toFixed(1);
    const larger = experiences / before.experiences;
    say(`${larger} times the experiences: ${times} times the first publish (goal ${1.1 * larger})`);
  }
  before = { experiences, seconds };
}

/** Everything once, from an empty store on. */
function round(base: string, withBare: boolean): Round {
  const workspace = join(base, "workspace");
  const entries = join(workspace, "entries.ndjson");
  const [store, out] = [join(base, "svc.db"), join(base, "out")];
  const [bareStore, bareOut] = [join(base, "bare.db"), join(base, "bare-out")];
  const bench = (name: string, ...args: string[]) =>
    measure([join(import.meta.dirname, name), ...args]);
  const run = (...args: string[]) => measure([svc, ...args, "--store", store, "--quiet"]);
  try {
    const bareImport = withBare ? bench("bare-import.ts", entries, bareStore) : undefined;
    const imported = run("import", workspace);
    const bare = withBare ? bench("bare-publish.ts", store, bareOut) : undefined;
    const check = run("check");
    const full = run("publish", "--out", out);
    const again = run("publish", "--out", out);
    const takeBack = retitleFirstPage(entries);
    const reimport = run("import", workspace);
    takeBack();
    const one = run("publish", "--out", out);
    const steps = { full, again, one, check, import: imported, reimport };
    return { ...steps, ...(bare && { bare }), ...(bareImport && { bareImport }) };
  } finally {
    for (const path of [store, bareStore, out, bareOut]) {
      rmSync(path, { recursive: true, force: true });
    }
  }
}

function ratio(of: Measured | undefined, to: Measured | undefined): number | [] {
  return of === undefined || to === undefined ? [] : of.seconds / to.seconds;
}

function median<T>(values: readonly T[], order: (value: T) => number): T {
  return [...values].sort((a, b) => order(a) - order(b))[values.length >> 1] as T;
}

function figure(name: string, value: number, goal: number | string): void {
  say(`${name.padEnd(34)}${value.toFixed(2).padStart(9)}  goal ${goal}`);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
