import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page, Request } from "playwright-core";
import { expect } from "vitest";
import { atEnd } from "../at-end.ts";
import { CliBed } from "../cli-bed.ts";
import { ServerProcess } from "./server-process.ts";

/** A bed with `svc dev` or `svc preview` as a child process, and a workspace folder to edit. */
export class PreviewBed extends CliBed {
  server!: ServerProcess;
  readonly content = this.path("content");

  /** Follows a copy of the folder. */
  static async of(source: string, ...more: readonly string[]): Promise<PreviewBed> {
    const bed = new PreviewBed();
    cpSync(source, bed.content, { recursive: true });
    await bed.start(...more);
    return bed;
  }

  /** Previews a store with these workspaces; `content` is a copy of the first one. */
  static async ofStore(source: string, ...others: readonly string[]): Promise<PreviewBed> {
    const bed = new PreviewBed(source, ...others);
    cpSync(source, bed.content, { recursive: true });
    await bed.startStore();
    return bed;
  }

  /** Follows the folder `content`, with the configuration in it. */
  async start(...more: readonly string[]): Promise<void> {
    const config = this.file("svc.config.json");
    const options = existsSync(config) ? ["--config", config, ...more] : more;
    this.server = await ServerProcess.start("dev", this.content, ...options);
  }

  /** Previews the store. */
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
 * Opens the page by its link. At the end of the test (`shared`: of the file), checks that no request went to another host
 * and that no error was logged, except those that tests provoke: responses, and what the policies
 * refuse to html assets.
 *
 * @param others the origins to which requests may go, too
 */
export async function openPage(
  browser: Browser,
  bed: PreviewBed,
  options: BrowserContextOptions = {},
  others: readonly string[] = [],
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  context.setDefaultTimeout(300_000);
  const page = await context.newPage();
  const { origin } = new URL(bed.link);
  const wrong: string[] = [];
  const isElsewhere = (request: Request) =>
    ![origin, ...others].includes(new URL(request.url()).origin);
  page.on("response", (response) => {
    if (isElsewhere(response.request())) wrong.push(`response from ${response.url()}`);
  });
  page.on("requestfailed", (request) => {
    // A request that the policy blocks fails with this event too, but is never sent.
    const isBlocked = /csp|BLOCKED/i.test(request.failure()?.errorText ?? "");
    if (isElsewhere(request) && !isBlocked) wrong.push(`request to ${request.url()}`);
  });
  page.on("pageerror", (error) => wrong.push(`error ${error.message}`));
  page.on("console", (message) => {
    const text = message.text();
    const isExpected =
      // A stopped server refuses connections, breaks the event stream, or answers 503.
      /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_INCOMPLETE_CHUNKED_ENCODING/.test(text) ||
      /status of (40[149]|422|503)|sandboxed|Security Policy/.test(text);
    if (message.type() === "error" && !isExpected) wrong.push(`logged ${text}`);
  });
  atEnd(async () => {
    await context.close();
    expect(wrong).toEqual([]);
  });
  await page.goto(bed.link);
  await page.waitForSelector("h1");
  return page;
}

/** Navigates to a place in the page, and waits until it is rendered. */
export async function goTo(page: Page, place: string): Promise<void> {
  await page.evaluate(
    (hash) =>
      new Promise<void>((resolve) => {
        const check = () => {
          if (document.querySelector("main[aria-busy]")) requestAnimationFrame(check);
          else resolve();
        };
        if (location.hash === hash) return check();
        addEventListener("hashchange", check, { once: true });
        location.hash = hash;
      }),
    `#/${place}`,
  );
}
