// npm run soak: `svc dev` of a folder and then `svc preview` of a store, each under 72 connections for
// half of SVC_SOAK_SECONDS (180), while the site is edited (and broken), imported, published and rolled
// back by other processes. Fails at any answer that is not 200, any error, and when memory grows.
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { editSite } from "../bench/edit-site.ts";
import { loadOf, ServerUnderLoad } from "../bench/load.ts";
import { QUERY, writeSite } from "../bench/servers.ts";

const ROOT = join(import.meta.dirname, "../..");
const SVC = join(ROOT, "dist/bin/svc.js");
const TOOL = join(ROOT, "test/support/workspaces/make-site.ts");
const SECONDS = Number(process.env.SVC_SOAK_SECONDS ?? 180);
/** Seconds until caches are filled. */
const WARM_UP = Math.min(30, Math.max(5, SECONDS / 8));
/** How much more memory is resident at the end than after the warm-up, in bytes: pools grow for minutes. */
const GROWTH = { dev: 64e6, preview: 40e6 };

const root = mkdtempSync(join(process.env.SVC_BENCH_FOLDER ?? tmpdir(), "svc-soak-"));
const [folder, out, store] = ["site", "out", "soak.db"].map((name) => join(root, name)) as [
  string,
  string,
  string,
];
const wrong: string[] = [];

async function svc(...args: readonly string[]): Promise<string> {
  const given = [SVC, ...args, "--store", store, "--quiet"];
  return (await promisify(execFile)(process.execPath, given)).stdout;
}

const STEPS: readonly (() => Promise<unknown>)[] = [
  async () => editSite(folder, "title"),
  // The last good draft stays.
  async () => {
    const file = join(folder, "entries.ndjson");
    const good = readFileSync(file);
    writeFileSync(file, "{");
    await pause(150);
    writeFileSync(file, good);
  },
  () => svc("import", folder).then(() => svc("publish", "--out", out)),
  async () => editSite(folder, "hub"),
  async () => {
    const { versions } = JSON.parse(await svc("versions", "--json"));
    await svc("rollback", versions.at(-1).versionId, "--out", out);
    await svc("resume");
  },
];

/** Changes the site again and again for some seconds. */
async function change(seconds: number): Promise<void> {
  const end = Date.now() + seconds * 1000;
  for (let turn = 0; Date.now() < end; turn += 1) {
    await STEPS[turn % STEPS.length]?.();
    await pause(100);
  }
}

/** One server under load for some seconds, while its site changes. */
async function soak(kind: "dev" | "preview", path: string, seconds: number): Promise<void> {
  const place = kind === "dev" ? [folder] : ["--store", store];
  const server = await ServerUnderLoad.start(SVC, kind, ...place, "--out", out, "--port", "0");
  /** Everything at once for some seconds; then the memory that is resident. */
  const stretch = async (length: number) => {
    const [preview, published] = await Promise.all([
      loadOf(`${server.url}${path}${QUERY}`, length),
      loadOf(`${server.url}${path}`, length, 8),
      change(length - 2),
    ]);
    wrong.push(...preview.faults, ...published.faults);
    const status = readFileSync(`/proc/${server.process.pid}/status`, "utf8");
    return { preview, published, resident: Number(/VmRSS:\s*(\d+)/.exec(status)?.[1]) * 1024 };
  };
  const warm = await stretch(WARM_UP);
  const end = await stretch(seconds - WARM_UP);
  await server.stop();
  for (const part of ["preview", "published"] as const) {
    const { requestsPerSecond, p50, p99 } = end[part];
    const times = `p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)} ms`;
    console.log(`svc ${kind}, ${part}: ${requestsPerSecond.toFixed(0)} requests/s, ${times}`);
  }
  const [first, last] = [warm, end].map(({ resident }) => (resident / 1e6).toFixed(1));
  console.log(`resident memory: ${first} MB after the warm-up, ${last} MB at the end`);
  if (end.resident > warm.resident + GROWTH[kind]) wrong.push("memory grows");
  // The broken edits are reported, and nothing else.
  const lines = server.stderr.split("\n").filter((line) => /error|defect/i.test(line));
  const unexpected = lines.filter((line) => !/entries\.ndjson|has \d+ faults?$/.test(line));
  wrong.push(...unexpected.slice(0, 3).map((line) => `the server printed: ${line}`));
}

try {
  const [{ path = "" } = {}] = writeSite(TOOL, folder, 100);
  await svc("import", folder);
  await svc("publish", "--out", out);
  for (const kind of ["dev", "preview"] as const) await soak(kind, path, SECONDS / 2);
} finally {
  rmSync(root, { recursive: true, force: true });
}
for (const what of wrong) console.error(`wrong: ${what}`);
process.exitCode = wrong.length > 0 ? 1 : 0;
