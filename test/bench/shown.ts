// tsx test/bench/shown.ts [experiences …]: milliseconds from the rename of a saved file to its text in
// Chromium, and the slowest answer of a published file meanwhile, beside that of plain serve-handler in
// turns, which shows what the machine adds; with these numbers of experiences (default 100 and 10,000)
// and ten times as many entries, in files of their own and as lines of one file.
// `npm run bench` runs it too. SVC_BENCH_SITES: as in bench.ts. CHROMIUM: the path of Chromium.
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { chromium, type Page } from "playwright-core";
import { chromiumOptions } from "../browser/chromium.ts";
import { linesOf, retitled } from "./edit-site.ts";
import { ServerUnderLoad } from "./load.ts";

const ROOT = join(import.meta.dirname, "../..");
const SVC = join(ROOT, "dist/bin/svc.js");
const TOOL = process.env.SVC_BENCH_SITES ?? join(ROOT, "test/support/workspaces/make-site.ts");
const EDITS = 15;

export interface Shown {
  readonly median: number;
  readonly worst: number;
  /** The slowest answer of a published file meanwhile. */
  readonly published: number;
  /** And that of plain serve-handler for the same file. */
  readonly plain: number;
}

/** @param inFiles whether each entry has a file of its own. */
export async function measureShown(experiences: number, inFiles: boolean): Promise<Shown> {
  const folder = mkdtempSync(join(process.env.SVC_BENCH_FOLDER ?? tmpdir(), "svc-shown-"));
  const [content, out] = [join(folder, "content"), join(folder, "out")];
  const node = (...args: readonly string[]) =>
    execFileSync(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
  node(TOOL, content, "--experiences", `${experiences}`);
  node(SVC, "publish", content, "--out", out, "--quiet");
  const lines = linesOf(content, "entries");
  const project = JSON.parse(linesOf(content, "projects")[0] ?? "");
  const experience = project.experiences.find((one: { stepIds: readonly string[] }) =>
    project.steps.some((step: Step) => step.layoutContentId && one.stepIds.includes(step.id)),
  );
  const { layoutContentId } = project.steps.find(
    (step: Step) => step.layoutContentId && experience.stepIds.includes(step.id),
  );
  const save = inFiles ? savedFile(content, lines) : savedLine(content, lines);
  const workspace = JSON.parse(readFileSync(join(content, "workspace.json"), "utf8")).id;
  const server = await ServerUnderLoad.start(SVC, "dev", content, "--port", "0", "--out", out);
  const plain = await ServerUnderLoad.plain(out);
  const browser = await chromium.launch(chromiumOptions());
  try {
    const page = await browser.newPage();
    await page.goto(`${server.line.trim()}&to=${workspace}/entries/${layoutContentId}`);
    await page.locator("main h1").waitFor();
    // The problems are counted after the view.
    await pause(Math.min(20_000, 2000 + experiences));
    const path = `/api/v1/projects/${project.id}/experiences/${experience.id}/content`;
    // In a thread of its own, as saving a large file takes this one long.
    const urls: Polled = { published: server.url + path, plain: `${plain.url}${path}.json` };
    const polling = new Worker(import.meta.filename, { workerData: urls });
    const times: number[] = [];
    for (let edit = 0; edit < EDITS; edit += 1) {
      const mark = `edit ${edit}.`;
      const shown = timeShown(page, mark);
      await page.evaluate("1");
      save(layoutContentId, mark);
      const saved = Date.now();
      times.push((await shown) - saved);
      await pause(400);
    }
    polling.postMessage("end");
    const [slowest] = await once(polling, "message");
    times.sort((a, b) => a - b);
    return { median: times[EDITS >> 1] as number, worst: times.at(-1) as number, ...slowest };
  } finally {
    await browser.close();
    await server.stop();
    await plain.stop();
    rmSync(folder, { recursive: true });
  }
}

interface Step {
  readonly id: string;
  readonly layoutContentId?: string;
}

/** Resolves to the time at which the text is in the page. A text, as tsx adds names to functions. */
function timeShown(page: Page, text: string): Promise<number> {
  return page.evaluate(`new Promise((resolve) => (function look() {
    const main = document.querySelector("main")?.textContent;
    if (main?.includes(${JSON.stringify(text)})) resolve(Date.now());
    else requestAnimationFrame(look);
  })())`);
}

/** Replaces a file, as editors do. */
function replace(file: string, text: string): void {
  writeFileSync(`${file}~`, text);
  renameSync(`${file}~`, file);
}

function savedFile(content: string, lines: readonly string[]) {
  const files = join(content, "entries");
  mkdirSync(files);
  for (const line of lines) writeFileSync(join(files, `${JSON.parse(line).id}.json`), line);
  rmSync(join(content, "entries.ndjson"));
  return (id: string, mark: string) => {
    const line = lines.find((one) => JSON.parse(one).id === id) as string;
    replace(join(files, `${id}.json`), JSON.stringify(retitled(JSON.parse(line), mark)[0]));
  };
}

function savedLine(content: string, lines: readonly string[]) {
  const place = (id: string) => lines.findIndex((one) => JSON.parse(one).id === id);
  let at: number | undefined;
  return (id: string, mark: string) => {
    at ??= place(id);
    const [changed] = retitled(JSON.parse(lines[at] as string), mark);
    const file = join(content, "entries.ndjson");
    replace(file, `${lines.with(at, JSON.stringify(changed)).join("\n")}\n`);
  };
}

type Polled = Readonly<Record<"published" | "plain", string>>;

/** Requests a file of both again and again; posts how long the slowest answer of each took, in milliseconds. */
async function poll({ published, plain }: Polled): Promise<void> {
  let isOver = false;
  parentPort?.once("message", () => {
    isOver = true;
  });
  // The first request loads what this thread needs for it, which takes 30 ms.
  await timeOf(plain);
  const slowest = { published: 0, plain: 0 };
  while (!isOver) {
    slowest.published = Math.max(slowest.published, await timeOf(published));
    slowest.plain = Math.max(slowest.plain, await timeOf(plain));
    await pause(5);
  }
  parentPort?.postMessage(slowest);
}

async function timeOf(url: string): Promise<number> {
  const start = performance.now();
  const answer = await fetch(url);
  await answer.arrayBuffer();
  if (answer.status !== 200) throw new Error(`${url} is answered with ${answer.status}`);
  return performance.now() - start;
}

if (!isMainThread) await poll(workerData);
else if (import.meta.main) {
  const sizes = process.argv.slice(2).map(Number);
  for (const size of sizes.length > 0 ? sizes : [100, 10_000]) {
    for (const inFiles of [true, false]) {
      const { median, worst, published, plain } = await measureShown(size, inFiles);
      const form = inFiles ? "in files of their own" : "in one file";
      process.stdout.write(
        `${size * 10} entries ${form}: shown ${median} ms, at worst ${worst} ms; published ${published.toFixed(0)} ms, by plain serve-handler ${plain.toFixed(0)} ms\n`,
      );
    }
  }
}
