import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { onTestFinished } from "vitest";
import { host } from "../support/server/hosts.ts";

const ROOT = join(import.meta.dirname, "../..");

/** Builds the package; returns the folder of the built client. */
export function builtClient(): string {
  const { status, stdout, stderr } = spawnSync("npm", ["run", "build"], {
    cwd: ROOT,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`npm run build failed: ${stdout}${stderr}`);
  return join(ROOT, "dist/src/client");
}

/** Launches headless Chromium; without it the tests fail. */
export function launchChromium(): Promise<Browser> {
  const { CHROMIUM } = process.env;
  const candidates = ["/usr/bin/chromium", "/usr/bin/chromium-browser"];
  const executablePath = [...(CHROMIUM ? [CHROMIUM] : []), ...candidates].find(existsSync);
  if (executablePath === undefined) {
    throw new Error(
      "these tests need Chromium: apt-get install chromium, or set CHROMIUM to its path",
    );
  }
  return chromium.launch({ executablePath, args: ["--no-sandbox"] });
}

/** The client's module, a global in the page. */
declare global {
  var svc: typeof import("../../src/client/client.ts");
}

/** A page of another origin that has loaded the built client as a module. */
export async function pageWith(browser: Browser, folder: string): Promise<Page> {
  const origin = await host((request, response) => {
    const [, name] = /^\/(\w+\.js)$/.exec(request.url ?? "") ?? [];
    const path = name === undefined ? undefined : join(folder, name);
    if (request.url === "/") {
      response.writeHead(200, { "Content-Type": "text/html" }).end(HTML);
    } else if (path !== undefined && existsSync(path)) {
      response.writeHead(200, { "Content-Type": "text/javascript" }).end(readFileSync(path));
    } else {
      response.writeHead(404).end();
    }
  });
  const context = await browser.newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto(`${origin}/`);
  await page.waitForFunction(() => "svc" in globalThis);
  return page;
}

const HTML = `<!doctype html>
<title>A page of another origin</title>
<link rel="icon" href="data:,">
<script type="module">
  import * as client from "/client.js";
  globalThis.svc = client;
</script>`;
