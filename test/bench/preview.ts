// tsx test/bench/preview.ts [seconds]: measures the built `svc preview` against plain serve-handler on
// the published file, interleaved, with 64 connections each; and the first request after an edit.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CONTENT, TOKEN, writeEntries, writeExperience } from "./experience-workspace.ts";
import type { Load } from "./load.ts";
import { makeWorkspace } from "./make-workspace.ts";
import { loadOf, ServerUnderLoad } from "./server-under-load.ts";

const ROOT = join(import.meta.dirname, "../..");

/** The preview of one experience compared with the same document as a published file. */
export interface PreviewFigures {
  readonly preview: Load;
  readonly published: Load;
  /** Requests per second relative to serve-handler; the goal is at least 1. */
  readonly speed: number;
  /** p99 relative to serve-handler; the goal is at most 2. */
  readonly p99: number;
}

const CONNECTIONS = 64;

/** Measures both in turns, so that both see the same state of the machine. */
export async function measurePreview(
  svc: string,
  entries: number,
  { seconds = 3, turns = 5 } = {},
): Promise<PreviewFigures> {
  const folder = mkdtempSync(join(process.env.SVC_BENCH_FOLDER ?? tmpdir(), "svc-bench-"));
  const [store, out] = [join(folder, "bench.db"), join(folder, "out")];
  const servers: ServerUnderLoad[] = [];
  try {
    writeExperience(join(folder, "workspace"), entries);
    for (const args of [
      ["import", join(folder, "workspace")],
      ["publish", "--out", out],
    ]) {
      execFileSync(process.execPath, [svc, ...args, "--store", store, "--quiet"]);
    }
    const files = ["--store", store, "--out", out, "--port", "0"];
    const preview = await ServerUnderLoad.start(svc, "preview", ...files);
    servers.push(preview);
    const alone = join(import.meta.dirname, "serve-handler-alone.ts");
    const published = await ServerUnderLoad.start(alone, out);
    servers.push(published);
    const ask = {
      preview: () =>
        loadOf(`${preview.url}${CONTENT}?preview_token=${TOKEN}`, CONNECTIONS, seconds),
      published: () => loadOf(`${published.url}${CONTENT}.json`, CONNECTIONS, seconds),
    };
    await ask.preview();
    await ask.published();
    const loads: { preview: Load; published: Load }[] = [];
    for (let turn = 0; turn < turns; turn += 1) {
      loads.push({ preview: await ask.preview(), published: await ask.published() });
    }
    return middleOf(loads);
  } finally {
    for (const server of servers) await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * The time from the request to the last byte of the first response after a change of the draft, in
 * milliseconds: the median, in a workspace of 10,000 experiences and 100,000 entries.
 */
export async function measureFirstAfterEdit(svc: string): Promise<number> {
  const folder = mkdtempSync(join(process.env.SVC_BENCH_FOLDER ?? tmpdir(), "svc-bench-"));
  const [large, small] = [join(folder, "large"), join(folder, "small")];
  const store = join(folder, "bench.db");
  const load = (path: string) =>
    execFileSync(process.execPath, [svc, "import", path, "--store", store, "--quiet"]);
  try {
    makeWorkspace(large, 10_000);
    const settings = { id: "bench", name: "Bench", previewToken: TOKEN };
    writeFileSync(join(large, "workspace.json"), JSON.stringify(settings));
    // A change in one workspace invalidates all others of the store (references may lead there).
    writeExperience(small, 3);
    load(large);
    load(small);
    const server = await ServerUnderLoad.start(svc, "preview", "--store", store, "--port", "0");
    try {
      const times: number[] = [];
      for (let turn = 0; turn < 9; turn += 1) {
        writeEntries(small, 3, `Edit ${turn}`);
        load(small);
        const path = `/api/v1/projects/bench/experiences/e${turn}/content?preview_token=${TOKEN}`;
        const start = performance.now();
        const answer = await fetch(server.url + path);
        await answer.arrayBuffer();
        // The very first request includes the server's start.
        if (turn > 0) times.push(performance.now() - start);
        if (answer.status !== 200) throw new Error(`${path} is answered with ${answer.status}`);
      }
      return times.sort((a, b) => a - b)[4] as number;
    } finally {
      await server.stop();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The turn with the median speed. */
function middleOf(loads: readonly { preview: Load; published: Load }[]): PreviewFigures {
  const figures = loads.map(({ preview, published }) => {
    if (preview.errors + published.errors > 0) throw new Error("a request failed");
    const speed = preview.requestsPerSecond / published.requestsPerSecond;
    return { preview, published, speed, p99: preview.p99 / published.p99 };
  });
  figures.sort((a, b) => a.speed - b.speed);
  return figures[Math.floor(figures.length / 2)] as PreviewFigures;
}

if (import.meta.main) {
  const seconds = Number(process.argv[2] ?? 3);
  const svc = join(ROOT, "dist/bin/svc.js");
  const { preview, published, speed, p99 } = await measurePreview(svc, 15, { seconds });
  const row = (name: string, load: Load) =>
    `${name.padEnd(30)}${load.requestsPerSecond.toFixed(0).padStart(8)} requests/s  p50 ${load.p50.toFixed(1)} ms  p99 ${load.p99.toFixed(1)} ms\n`;
  process.stdout.write(row("svc preview", preview));
  process.stdout.write(row("serve-handler, published file", published));
  process.stdout.write(`× requests/s ${speed.toFixed(2)}, × p99 ${p99.toFixed(2)}\n`);
  const first = await measureFirstAfterEdit(svc);
  process.stdout.write(`first request after an edit, 100,000 entries: ${first.toFixed(1)} ms\n`);
}
