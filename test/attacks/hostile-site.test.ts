import { cpSync } from "node:fs";
import { createServer } from "node:http";
import { describe, expect, it } from "vitest";
import { chromiumForTests } from "../browser/browser.ts";
import { atEnd, shared } from "../support/at-end.ts";
import { STOREFRONT } from "../support/cli-bed.ts";
import { freePort } from "../support/server/free-port.ts";
import { host } from "../support/server/hosts.ts";
import { goTo, PreviewBed } from "../support/server/preview-bed.ts";
import { previewWithSite } from "../support/server/site-preview.ts";

const BROWSE = "storefront/projects/prj_web/experiences/exp_browse";
const HELP = "storefront/projects/prj_web/experiences/exp_help";

const browser = chromiumForTests({ hasFrames: true });

/** What a hostile site does at once; `page` is the origin of the preview. */
const ATTACK = `<!doctype html><input id="take"><p data-svc="page-home/summary" id="lead">Lead</p><script>
const send = (data) => parent.postMessage(data, "*");
const wrong = [null, 1, "svc:open", [], {}, { type: 1 }, { type: "svc:open" }, { type: "svc:open", at: 7 },
  { type: "svc:open", at: { toString: 1 } }, { type: "svc:open", at: "" }, { type: "svc:open", at: "x".repeat(1e6) },
  { type: "svc:open", at: "page-home/summary" }, { type: "svc:open", at: "../../#/evil" },
  { type: "svc:open", at: "\\"><script>top.hit=1<\\/script>/%00/\\u202e" }, { type: "svc:hello", at: [1] }];
try { parent.location = "https://evil.example/"; } catch {}
try { top.location.hash = "#/evil"; } catch {}
setInterval(() => take.focus(), 50);
setTimeout(() => {
  alert("stop");
  send({ type: "svc:open", at: "x".repeat(1e6) });
  for (let at = 0; at < 1e5; at += 1) send(wrong[at % wrong.length]);
  location.hash = "done";
}, 500);
</script>`;

/** What it does at clicks: it opens what is no entry, then a field with an odd name. */
const ODD = `"><img src=x onerror="top.hit=1">#?/../%2e%2e/\u202e/\ud800`;
const CLICKED = `<!doctype html><input id="take"><p id="lead">Lead</p><script>
setInterval(() => navigator.userActivation.hasBeenActive || take.focus(), 200);
const places = [${JSON.stringify(ODD)}, "page-home/" + ${JSON.stringify(ODD)}];
addEventListener("click", () => parent.postMessage({ type: "svc:open", at: places.shift() }, "*"));
</script>`.replaceAll("><img", ">\\x3cimg");

describe("a hostile site", () => {
  /** Where it leads instead of answering. */
  let leads: string | undefined;
  const preview = shared(async () => {
    const made = await previewWithSite(browser());
    const site = createServer(({ url = "" }, response) => {
      const html = url.includes("help") ? CLICKED : ATTACK;
      if (leads !== undefined) response.writeHead(302, { Location: leads }).end();
      else response.writeHead(200, { "Content-Type": "text/html; charset=utf-8" }).end(html);
    });
    await new Promise<void>((resolve) => site.listen(made.port, "localhost", resolve));
    atEnd(() => {
      site.closeAllConnections();
      site.close();
    });
    return made;
  });

  it("H47b: a click opens entries only, however odd its place is", async () => {
    const { page, frame, errors } = preview();
    await goTo(page, HELP);
    await frame.locator("#lead").click();
    await page.waitForTimeout(100);
    expect(page.url()).toContain(HELP);
    await frame.locator("#lead").click();
    await page.waitForURL(/#\/storefront\/entries\/page-home\?at=/);
    await page.waitForSelector("main:not([aria-busy]) h1");
    expect(await page.locator("main img[onerror]").count()).toBe(0);
    expect(await page.evaluate(() => "hit" in globalThis)).toBe(false);
    expect(errors).toEqual([]);
  });

  it("H47b: leads nowhere without a click, and no flood of messages is noticed", async () => {
    const { page, errors } = preview();
    await goTo(page, BROWSE);
    await page.locator("iframe.site-frame").waitFor();
    // A click in the page is none in the site.
    await page.locator("main h1").click();
    const before = page.url();
    // The page answers while the site floods it.
    const longest = await page.evaluate(async () => {
      let most = 0;
      for (const started = performance.now(); performance.now() - started < 2500; ) {
        const asked = performance.now();
        await new Promise((resolve) => setTimeout(resolve, 10));
        most = Math.max(most, performance.now() - asked);
      }
      return most;
    });
    expect(longest).toBeLessThan(20_000);
    expect(page.url()).toBe(before);
    expect(await page.evaluate(() => "hit" in globalThis)).toBe(false);
    expect(errors).toEqual([]);
  });

  it("H47b: takes no focus from a field in which one types", async () => {
    const { page } = preview();
    await goTo(page, `${HELP}/documents`);
    const focused = () => page.evaluate(() => document.activeElement?.id);
    await page.evaluate(() => {
      const field = Object.assign(document.createElement("input"), { id: "field" });
      document.querySelector("main article")?.append(field);
      field.focus();
    });
    for (let at = 0; at < 8; at += 1) {
      await page.keyboard.press("x");
      await page.waitForTimeout(120);
    }
    await expect.poll(focused).toBe("field");
    expect(await page.locator("#field").inputValue()).toMatch(/^x{3,}$/);
  });

  it("H46b: leads the frame neither to other hosts nor to this page", async () => {
    const { page, bed } = preview();
    let requests = 0;
    const other = await host((_, response) => {
      requests += 1;
      response.end("elsewhere");
    });
    for (const to of [other, bed.link, "javascript:parent.hit=1", "data:text/html,<p>data</p>"]) {
      leads = to;
      await goTo(page, HELP);
      await goTo(page, BROWSE);
      await page.locator("iframe.site-frame").waitFor();
      await page.waitForTimeout(500);
      const shown = await Promise.all(
        page
          .frames()
          .map((one) => (one === page.mainFrame() ? "" : one.locator("body").innerText())),
      );
      expect(shown.join(""), to).not.toMatch(/elsewhere|data|Storefront/);
    }
    leads = undefined;
    expect(requests).toBe(0);
    expect(await page.evaluate(() => "hit" in globalThis)).toBe(false);
  });

  it("H47b: other windows and origins are not heeded", async () => {
    const { page } = preview();
    const before = page.url();
    await page.evaluate(() => postMessage({ type: "svc:open", at: "page-home/summary" }, "*"));
    await page.waitForTimeout(100);
    expect(page.url()).toBe(before);
  });

  it("H46b: is in a sandbox, and cannot be this page itself", async () => {
    const { page, bed } = preview();
    await goTo(page, BROWSE);
    const sandbox = await page.locator("iframe.site-frame").getAttribute("sandbox");
    expect(sandbox).toBe("allow-scripts allow-same-origin allow-forms allow-popups");
    const own = new PreviewBed();
    cpSync(STOREFRONT, own.content, { recursive: true });
    const port = await freePort();
    await own.start("--port", String(port), "--site", `http://127.0.0.1:${port}/`);
    await page.goto(own.link.replace(/&to=.*/, ""));
    await page.goto(`${new URL(own.link).origin}/#/${BROWSE}`);
    await page.getByText("Your site has the address of this page").waitFor();
    expect(await page.locator("iframe.site-frame").count()).toBe(0);
    expect(bed.link).not.toBe(own.link);
  });
});
