// tsx test/bench/dev.ts [1000|10000|100000|lines …]: how many ms after the save of an entry the built
// `svc dev` (or the one that SVC_PROGRAM names) previews it, in workspaces with so many entries in files
// of their own, and with 100,000 in one of 103 MB. `ready`: until it listens.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Agent, get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Project } from "../../src/workspace/records.ts";
import { linesOf } from "./lines.ts";
import { makeSite } from "./make-site.ts";

const SVC = process.env.SVC_PROGRAM ?? join(import.meta.dirname, "../../dist/bin/svc.js");
const EDITS = 15;
const TOKEN = "t0ken";
/** Experiences; each has ten entries. */
const SITES: Readonly<Record<string, number>> = {
  ...{ "1000": 100, "10000": 1000, "100000": 10_000, lines: 10_000 },
};

type Entry = Readonly<{ id: string; data: { title?: string } }>;

/** The id of an entry with a title, and the address of an experience that begins with it. */
type Shown = Readonly<Record<"id" | "path", string>>;

function records<T>(folder: string, kind: string): T[] {
  const lines = [...linesOf(join(folder, `${kind}.ndjson`))];
  return lines.flatMap((line) => (line === "" ? [] : JSON.parse(line)));
}

/** Writes a site; returns the entries that can be edited. */
function writeSite(folder: string, experiences: number, areFiles: boolean): Shown[] {
  const projects = Math.ceil(experiences / 1000);
  makeSite(folder, { experiences, seed: 1, dangling: 0.03, hubs: 0.3, chains: 0.05, projects });
  const settings = join(folder, "workspace.json");
  const known = JSON.parse(readFileSync(settings, "utf8"));
  writeFileSync(settings, JSON.stringify({ ...known, previewToken: TOKEN }));
  const entries = records<Entry>(folder, "entries");
  if (areFiles) {
    mkdirSync(join(folder, "entries"));
    for (const entry of entries) {
      writeFileSync(join(folder, "entries", `${entry.id}.json`), JSON.stringify(entry));
    }
    rmSync(join(folder, "entries.ndjson"));
  }
  const titled = new Set(entries.filter(({ data }) => data.title).map(({ id }) => id));
  return records<Project>(folder, "projects").flatMap((project) => {
    const layouts = new Map(project.steps.map((one) => [one.id, one.layoutContentId ?? ""]));
    return project.experiences.flatMap((experience) => {
      const id = layouts.get(experience.stepIds[0] ?? "") ?? "";
      const path = `/api/v1/projects/${project.id}/experiences/${experience.id}/content`;
      return titled.has(id) ? [{ id, path: `${path}?preview_token=${TOKEN}` }] : [];
    });
  });
}

/** What has to be written to give an entry another title. */
function edited(folder: string, { id }: Shown, title: string, areFiles: boolean) {
  const file = areFiles ? join(folder, "entries", `${id}.json`) : join(folder, "entries.ndjson");
  const change = (text: string) => {
    const entry = JSON.parse(text);
    return JSON.stringify({ ...entry, data: { ...entry.data, title } });
  };
  if (areFiles) return { file, bytes: Buffer.from(change(readFileSync(file, "utf8"))) };
  const start = `{"id":"${id}"`;
  const lines = Array.from(linesOf(file), (one) => (one.startsWith(start) ? change(one) : one));
  return { file, bytes: Buffer.from(lines.join("\n")) };
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const textAt = (url: string) =>
  new Promise<string>((resolve, reject) => {
    get(url, { agent }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (piece) => (text += piece));
      response.on("end", () => resolve(text));
    }).on("error", reject);
  });

async function measure(name: string): Promise<void> {
  const folder = mkdtempSync(join(process.env.SVC_BENCH_FOLDER ?? tmpdir(), "svc-dev-"));
  const [content, areFiles] = [join(folder, "content"), name !== "lines"];
  const shown = writeSite(content, SITES[name] as number, areFiles);
  const args = [SVC, "dev", content, "--json", "--port", "0", "--out", join(folder, "out")];
  const start = performance.now();
  const dev = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const line = await new Promise<string>((resolve) => {
      dev.stdout.setEncoding("utf8").once("data", resolve);
    });
    const ready = performance.now() - start;
    const { listening } = JSON.parse(line.split("\n", 1)[0] as string);
    const times: number[] = [];
    for (let number = 1; number <= EDITS; number += 1) {
      const one = shown[Math.floor(Math.random() * shown.length)] as Shown;
      const title = `Edited ${number} ${crypto.randomUUID()}`;
      const { file, bytes } = edited(content, one, title, areFiles);
      await textAt(listening + one.path);
      const saved = performance.now();
      writeFileSync(file, bytes);
      while (!(await textAt(listening + one.path)).includes(title)) {
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      times.push(performance.now() - saved);
    }
    times.sort((a, b) => a - b);
    const [, peak] = /VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${dev.pid}/status`, "utf8")) ?? [];
    const [median, worst] = [times[EDITS >> 1] as number, times.at(-1) as number];
    const figures = { ready, median, worst, peakMB: Number(peak) / 1024 };
    const rounded = Object.entries(figures).map(([what, value]) => `${what} ${Math.round(value)}`);
    process.stdout.write(`${name}: ${rounded.join(", ")}\n`);
  } finally {
    dev.kill("SIGINT");
    await new Promise((resolve) => dev.once("exit", resolve));
    rmSync(folder, { recursive: true, force: true });
  }
}

const names = process.argv.slice(2);
for (const name of names.length > 0 ? names : Object.keys(SITES)) await measure(name);
