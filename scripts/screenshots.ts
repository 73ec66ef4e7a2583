// tsx scripts/screenshots.ts: makes the pictures of docs/preview.md with the built program, the storefront
// and Chromium (CHROMIUM: its path): the content as it is read, the site beside it, and the changes.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { build } from "esbuild";
import { chromium } from "playwright-core";

const ROOT = join(import.meta.dirname, "..");
const SVC = join(ROOT, "dist/bin/svc.js");
const SITE_PORT = "43117";
const folder = mkdtempSync(join(tmpdir(), "svc-screenshots-"));
const [content, site, env] = ["content", "site.mjs", ".env.local"].map((name) =>
  join(folder, name),
) as [string, string, string];
const config = ["--config", join(content, "svc.config.json")];
const running: ChildProcess[] = [];

/** Starts a server; resolves to the first line that it prints. */
async function started(...args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, args, { cwd: folder, stdio: ["ignore", "pipe", "ignore"] });
  running.push(child);
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  return line;
}

function edit(file: string, from: string, to: string): void {
  const path = join(content, file);
  writeFileSync(path, readFileSync(path, "utf8").replace(from, to));
}

try {
  cpSync(join(ROOT, "fixtures/storefront"), content, { recursive: true });
  execFileSync(process.execPath, [SVC, "publish", "content", "--quiet", ...config], {
    cwd: folder,
  });
  edit("entries/pages/home.json", "Kit for long days and changing weather", "Kit for any weather");
  await build({
    entryPoints: [join(ROOT, "fixtures/sites/plain/server.js")],
    alias: {
      "@svc-publish/client": join(ROOT, "src/client/client.ts"),
      "@svc-publish/client/rich-text": join(ROOT, "src/client/rich-text.ts"),
    },
    outfile: site,
    bundle: true,
    format: "esm",
    platform: "node",
    logLevel: "error",
  });
  const template = `http://localhost:${SITE_PORT}/{project.id}/{experience.key}`;
  const options = ["--port", "0", "--site", template, "--env", env, ...config];
  const link = await started(SVC, "dev", "content", ...options);
  while (!existsSync(env)) await pause(50);
  writeFileSync(env, `${readFileSync(env, "utf8")}PORT=${SITE_PORT}\n`);
  await started(`--env-file=${env}`, site);
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox"],
  });
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const shot = async (name: string, place: string, isSiteOpen: boolean) => {
    await page.evaluate(`location.hash = ${JSON.stringify(`#/storefront/${place}`)}`);
    await page.waitForTimeout(2000);
    const button = page.locator(isSiteOpen ? "#site-open" : "#site button:text('Close')");
    if (await button.isVisible()) await button.click();
    if (isSiteOpen) await page.frameLocator("#site iframe").locator("article").first().waitFor();
    await page.waitForTimeout(2000);
    await page.screenshot({ path: join(ROOT, "docs", `${name}.png`) });
  };
  await page.goto(link);
  await page.locator("main h1").waitFor();
  await shot("preview-page", "entries/page-home", false);
  await shot("preview-changes", "changes", false);
  await shot("preview-site", "projects/prj_web/experiences/exp_browse", true);
  await browser.close();
} finally {
  for (const child of running) child.kill("SIGTERM");
  await Promise.all(running.map((child) => child.exitCode ?? once(child, "exit")));
  rmSync(folder, { recursive: true });
}
