import { cpSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page, Request } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { CliBed } from "../cli-bed.ts";
import { ServerProcess } from "./server-process.ts";

/** The real `svc preview` of a workspace folder that may be edited, as a process of its own. */
export class PreviewBed extends CliBed {
  server!: ServerProcess;
  readonly content = this.path("content");

  /** Previews a copy of a folder, beside other workspaces of the store. */
  static async of(source: string, ...others: readonly string[]): Promise<PreviewBed> {
    const bed = new PreviewBed(...others);
    cpSync(source, bed.content, { recursive: true });
    await bed.start();
    return bed;
  }

  /** Follows the folder. */
  start(...more: readonly string[]): Promise<void> {
    return this.startStore(this.content, ...more);
  }

  /** Previews the store, whoever changes it. */
  async startStore(...more: readonly string[]): Promise<void> {
    const files = ["--store", this.path("workspace.db"), "--out", this.path("out")];
    this.server = await ServerProcess.start("preview", ...files, ...more);
  }

  /** The link with the access key that the program printed. */
  get link(): string {
    const [link] = /http:\S+#key=\S+/.exec(this.server.stdout) ?? [];
    if (link === undefined) throw new Error(`no link: ${this.server.stdout}`);
    return link;
  }

  get key(): string {
    const [, key] = /#key=([\w-]+)/.exec(this.link) as RegExpExecArray;
    return key as string;
  }

  file(...segments: readonly string[]): string {
    return join(this.content, ...segments);
  }
}

/**
 * Opens the page by its link. When the test ends, nothing must have been asked of another host,
 * and no error must have been logged but those about what the test provokes: answers, and what the
 * policies refuse to html assets.
 */
export async function openPage(
  browser: Browser,
  bed: PreviewBed,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  const { origin } = new URL(bed.link);
  const wrong: string[] = [];
  const isElsewhere = (request: Request) => new URL(request.url()).origin !== origin;
  page.on("response", (response) => {
    if (isElsewhere(response.request())) wrong.push(`answered ${response.url()}`);
  });
  page.on("requestfailed", (request) => {
    // What the policy blocks is told as a request too, although none is made.
    const isBlocked = /csp|BLOCKED/i.test(request.failure()?.errorText ?? "");
    if (isElsewhere(request) && !isBlocked) wrong.push(`asked ${request.url()}`);
  });
  page.on("pageerror", (error) => wrong.push(`error ${error.message}`));
  page.on("console", (message) => {
    const text = message.text();
    const isExpected =
      // A server that goes away refuses, or ends the stream of events in its midst.
      /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_INCOMPLETE_CHUNKED_ENCODING/.test(text) ||
      /status of 40[14]|sandboxed|Security Policy/.test(text);
    if (message.type() === "error" && !isExpected) wrong.push(`logged ${text}`);
  });
  onTestFinished(async () => {
    await context.close();
    expect(wrong).toEqual([]);
  });
  await page.goto(bed.link);
  await page.waitForSelector("h1");
  return page;
}

/** Goes to a place in the page, and waits until it is shown. */
export async function goTo(page: Page, place: string): Promise<void> {
  await page.evaluate(
    (hash) =>
      new Promise<void>((resolve) => {
        const look = () => {
          if (document.querySelector("main[aria-busy]")) requestAnimationFrame(look);
          else resolve();
        };
        if (location.hash === hash) return look();
        addEventListener("hashchange", look, { once: true });
        location.hash = hash;
      }),
    `#/${place}`,
  );
}
