// npm run bench [experiences …]: measures the built program on workspaces with these numbers of
// experiences (default 100, 1,000 and 10,000) and ten times as many entries, interleaved with bare
// loops; then its start, and the preview server. Compare ratios of one run: seconds depend on the
// machine. From 50,000 experiences on there is one round, without edits and without the bare loop of
// publish, which would need several gigabytes: such a size is compared with the previous one.
// npm run bench -- --languages [experiences …]: the same with rich text and three languages, so that
// there are three times as many documents.
// npm run bench -- --shapes [experiences …]: how times grow (default: from 1,000 to 10,000) on
// workspaces with very many unresolved references, hubs, chains or projects.
//
// SVC_BENCH_FOLDER          the folder to work in (a tmpfs reduces noise)
// SVC_BENCH_ROUNDS          the number of rounds (medians are printed)
// SVC_BENCH_ELEVENTY        a folder in which @11ty/eleventy 3 is installed, to be measured too
// SVC_BENCH_WORKSPACE_TOOL  a program that generates the workspaces, instead of make-site.ts
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { findEleventy } from "./eleventy.ts";
import { measureFirstAfterEdit, measurePreview } from "./preview.ts";
import { measureRound } from "./round.ts";
import { measureShapes } from "./shapes.ts";
import { measureStart } from "./start.ts";
import { printGrowth, printSize, type SizeResult, say } from "./table.ts";
import { SVC } from "./trial.ts";
import { makeWorkspaceOf } from "./workspaces.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { shapes: { type: "boolean" }, languages: { type: "boolean", default: false } },
});
const sizes = positionals.map(Number);
if (!sizes.every((size) => size >= 10)) throw new Error("sizes are numbers of 10 or more");
const rounds = Number(process.env.SVC_BENCH_ROUNDS ?? (values.shapes ? 3 : 5));
const folder = mkdtempSync(join(process.env.SVC_BENCH_FOLDER ?? tmpdir(), "svc-bench-"));
const eleventy = findEleventy();

try {
  measureSize(10, 1); // what is kept of compiled code is there from now on
  if (values.shapes) measureShapes(folder, sizes.length > 0 ? sizes : [1000, 10_000], rounds);
  else {
    measureSizes(sizes.length > 0 ? sizes : [100, 1000, 10_000]);
    if (!values.languages) await measureOthers();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function measureSizes(sizes: readonly number[]): void {
  if (eleventy === undefined) say("Eleventy is not measured: SVC_BENCH_ELEVENTY is not set");
  let before: SizeResult | undefined;
  for (const experiences of sizes) {
    const result = measureSize(experiences, rounds);
    printSize(result);
    if (before !== undefined) printGrowth(before, result);
    before = result;
  }
}

function measureSize(experiences: number, rounds: number): SizeResult {
  const workspace = join(folder, "workspace");
  const isShort = experiences >= 50_000;
  const { entries } = makeWorkspaceOf(experiences, workspace, [], values.languages);
  const all = Array.from({ length: isShort ? 1 : rounds }, () =>
    measureRound(workspace, join(folder, "trial"), { eleventy, isShort }),
  );
  rmSync(workspace, { recursive: true });
  return { experiences, entries, rounds: all };
}

async function measureOthers(): Promise<void> {
  const { help, publish } = measureStart();
  say("\nstart of the built package, × node -e 0");
  figure("svc --help", help, 1.6);
  figure("svc publish of the storefront", publish, 6);
  const { speed, p99 } = await measurePreview(SVC, 15);
  say("\nwarm preview of 15 entries, 64 connections, × serve-handler on the published file");
  figure("requests per second", speed, "≥ 1");
  figure("p99", p99, 2);
  figure("first request after an edit, ms", await measureFirstAfterEdit(SVC), 20);
}

function figure(name: string, value: number, goal: number | string): void {
  say(`${name.padEnd(36)}${value.toFixed(2).padStart(9)}  goal ${goal}`);
}
