// npm run soak: `svc preview` of a followed folder under 64 connections for SVC_SOAK_SECONDS (180), while
// the folder is edited (and broken), and other processes import, publish and roll back. Fails at any
// error, any torn or outdated document, and when memory grows after the warm-up.
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { CONTENT, TOKEN } from "../bench/experience-workspace.ts";
import { loadOf, ServerUnderLoad } from "../bench/server-under-load.ts";
import { EditedSite } from "./edited-site.ts";
import { REPORT_MEMORY, WatchedMemory } from "./memory.ts";
import type { VerifiedLoad } from "./verified-load.ts";

const ROOT = join(import.meta.dirname, "../..");
const SVC = join(ROOT, "dist/bin/svc.js");

const SECONDS = Number(process.env.SVC_SOAK_SECONDS ?? 180);
const ENTRIES = Number(process.env.SVC_SOAK_ENTRIES ?? 100);
const CONNECTIONS = 64;
/** In addition to those that request the draft. */
const PUBLISHED_CONNECTIONS = 8;
/** Seconds until caches are filled. */
const WARM_UP = Math.min(30, Math.max(5, SECONDS / 4));
/** The allowed growth of retained memory from the warm-up to the end, in bytes. */
const RETAINED_GROWTH = 4e6;
/**
 * The allowed growth of resident memory from the third quarter of the time to the last, as a
 * fraction: V8 and malloc grow their pools for about 5 minutes.
 */
const RESIDENT_GROWTH = 0.15;

const folder = mkdtempSync(join(process.env.SVC_BENCH_FOLDER ?? tmpdir(), "svc-soak-"));
const wrong: string[] = [];
try {
  const site = new EditedSite(folder, SVC, ENTRIES);
  await site.run("import", site.folder);
  await site.publish();
  const files = ["--store", site.store, "--out", site.out, "--port", "0"];
  const server = await ServerUnderLoad.start(
    ...REPORT_MEMORY,
    SVC,
    "preview",
    site.folder,
    ...files,
  );
  const memory = new WatchedMemory(server.process);
  const address = `${server.url}${CONTENT}`;
  /** Runs everything at once for some seconds, then measures memory at rest. */
  const stretch = async (seconds: number) => {
    const [preview, published] = await Promise.all([
      verifiedLoad(`${address}?preview_token=${TOKEN}`, CONNECTIONS, seconds),
      verifiedLoad(address, PUBLISHED_CONNECTIONS, seconds),
      site.change(server.url, Date.now() + (seconds - 2) * 1000),
    ]);
    wrong.push(...preview.faults, ...published.faults);
    await memory.collect();
    return { preview, published };
  };
  await stretch(WARM_UP);
  const { preview, published } = await stretch(SECONDS - WARM_UP);
  memory.end();
  printLoad("preview", preview);
  printLoad("published, at the same time", published);
  const unknown = [...preview.titles, ...published.titles].filter((title) => {
    return !(Number(title) >= 0 && Number(title) <= site.state);
  });
  if (unknown.length > 0) wrong.push(`unknown states: ${unknown.join(", ")}`);
  const delays = site.delays.sort((a, b) => a - b);
  const delay = (part: number) => delays[Math.floor(delays.length * part)]?.toFixed(0);
  say(
    `${Object.entries(site.done)
      .map(([what, count]) => `${count} ${what}`)
      .join(", ")}; ${preview.titles.length} states seen`,
  );
  say(
    `from saving the file to the answer, under load: p50 ${delay(0.5)} ms, p99 ${delay(0.99)} ms`,
  );

  const [warm = 0, end = 0] = memory.retained;
  const quarter = Math.ceil(memory.resident.length / 4);
  const tenth = Math.max(1, Math.floor(memory.resident.length / 10));
  const course = memory.resident.filter((_, second) => second % tenth === 0);
  const before = median(memory.resident.slice(-2 * quarter, -quarter));
  const after = median(memory.resident.slice(-quarter));
  say(`retained memory: ${mb(warm)} after the warm-up, ${mb(end)} at the end`);
  say(`resident memory in the course of the time: ${course.map(mb).join(", ")}`);
  if (end > warm + RETAINED_GROWTH) wrong.push("retained memory grows");
  if (after > before * (1 + RESIDENT_GROWTH)) wrong.push("resident memory grows");
  const wal = statSync(`${site.store}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  say(`the store: ${mb(statSync(site.store).size)}, and ${mb(wal)} of its WAL`);

  const rest = await loadOf(`${address}?preview_token=${TOKEN}`, CONNECTIONS, 4);
  const plain = await ServerUnderLoad.start(
    join(ROOT, "test/bench/serve-handler-alone.ts"),
    site.out,
  );
  const bare = await loadOf(`${plain.url}${CONTENT}.json`, CONNECTIONS, 4);
  say(
    `at rest: ${rest.requestsPerSecond.toFixed(0)} requests/s, ` +
      `× ${(rest.requestsPerSecond / bare.requestsPerSecond).toFixed(2)} of plain serve-handler on the published file; ` +
      `p99 × ${(rest.p99 / bare.p99).toFixed(2)}`,
  );
  await plain.stop();
  await server.stop();
  // The broken edits are reported, and nothing else.
  const lines = server.stderr.split("\n").filter((line) => /error|defect/i.test(line));
  const unexpected = lines.filter((line) => !/entries\.json|has \d+ faults?$/.test(line));
  if (unexpected.length > 0)
    wrong.push(`the server printed: ${unexpected.slice(0, 3).join(" | ")}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
for (const what of wrong) process.stderr.write(`wrong: ${what}\n`);
process.exitCode = wrong.length > 0 ? 1 : 0;

async function verifiedLoad(
  address: string,
  connections: number,
  seconds: number,
): Promise<VerifiedLoad> {
  const program = join(import.meta.dirname, "verified-load.ts");
  const args = [program, address, `${connections}`, `${seconds}`];
  return JSON.parse((await promisify(execFile)(process.execPath, args)).stdout);
}

function printLoad(what: string, { requests, requestsPerSecond, p50, p99 }: VerifiedLoad): void {
  const times = `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;
  say(`${what}: ${requests} requests, ${requestsPerSecond.toFixed(0)} per second, ${times}`);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function mb(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
