import { cpSync } from "node:fs";
import type { Browser } from "playwright-core";
import { atEnd } from "../at-end.ts";
import { STOREFRONT } from "../cli-bed.ts";
import { freePort } from "./free-port.ts";
import { PreviewBed } from "./preview-bed.ts";

/** A preview with a site, its page, and the port at which the site is expected. */
export async function previewWithSite(browser: Browser) {
  const port = await freePort();
  const bed = new PreviewBed();
  cpSync(STOREFRONT, bed.content, { recursive: true });
  const template = `http://localhost:${port}/{project.id}/{experience.key}`;
  await bed.start("--site", template, "--env", bed.path(".env.local"));
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  atEnd(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(300_000);
  const errors: string[] = [];
  page.on("pageerror", ({ message }) => errors.push(message));
  await page.goto(bed.link);
  await page.waitForSelector("h1");
  const frame = page.frameLocator("iframe.site-frame");
  return { bed, page, frame, port, errors };
}
