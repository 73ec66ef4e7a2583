import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import serveHandler from "serve-handler";
import { describe, expect, it } from "vitest";
import { chromiumForTests } from "../browser/browser.ts";
import { shared } from "../support/at-end.ts";
import { pathsBelow } from "../support/file-tree.ts";
import { host } from "../support/server/hosts.ts";
import { lookAt, quietPage } from "./look.ts";
import { BUILD_TOKEN, SitesBed } from "./sites-bed.ts";

const browser = chromiumForTests();
const bed = shared(() => SitesBed.start());
const preview = shared(async () => ({ env: await bed().preview() }));

const FILE = "entries/articles/choosing-a-tent.json";
const AT = "article-choosing-a-tent";
let headline = "How to choose a tent";

/** Gives the article another headline in the content, published or not. */
function rename(to: string): void {
  bed().edit(FILE, headline, to);
  headline = to;
}

/** Serves a built folder as a host of files does. */
const files = (site: string, folder: string) =>
  host((request, response) =>
    serveHandler(request, response, { public: bed().site(site, folder), symlinks: true }),
  );

/** No built file has the token that the build was given. */
function expectNoToken(site: string, ...folders: readonly string[]): void {
  for (const folder of folders) {
    const paths = pathsBelow(bed().site(site, folder));
    expect(paths.length).toBeGreaterThan(1);
    const having = paths.filter((path) =>
      readFileSync(bed().site(site, folder, path)).includes(BUILD_TOKEN),
    );
    expect(having).toEqual([]);
  }
}

describe("the example sites, built", () => {
  it("Astro: static files, from the collections of a loader", async () => {
    bed().build("astro");
    expectNoToken("astro", "dist");
    const origin = await files("astro", "dist");
    await lookAt(await quietPage(browser()), origin);
  });

  it("Vite and React: a hook", async () => {
    bed().build("vite-react");
    expectNoToken("vite-react", "dist");
    const origin = await bed().serve("vite-react", 'vite preview --port "$PORT" --strictPort');
    await lookAt(await quietPage(browser()), origin, 200);
  });

  it("plain HTML: a server without a build", async () => {
    const origin = await bed().serve("plain", "npm start");
    await lookAt(await quietPage(browser()), origin);
  });

  it("Next: drafts for who has the secret; pages are regenerated after a publish, on demand and after a minute", async () => {
    bed().build("next");
    expectNoToken("next", ".next");
    const { SVC_URL, SVC_PREVIEW_TOKEN } = preview().env;
    const secrets = { REVALIDATE_SECRET: "s", DRAFT_SECRET: "d" };
    const drafts = { SVC_PREVIEW_URL: `${SVC_URL}`, SVC_PREVIEW_TOKEN: `${SVC_PREVIEW_TOKEN}` };
    const command = 'next start -p "$PORT"';
    const origin = await bed().serve("next", command, { ...secrets, ...drafts });
    const page = await quietPage(browser());
    await lookAt(page, origin);
    const answer = await fetch(`${origin}/${AT}`);
    expect(answer.headers.get("cache-control")).toMatch(/^s-maxage=60, stale-while-revalidate/);
    const published = headline;
    rename("How to pick a tent");
    const heading = (name: string) => page.getByRole("heading", { name, level: 1 });
    for (const [secret, name] of [
      ["d", headline],
      ["other", published],
    ] as const) {
      await page.goto(`${origin}/draft?secret=${secret}&to=/${AT}`);
      await heading(name).waitFor();
    }
    bed().publish();
    expect(await (await fetch(`${origin}/${AT}`)).text()).not.toContain(headline);
    const regenerate = (secret: string) =>
      fetch(`${origin}/revalidate?id=${AT}`, {
        method: "POST",
        headers: { authorization: `Bearer ${secret}` },
      });
    expect((await regenerate("other")).status).toBe(401);
    expect((await regenerate("s")).status).toBe(204);
    await page.goto(`${origin}/${AT}`);
    await heading(headline).waitFor();
  });

  it("Next: a static export of what is published now", async () => {
    // In the folder of the build before, whose requests Next keeps for a minute.
    rename("How to buy a tent");
    bed().publish();
    bed().build("next", "build:static");
    expectNoToken("next", "out");
    expect(readFileSync(bed().site("next", "out", `${AT}.html`), "utf8")).toContain(headline);
  });
});

describe("the example sites, in a preview", () => {
  it("Vite and React: a draft is shown with the token alone, and its changes without a load", async () => {
    const published = headline;
    rename("How to rent a tent");
    const command = 'vite --port "$PORT" --strictPort';
    const page = await quietPage(browser());
    const heading = () => page.getByRole("heading", { name: headline, level: 1 });
    await page.goto(`${await bed().serve("vite-react", command)}/${AT}`);
    await page.getByRole("heading", { name: published, level: 1 }).waitFor();
    await page.goto(`${await bed().serve("vite-react", command, preview().env)}/${AT}`);
    await heading().waitFor();
    const loaded = await page.evaluate(() => performance.timeOrigin);
    rename("How to mend a tent");
    await heading().waitFor();
    expect(await page.evaluate(() => performance.timeOrigin)).toBe(loaded);
  });

  it.each([
    ["astro", 'astro dev --mode draft --port "$PORT"', AT],
    ["next", 'next dev -p "$PORT"', AT],
    ["plain", "npm start", `prj_web/${AT}`],
  ])("%s: a draft, with the script of the preview", async (site, command, path) => {
    const origin = await bed().serve(site, command, preview().env);
    const page = await quietPage(browser());
    await page.goto(`${origin}/${path}`);
    await page.getByRole("heading", { name: headline, level: 1 }).waitFor();
    expect(await page.locator('script[src$="/_svc/site.js"]').count()).toBe(1);
  });

  it("Astro: a draft that is saved is shown without a restart, and a new article has its address", async () => {
    const command = 'astro dev --mode draft --port "$PORT"';
    const origin = await bed().serve("astro", command, preview().env);
    const text = async (id: string) => (await fetch(`${origin}/${id}`)).text();
    await expect.poll(() => text(AT)).toContain(headline);
    rename("How to patch a tent");
    await expect.poll(() => text(AT)).toContain(headline);
    expect((await fetch(`${origin}/article-of-a-new-tent`)).status).toBe(404);
    bed().copy(FILE, "entries/articles/new-tent.json", "choosing-a-tent", "of-a-new-tent");
    await expect.poll(() => text("article-of-a-new-tent")).toContain(headline);
    rmSync(join(bed().content, "entries/articles/new-tent.json"));
    await expect.poll(() => text("article-of-a-new-tent")).not.toContain(headline);
  });
});
