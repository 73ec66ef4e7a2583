// node make-site.ts <folder> [--experiences 1000] [--seed 1] [--dangling 0.03] [--hubs 0.3]
//   [--chains 0.05] [--projects <experiences / 1000>]
//
// Writes a workspace folder like that of a grown site: unordered random ids, ten entries of about 1 kB
// per experience, hubs that many entries reference, cycles, chains cut off at depth 5, references to
// deleted entries, missing assets, a deleted block that is still used, html files, several projects,
// letters beyond Latin-1. It imports without faults, and `svc check` finds only warnings. The output
// is deterministic, and memory use does not depend on the size.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { writeLines } from "./lines.ts";
import { Prose } from "./prose.ts";
import { BLOCKS, DELETED_BLOCK, MODELS, type SiteField } from "./site-models.ts";
import { ENTRIES_OF_EXPERIENCE, type SiteOptions, SitePlan } from "./site-plan.ts";
import { assetCounts, dataOf } from "./site-values.ts";

/** Writes the folder; returns the counts. */
export function makeSite(folder: string, options: SiteOptions): { entries: number } {
  const plan = new SitePlan(options);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, "html"), { recursive: true });
  const put = (kind: string, records: Iterable<unknown>) =>
    writeLines(join(folder, `${kind}.ndjson`), lines(records));
  const settings = { id: plan.id("workspace", 0), name: "Site" };
  writeFileSync(join(folder, "workspace.json"), JSON.stringify(settings));
  put("models", models(plan));
  put("blocks", blocks(plan));
  put("assets", assets(plan, folder));
  put("projects", projects(plan));
  put("entries", entries(plan));
  return { entries: plan.hubs + options.experiences * ENTRIES_OF_EXPERIENCE };
}

function* lines(records: Iterable<unknown>): Generator<string> {
  for (const record of records) yield JSON.stringify(record);
}

function* models(plan: SitePlan): Generator<unknown> {
  for (const [key, fields] of Object.entries(MODELS)) {
    yield { id: plan.id(`model ${key}`, 0), key, name: named(key), fields: definitions(fields) };
  }
}

function* blocks(plan: SitePlan): Generator<unknown> {
  for (const [key, { category, fields }] of Object.entries(BLOCKS)) {
    if (key === DELETED_BLOCK) continue;
    const id = plan.id(`block ${key}`, 0);
    yield { id, key, name: named(key), category, fields: definitions(fields) };
  }
}

function definitions(fields: readonly SiteField[]): unknown[] {
  return fields.map(({ length, key, ...options }) => ({ key, name: named(key), ...options }));
}

function named(key: string): string {
  return key.charAt(0).toUpperCase() + key.slice(1);
}

function* assets(plan: SitePlan, folder: string): Generator<unknown> {
  const { images, pages } = assetCounts(plan);
  for (let index = 0; index < images; index += 1) {
    const random = plan.random("image", index);
    if (random.chance(plan.options.dangling)) continue; // gone, though entries point at it
    const id = plan.id("image", index);
    const isImage = random.chance(0.85);
    const slug = new Prose(random).slug();
    const fileName = `${slug}.${random.pick(isImage ? ["jpg", "png"] : ["pdf", "mp4"])}`;
    const mimeType = isImage ? "image/jpeg" : "application/pdf";
    const pixels = { width: random.integer(100, 4000), height: random.integer(100, 4000) };
    const url = `https://assets.example.com/${id}/${fileName}`;
    const asset = { id, fileName, mimeType, url, sizeBytes: random.integer(2000, 4_000_000) };
    yield { ...asset, ...(isImage && pixels) };
  }
  for (let index = 0; index < pages; index += 1) {
    const id = plan.id("html", index);
    const prose = new Prose(plan.random("html", index), "latin1");
    const [fileName, file] = [`${id}.html`, `html/${id}.html`];
    const html = `<h1>${prose.title()}</h1>\n<p>${prose.text(300, 1200)}</p>\n`;
    writeFileSync(join(folder, file), html);
    yield { id, fileName, file };
  }
}

function* projects(plan: SitePlan): Generator<unknown> {
  const { experiences, projects } = plan.options;
  for (let index = 0; index < projects; index += 1) {
    const name = `${new Prose(plan.random("project", index)).title()} ${index + 1}`;
    const project = { id: plan.id("project", index), name };
    const records = { steps: [] as unknown[], experiences: [] as unknown[] };
    for (let number = index; number < experiences; number += projects) {
      const { record, steps } = plan.experience(number);
      records.steps.push(...steps);
      records.experiences.push(record);
    }
    yield { ...project, ...records };
  }
}

function* entries(plan: SitePlan): Generator<unknown> {
  let index = 0;
  for (const planned of plannedEntries(plan)) {
    const modelId = plan.id(`model ${planned.model}`, 0);
    yield { id: planned.id, modelId, data: dataOf(plan, planned, index) };
    index += 1;
  }
}

function* plannedEntries(plan: SitePlan) {
  for (let index = 0; index < plan.hubs; index += 1) yield plan.hub(index);
  for (let index = 0; index < plan.options.experiences; index += 1) {
    yield* plan.experience(index).entries;
  }
}

if (import.meta.main) {
  const names = ["experiences", "seed", "dangling", "hubs", "chains", "projects"] as const;
  const options = Object.fromEntries(names.map((name) => [name, { type: "string" as const }]));
  const { values, positionals } = parseArgs({ allowPositionals: true, options });
  const number = (name: (typeof names)[number], otherwise: number) => {
    const value = Number(values[name] ?? otherwise);
    if (!Number.isFinite(value)) throw new Error(`--${name} is not a number`);
    return value;
  };
  const [folder] = positionals;
  if (folder === undefined) throw new Error("which folder?");
  const experiences = number("experiences", 1000);
  const site = makeSite(folder, {
    experiences,
    seed: number("seed", 1),
    dangling: number("dangling", 0.03),
    hubs: number("hubs", 0.3),
    chains: number("chains", 0.05),
    projects: number("projects", Math.max(1, Math.ceil(experiences / 1000))),
  });
  process.stdout.write(`${JSON.stringify({ experiences, ...site })}\n`);
}
