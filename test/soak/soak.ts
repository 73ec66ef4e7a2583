// npm run soak: `svc dev` of a folder and then `svc preview` of a store, each under 64 connections for
// half of SVC_SOAK_SECONDS (180), while the site is edited (and broken), imported, published and rolled
// back by other processes. Fails at any error, any torn or outdated document, and when memory grows.
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { type Load, loadOf, ServerUnderLoad } from "../bench/load.ts";

const SVC = join(import.meta.dirname, "../../dist/bin/svc.js");
const SECONDS = Number(process.env.SVC_SOAK_SECONDS ?? 180);
/** Seconds until caches are filled. */
const WARM_UP = Math.min(30, Math.max(5, SECONDS / 8));
const ENTRIES = 100;
/** How long the preview may take to show a change, in milliseconds. */
const PATIENCE = 15_000;
/**
 * The allowed growth of memory from the warm-up to the end, in bytes: pools grow for minutes, and the
 * memory that the threads of `svc dev` share is counted for each of them until it is collected.
 */
const GROWTH = {
  dev: { retained: Infinity, resident: 64e6 },
  preview: { retained: 4e6, resident: 40e6 },
};
const TOKEN = "soak-token-0123456789";
const CONTENT = "/api/v1/projects/site/experiences/tour/content";

const root = mkdtempSync(join(process.env.SVC_BENCH_FOLDER ?? tmpdir(), "svc-soak-"));
const [folder, out, store] = ["workspace", "out", "soak.db"].map((name) => join(root, name)) as [
  string,
  string,
  string,
];
const wrong: string[] = [];
/** From saving a file to the response that shows it, in milliseconds. */
const delays: number[] = [];
/** How often each operation was done. */
const done: Record<string, number> = {};
/** The number of the last state, which is the title of every entry. */
let state = 0;

/** Writes a workspace folder with one experience: a page and its references, 1 kB each. */
function writeExperience(): void {
  mkdirSync(folder);
  const text = { type: "text", required: true };
  const fields = [
    { key: "title", ...text },
    { key: "text", ...text },
    { key: "next", type: "reference", repeatable: true },
  ];
  const step = { id: "s", key: "start", name: "Start", layoutName: "page", layoutContentId: "p0" };
  const tour = { id: "tour", key: "tour", name: "Tour", stepIds: ["s"] };
  const files = {
    workspace: { id: "site", name: "Site", previewToken: TOKEN },
    models: [{ id: "page", key: "page", name: "Page", fields }],
    projects: [{ id: "site", name: "Site", steps: [step], experiences: [tour] }],
  };
  for (const [name, value] of Object.entries(files)) {
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(value));
  }
  writeEntries();
}

/** Replaces all entries at once by those of the state. */
function writeEntries(): void {
  const ids = Array.from({ length: ENTRIES }, (_, number) => `p${number}`);
  const text = "tent stove lake ridge walk morning light rope warm river ".repeat(15);
  const entries = ids.map((id, number) => {
    const next = number === 0 ? ids.slice(1) : [ids[(number % (ENTRIES - 1)) + 1]];
    const pointers = next.map((contentEntryId) => ({ contentEntryId }));
    return { id, modelId: "page", data: { title: `${state}`, text, next: pointers } };
  });
  replaceEntries(JSON.stringify(entries));
}

function replaceEntries(text: string): void {
  writeFileSync(join(folder, "entries.json.new"), text);
  renameSync(join(folder, "entries.json.new"), join(folder, "entries.json"));
}

async function svc(...args: readonly string[]): Promise<string> {
  const given = [SVC, ...args, "--store", store, "--quiet"];
  return (await promisify(execFile)(process.execPath, given)).stdout;
}

async function shown(url: string): Promise<void> {
  const wanted = `"title":"${state}"`;
  for (const end = Date.now() + PATIENCE; ; ) {
    const text = await (await fetch(`${url}${CONTENT}?preview_token=${TOKEN}`)).text();
    if (text.includes(wanted)) return;
    if (Date.now() > end) throw new Error(`${wanted} is not shown: ${text.slice(0, 200)}`);
    await pause(2);
  }
}

type Step = (url: string, kind: "dev" | "preview") => Promise<unknown>;
const STEPS: Readonly<Record<string, Step>> = {
  edits: async (url, kind) => {
    state += 1;
    writeEntries();
    const saved = performance.now();
    if (kind === "preview") await svc("import", folder);
    await shown(url);
    if (kind === "dev") delays.push(performance.now() - saved);
  },
  // The last good draft must stay.
  "broken edits": async (url, kind) => {
    replaceEntries("[{");
    await pause(150);
    await shown(url);
    await STEPS.edits?.(url, kind);
  },
  publishes: () => svc("import", folder).then(() => svc("publish", "--out", out)),
  rollbacks: async () => {
    const { versions } = JSON.parse(await svc("versions", "--json"));
    await svc("rollback", versions.at(-1).versionId, "--out", out);
  },
};
const TURN = ["edits", "edits", "broken edits", "publishes", "edits", "publishes", "rollbacks"];

/** Changes the site repeatedly for some seconds. */
async function change(url: string, kind: "dev" | "preview", seconds: number): Promise<void> {
  const end = Date.now() + seconds * 1000;
  for (let turn = 0; Date.now() < end; turn += 1) {
    const step = TURN[turn % TURN.length] as string;
    await STEPS[step]?.(url, kind);
    done[step] = (done[step] ?? 0) + 1;
    await pause(100);
  }
}

/** Arguments of Node that make a program report its memory, of all threads, after two collections. */
const REPORT_MEMORY = `import { BroadcastChannel, isMainThread } from "node:worker_threads";
  const threads = new BroadcastChannel("memory");
  const collect = (then) => {
    gc();
    setTimeout(() => {
      gc();
      const { heapUsed, external } = process.memoryUsage();
      then(heapUsed + external);
    }, 500);
  };
  let sum = 0;
  threads.onmessage = ({ data }) => {
    if (isMainThread) sum += data;
    else collect((own) => threads.postMessage(own));
  };
  threads.unref();
  if (isMainThread) {
    process.on("message", () => {
      sum = 0;
      collect((own) => { sum += own; });
      threads.postMessage("collect");
      setTimeout(() => process.send(sum), 2000);
    });
    process.channel.unref();
  }`;

/** One server under load for some seconds, while its site changes. */
async function soak(kind: "dev" | "preview", seconds: number): Promise<void> {
  const place = kind === "dev" ? [folder] : ["--store", store];
  const preload = `data:text/javascript,${encodeURIComponent(REPORT_MEMORY)}`;
  const node = ["--expose-gc", "--import", preload];
  const options = ["--json", "--out", out, "--port", "0"];
  const server = await ServerUnderLoad.start(...node, SVC, kind, ...place, ...options);
  const address = `${server.url}${CONTENT}`;
  /** Everything at once for some seconds; then the memory that is retained at rest. */
  const stretch = async (length: number) => {
    const [preview, published] = await Promise.all([
      loadOf(`${address}?preview_token=${TOKEN}`, length, 64, true),
      loadOf(address, length, 8, true),
      change(server.url, kind, length - 2),
    ]);
    for (const { faults, titles } of [preview, published]) {
      wrong.push(...faults, ...titles.filter((title) => !(Number(title) <= state)));
    }
    const message = once(server.process, "message");
    server.process.send("collect");
    const [retained] = await message;
    const status = readFileSync(`/proc/${server.process.pid}/status`, "utf8");
    const resident = Number(/VmRSS:\s*(\d+)/.exec(status)?.[1]) * 1024;
    return { preview, published, retained: retained as number, resident };
  };
  const warm = await stretch(WARM_UP);
  const end = await stretch(seconds - WARM_UP);
  await server.stop();
  sayLoad(`svc ${kind}`, end.preview);
  sayLoad("published, at the same time", end.published);
  for (const memory of ["retained", "resident"] as const) {
    say(`${memory} memory: ${mb(warm[memory])} after the warm-up, ${mb(end[memory])} at the end`);
    if (end[memory] > warm[memory] + GROWTH[kind][memory]) wrong.push(`${memory} memory grows`);
  }
  // The broken edits are reported, and nothing else.
  const lines = server.stderr.split("\n").filter((line) => /error|defect/i.test(line));
  const unexpected = lines.filter((line) => !/entries\.json|has \d+ faults?$/.test(line));
  wrong.push(...unexpected.slice(0, 3).map((line) => `the server printed: ${line}`));
}

try {
  writeExperience();
  await svc("import", folder);
  await svc("publish", "--out", out);
  for (const kind of ["dev", "preview"] as const) await soak(kind, SECONDS / 2);
  const counts = Object.entries(done).map(([what, count]) => `${count} ${what}`);
  delays.sort((a, b) => a - b);
  const delay = (part: number) => delays[Math.floor(delays.length * part)]?.toFixed(0);
  say(counts.join(", "));
  say(`from saving the file to the answer: p50 ${delay(0.5)} ms, p99 ${delay(0.99)} ms`);
} finally {
  rmSync(root, { recursive: true, force: true });
}
for (const what of wrong) process.stderr.write(`wrong: ${what}\n`);
process.exitCode = wrong.length > 0 ? 1 : 0;

function sayLoad(what: string, { requestsPerSecond, p50, p99 }: Load): void {
  say(
    `${what}: ${requestsPerSecond.toFixed(0)} requests/s, p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)} ms`,
  );
}

function mb(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
