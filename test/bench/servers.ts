import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Project } from "../../src/workspace/records.ts";
import { measure } from "../support/measure.ts";
import { editSite, linesOf, retitled } from "./edit-site.ts";
import { type Load, loadOf, ServerUnderLoad } from "./load.ts";

const SVC = join(import.meta.dirname, "../../dist/bin/svc.js");
const TOKEN = "t0ken-0123456789abcdef";
export const QUERY = `?preview_token=${TOKEN}`;

/** Writes a site with a preview token; returns what its experiences show first. */
export function writeSite(tool: string, folder: string, experiences: number) {
  measure([tool, folder, "--experiences", `${experiences}`]);
  const settings = join(folder, "workspace.json");
  const known = JSON.parse(readFileSync(settings, "utf8"));
  writeFileSync(settings, JSON.stringify({ ...known, previewToken: TOKEN }));
  return linesOf(folder, "projects").flatMap((line) => {
    const project: Project = JSON.parse(line);
    const layouts = new Map(project.steps.map((step) => [step.id, step.layoutContentId ?? ""]));
    return project.experiences.map(({ id, stepIds }) => ({
      entry: layouts.get(stepIds[0] ?? "") ?? "",
      path: `/api/v1/projects/${project.id}/experiences/${id}/content`,
    }));
  });
}

/**
 * Milliseconds from the write of an entry's file until `svc dev` previews it, of 15 edits in a
 * workspace of 10,000 entries in files of their own, and until it listens.
 */
export async function measureDev(tool: string, folder: string) {
  const shown = writeSite(tool, folder, 1000).filter(({ entry }) => entry !== "");
  const files = join(folder, "entries");
  mkdirSync(files);
  for (const line of linesOf(folder, "entries")) {
    writeFileSync(join(files, `${JSON.parse(line).id}.json`), line);
  }
  rmSync(join(folder, "entries.ndjson"));
  const start = performance.now();
  const args = ["dev", folder, "--json", "--port", "0", "--out", `${folder}-out`];
  const server = await ServerUnderLoad.start(SVC, ...args);
  const ready = performance.now() - start;
  const times: number[] = [];
  try {
    for (let edit = 0; edit < 15; edit += 1) {
      const { entry, path } = shown[edit * 7] as (typeof shown)[0];
      const url = `${server.url}${path}${QUERY}`;
      const [file, mark] = [join(files, `${entry}.json`), crypto.randomUUID()];
      const [changed] = retitled(JSON.parse(readFileSync(file, "utf8")), mark);
      await (await fetch(url)).text();
      const saved = performance.now();
      writeFileSync(file, JSON.stringify(changed));
      while (!(await (await fetch(url)).text()).includes(mark)) await pause(1);
      times.push(performance.now() - saved);
    }
  } finally {
    await server.stop();
  }
  times.sort((a, b) => a - b);
  return { ready, median: times[7] as number, worst: times[14] as number };
}

/**
 * The preview of an experience in turns with the same document as a published file that plain
 * serve-handler serves; and the milliseconds of the first request after an edit. In a store of
 * 100,000 entries.
 */
export async function measurePreview(tool: string, folder: string) {
  const [{ path = "" } = {}] = writeSite(tool, folder, 10_000);
  const [store, out] = [`${folder}.db`, `${folder}-out`];
  const svc = (...args: readonly string[]) => measure([SVC, ...args, "--store", store, "--quiet"]);
  svc("import", folder);
  svc("publish", "--out", out);
  const preview = await ServerUnderLoad.start(SVC, "preview", "--store", store, "--port", "0");
  const plain = await ServerUnderLoad.plain(out);
  try {
    const turns: { speed: number; p99: number }[] = [];
    for (let turn = 0; turn < 4; turn += 1) {
      const own: Load = await loadOf(`${preview.url}${path}${QUERY}`, 3);
      const other: Load = await loadOf(`${plain.url}${path}.json`, 3);
      const faults = [...own.faults, ...other.faults];
      if (faults.length > 0) throw new Error(`a request failed: ${faults[0]}`);
      const speed = own.requestsPerSecond / other.requestsPerSecond;
      // The first fills caches.
      if (turn > 0) turns.push({ speed, p99: own.p99 / other.p99 });
    }
    const firsts: number[] = [];
    for (let edit = 0; edit < 5; edit += 1) {
      editSite(folder, "title");
      svc("import", folder);
      const start = performance.now();
      // While a command runs here, the server may end a connection that is kept.
      const headers = { Connection: "close" };
      const answer = await fetch(`${preview.url}${path}${QUERY}`, { headers });
      await answer.arrayBuffer();
      firsts.push(performance.now() - start);
      if (answer.status !== 200) throw new Error(`${path} is answered with ${answer.status}`);
    }
    const [, { speed, p99 }] = turns.sort((a, b) => a.speed - b.speed) as [
      unknown,
      (typeof turns)[0],
    ];
    return { speed, p99, first: firsts.sort((a, b) => a - b)[2] as number };
  } finally {
    await preview.stop();
    await plain.stop();
  }
}
