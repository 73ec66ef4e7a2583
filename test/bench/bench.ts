// npm run bench [experiences …]: measures the built program on workspaces with these numbers of
// experiences (default 1,000 and 10,000) and ten times as many entries, in turns with what it is
// compared with, by the processor's time; then its start, `svc dev` and the preview. What users see is
// printed (no --quiet). Compare ratios of one run: seconds depend on the machine. From 50,000 experiences on only folders are published, in one round.
// npm run bench -- --shapes [experiences …]: how times grow with many broken references, hubs or chains.
// npm run bench -- --languages [experiences …]: in three languages, with rich text.
// npm run bench -- --lists [experiences …]: collections and computed references, beside the same by hand.
//
// SVC_BENCH_FOLDER    the folder to work in (a tmpfs reduces noise)
// SVC_BENCH_ROUNDS    the number of rounds (3); medians are printed
// SVC_BENCH_ELEVENTY  a folder in which @11ty/eleventy 3.1.8 is installed, to be measured too
// SVC_BENCH_SITES     a program that writes the workspaces, with the arguments of make-site.ts
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { type Measured, measure } from "../support/measure.ts";
import { type Edit, editSite } from "./edit-site.ts";
import { measureDev, measurePreview } from "./servers.ts";
import { measureShown } from "./shown.ts";

const ROOT = join(import.meta.dirname, "../..");
const SVC = join(ROOT, "dist/bin/svc.js");
const TOOL = process.env.SVC_BENCH_SITES ?? join(ROOT, "test/support/workspaces/make-site.ts");
const ELEVENTY = process.env.SVC_BENCH_ELEVENTY;
const CONFIG = join(import.meta.dirname, "eleventy.config.js");
const { values: given, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    shapes: { type: "boolean" },
    languages: { type: "boolean" },
    lists: { type: "boolean" },
  },
});
const folder = mkdtempSync(join(process.env.SVC_BENCH_FOLDER ?? tmpdir(), "svc-bench-"));
const [content, edited, out, store] = ["content", "edited", "out", "svc.db"].map((name) =>
  join(folder, name),
) as [string, string, string, string];

/** What is measured, in this order: each row finds what those before it left. */
interface Row {
  readonly name: string;
  readonly run: () => Measured;
  /** The row that it is compared with, and the goal for the ratio. */
  readonly to?: string;
  readonly goal?: number;
  /** Whether it is measured with very many experiences and in each shape. */
  readonly isBasic?: true;
}

const svc = (...args: readonly string[]) => measure([SVC, ...args]);
const inStore = (...args: readonly string[]) => svc(...args, "--store", store);
const publish = () => inStore("publish", "--out", out, "--max-size", "4GiB");
const publishFolder = (of: string) =>
  svc("publish", of, "--out", join(folder, "out-of-folder"), "--max-size", "4GiB");

/** Renders the documents of the store by another program, in an empty folder. */
function bare(...args: readonly string[]): Measured {
  const env = { SVC_BENCH_STORE: store, NODE_COMPILE_CACHE: join(folder, "compiled") };
  const [cwd, written] = [join(folder, "empty"), join(folder, "bare")];
  mkdirSync(cwd, { recursive: true });
  const measured = measure([...args, written], { env, cwd });
  rmSync(written, { recursive: true });
  return measured;
}

/** A copy of the content, in which one thing is changed. */
function editedFolder(edit: Edit): string {
  cpSync(content, edited, { recursive: true });
  editSite(edited, edit);
  return edited;
}

function publishEdited(edit: Edit, to: string): Row {
  const run = () => {
    inStore("import", editedFolder(edit));
    return publish();
  };
  return { name: `publish over an earlier version: ${edit}`, to, goal: 1.4, run };
}

const FOLDER = "publish <folder>";
const PEER = "Eleventy 3.1.8, from SQLite";
const FIRST = "publish of a store, first";
const ROWS: readonly Row[] = [
  { name: "import, new store", run: () => inStore("import", content) },
  { name: "import, nothing changed", run: () => inStore("import", content) },
  { name: "bare loop, from SQLite", run: () => bare(CONFIG) },
  ...(ELEVENTY === undefined ? [] : [{ name: PEER, run: () => bare(...eleventy(ELEVENTY)) }]),
  {
    name: FOLDER,
    to: PEER,
    goal: 1.2,
    isBasic: true,
    run: () => publishFolder(content),
  },
  {
    name: "check <folder>",
    to: FOLDER,
    goal: 0.75,
    isBasic: true,
    run: () => svc("check", content),
  },
  {
    name: "… over an earlier version: field",
    to: FOLDER,
    goal: 1.2,
    run: () => publishFolder(editedFolder("field")),
  },
  { name: FIRST, to: PEER, goal: 1.5, run: publish },
  { name: "publish, nothing changed", to: FIRST, run: publish },
  ...(["title", "hub", "add"] as const).map((edit) => publishEdited(edit, PEER)),
  publishEdited("field", FIRST),
];

function eleventy(place: string): string[] {
  const program = join(place, "node_modules/@11ty/eleventy/cmd.cjs");
  return [program, "--quiet", `--config=${relative(join(folder, "empty"), CONFIG)}`, "--output"];
}

/** The measurements of a size, by row; nothing is published before each round. */
function measureSize(
  experiences: number,
  rows: readonly Row[],
  options: readonly string[],
): Map<Row, Measured[]> {
  const rounds = experiences < 50_000 ? Number(process.env.SVC_BENCH_ROUNDS ?? 3) : 1;
  const { stdout } = measure([TOOL, content, "--experiences", `${experiences}`, ...options]);
  say(`\n${experiences} experiences, ${JSON.parse(stdout).entries} entries ${options.join(" ")}`);
  const measured = new Map(rows.map((row) => [row, [] as Measured[]]));
  for (let round = 0; round < rounds; round += 1) {
    for (const row of rows) measured.get(row)?.push(row.run());
    if (existsSync(store)) say(`the store has ${statSync(store).size / 1e6} MB`);
    for (const name of ["edited", "out", "out-of-folder"]) {
      rmSync(join(folder, name), { recursive: true, force: true });
    }
    for (const end of ["", "-wal", "-shm"]) rmSync(store + end, { force: true });
  }
  return measured;
}

/** A line for each row: seconds of the processor and on the clock, peak of memory, growth, the ratio to another row. */
function printSize(measured: Map<Row, Measured[]>, smaller?: Map<Row, Measured[]>): void {
  say(`${"".padEnd(38)}    CPU s  seconds  peak MB  growth  ratio`);
  for (const [row, all] of measured) {
    const cpu = all.map((one) => one.cpu);
    const others = [...measured].find(([{ name }]) => name === row.to)?.[1];
    const before = smaller?.get(row)?.map((one) => one.cpu);
    const cells = [
      median(cpu).toFixed(2),
      median(all.map(({ seconds }) => seconds)).toFixed(2),
      (median(all.map(({ peak }) => peak)) / 1e6).toFixed(0),
      before ? (median(cpu) / median(before)).toFixed(1) : "",
    ];
    const ratios = others && cpu.map((own, at) => own / (others[at]?.cpu ?? Number.NaN));
    const compared = ratios ? `  ${withGoal(median(ratios), row.goal)} × ${row.to}` : "";
    say(row.name.padEnd(38) + cells.map((cell) => cell.padStart(9)).join("") + compared);
  }
}

/** Q10, Q1: the processor's seconds of a publish from a folder, with lists and with what they give written by hand. */
const LISTS = [
  ["publish <folder>, a collection", "--collections", "--pages"],
  ["publish <folder>, computed references", "--queries", "--related"],
] as const;

function measureLists(experiences: number): void {
  for (const [name, ...options] of LISTS) {
    const sites = options.map((option) => join(folder, option.slice(2)));
    for (const [at, site] of sites.entries()) {
      measure([TOOL, site, "--experiences", `${experiences}`, options[at] as string]);
    }
    const rounds = Array.from({ length: Number(process.env.SVC_BENCH_ROUNDS ?? 3) }, () => {
      const [lists = Number.NaN, byHand = Number.NaN] = sites.map((site) => {
        rmSync(out, { recursive: true, force: true });
        return svc("publish", site, "--out", out).cpu;
      });
      return { lists, byHand, ratio: lists / byHand };
    });
    const seconds = median(rounds.map(({ lists }) => lists)).toFixed(2);
    const byHand = median(rounds.map((one) => one.byHand)).toFixed(2);
    say(`${experiences} experiences, ${options.join(" and ")}: ${seconds} and ${byHand} s`);
    figure(`${name}, × the same by hand`, median(rounds.map(({ ratio }) => ratio)), 1.1);
    for (const site of [...sites, out]) rmSync(site, { recursive: true, force: true });
  }
}

/** The start of the program, × `node -e 0` in the same round. */
function measureStart(): void {
  const target = join(folder, "start");
  const rounds = Array.from({ length: 22 }, () => {
    const bare = measure(["-e", "0"]).cpu;
    const help = measure([SVC, "--help"]).cpu / bare;
    const published = svc("publish", join(ROOT, "fixtures/storefront"), "--out", target);
    rmSync(target, { recursive: true });
    return { help, publish: published.cpu / bare };
  }).slice(1);
  figure("svc --help, × node -e 0", median(rounds.map(({ help }) => help)), 1.6);
  const published = median(rounds.map((one) => one.publish));
  figure("publish of the storefront, × node -e 0", published, 6);
}

function figure(name: string, value: number, goal: number, isLeast = false): void {
  say(`${name.padEnd(52)}  ${withGoal(value, goal, isLeast)}`);
}

function withGoal(value: number, goal: number | undefined, isLeast = false): string {
  if (goal === undefined) return value.toFixed(2);
  const isMet = isLeast ? value >= goal : value <= goal;
  return `${value.toFixed(2)} (goal ${isLeast ? "≥" : "≤"} ${goal}${isMet ? "" : ", NOT MET"})`;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] as number;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

const sizes = positionals.length > 0 ? positionals.map(Number) : [1000, 10_000];
const SHAPES = ["--dangling 0.6", "--hubs 0.95", "--chains 0.9", "--projects 1"];
const shapes = given.shapes ? SHAPES : [given.languages ? "--languages" : "--dangling 0.03"];
try {
  if (given.lists) for (const size of sizes) measureLists(size);
  for (const shape of given.lists ? [] : shapes) {
    let smaller: Map<Row, Measured[]> | undefined;
    for (const size of sizes) {
      const rows = ROWS.filter((row) => row.isBasic || !(given.shapes || size >= 50_000));
      const measured = measureSize(size, rows, shape.split(" "));
      printSize(measured, smaller);
      const ofFolder = measured.get(ROWS.find(({ name }) => name === FOLDER) as Row) as Measured[];
      const peak = median(ofFolder.map((one) => one.peak)) / 1e6;
      if (size >= 10_000) figure(`peak of ${FOLDER}, MB`, peak, size >= 100_000 ? 1400 : 300);
      smaller = measured;
    }
  }
  if (!given.shapes && !given.languages && !given.lists) {
    say("");
    for (const size of sizes.filter((one) => one < 50_000)) measureLists(size);
    measureStart();
    mkdirSync(content, { recursive: true });
    const { median: shown, worst, ready } = await measureDev(TOOL, join(folder, "dev"));
    figure("svc dev, 10,000 entries: saved to shown, ms", shown, 50);
    figure("… the worst of 15, ms", worst, 250);
    figure("… the start, ms", ready, 1000);
    for (const [size, goal] of [
      [100, 60],
      [10_000, 250],
    ] as const) {
      for (const inFiles of [true, false]) {
        const { median: shown, published } = await measureShown(size, inFiles);
        const form = inFiles ? "in files" : "in one file";
        figure(`${size * 10} entries ${form}: saved to shown in Chromium, ms`, shown, goal);
        figure("… the slowest published answer meanwhile, ms", published, 50);
      }
    }
    const { speed, p99, first } = await measurePreview(TOOL, join(folder, "preview"));
    figure("preview, 64 connections: requests, × serve-handler", speed, 1, true);
    figure("… p99, × serve-handler", p99, 2);
    figure("… the first request after an edit, 100,000 entries, ms", first, 20);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
