import { join } from "node:path";
import { buildSync } from "esbuild";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import { host } from "../support/server/hosts.ts";
import { type ChromiumOptions, chromiumOptions } from "./chromium.ts";

/** A module of the client's package, with what it imports. */
export function clientModule(name = "client"): string {
  const entryPoints = [join(import.meta.dirname, `../../src/client/${name}.ts`)];
  const { outputFiles } = buildSync({ entryPoints, format: "esm", bundle: true, write: false });
  return outputFiles[0]?.text ?? "";
}

/** Every view of a workspace `w` with an entry `home`, and an experience `e` of a project `site`. */
export const VIEWS = [
  "",
  "/entries",
  "/entries/home",
  "/entries/home?translate=de",
  "/assets",
  "/models",
  "/features",
  "/problems",
  "/changes",
  "/projects/site",
  ...["", "/changes", "/documents"].map((part) => `/projects/site/experiences/e${part}`),
];

/** Headless Chromium, for the tests of a file; without it they fail. */
export function chromiumForTests(options?: ChromiumOptions): () => Browser {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch(chromiumOptions(options));
  });
  afterAll(() => browser?.close());
  return () => browser;
}

/** The client's module, a global in the page. */
declare global {
  var svc: typeof import("../../src/client/client.ts");
}

/** A page of another origin that has loaded the client as a module. */
export async function pageWith(browser: Browser, client: string): Promise<Page> {
  const origin = await host((request, response) => {
    const isClient = request.url === "/client.js";
    response.writeHead(200, { "Content-Type": isClient ? "text/javascript" : "text/html" });
    response.end(isClient ? client : HTML);
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
