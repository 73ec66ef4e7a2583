import type { Browser, Page } from "playwright-core";
import { expect } from "vitest";
import { expectAccessible } from "../browser/axe.ts";
import { atEnd } from "../support/at-end.ts";

const ARTICLE = "Day one: Thornbeck to Hallgarth";
const NEXT = "Day two: Hallgarth to Ravensike";

/** What pictures of other hosts are in these tests. */
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** A page that reaches this machine only, and in which, until the end of the test, nothing may be logged as an error. */
export async function quietPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext();
  const wrong: string[] = [];
  await context.route(
    ({ hostname }) => !["localhost", "127.0.0.1"].includes(hostname),
    (route) => {
      const { hostname } = new URL(route.request().url());
      if (hostname === "media.tarnandtrail.example") {
        return route.fulfill({ body: PIXEL, contentType: "image/png" });
      }
      wrong.push(`a request to ${hostname}`);
      return route.abort();
    },
  );
  const page = await context.newPage();
  page.setDefaultTimeout(300_000);
  page.on("pageerror", ({ message }) => wrong.push(message));
  page.on("console", (message) => {
    const is404 = message.text().includes("status of 404");
    if (message.type() === "error" && !is404) wrong.push(message.text());
  });
  atEnd(async () => {
    await context.close();
    expect(wrong).toEqual([]);
  });
  return page;
}

/**
 * Looks at a site: its first page, two pages of the list, an article and the next one, and a page that does not exist.
 *
 * @param missing the status of the last one: a site of one HTML file answers 200
 */
export async function lookAt(page: Page, origin: string, missing = 404): Promise<void> {
  const heading = (name: string) => page.getByRole("heading", { name, level: 1 });
  await page.goto(origin);
  await heading("Kit for long days and changing weather").waitFor();
  // Of the project's own fields.
  await page.getByText("Tarn & Trail", { exact: true }).first().waitFor();
  // A computed reference.
  await page.getByRole("link", { name: "Day seven: Garsmere to Saltersand" }).waitFor();
  await expectAccessible(page, "the first page");

  await page
    .getByRole("link", { name: /^(The journal|Journal, page 1)$/ })
    .first()
    .click();
  await heading("Journal").waitFor();
  const titles = () => page.locator("main li > a, main h2 > a").allTextContents();
  const first = await titles();
  expect(first.length).toBe(5);
  await expectAccessible(page, "the list");
  await page.getByRole("navigation").getByRole("link", { name: /2$/ }).click();
  await page.waitForURL(/journal-2$/);
  await expect.poll(async () => (await titles()).length).toBe(3);
  const second = await titles();
  expect(second.filter((title) => first.includes(title))).toEqual([]);

  await page.getByRole("link", { name: ARTICLE }).click();
  await heading(ARTICLE).waitFor();
  await page.getByText("Ines Moreau").first().waitFor();
  await page.locator("main strong", { hasText: "there is no water" }).waitFor();
  const picture = page.locator("main img").first();
  await expect
    .poll(() => picture.evaluate((one) => (one as HTMLImageElement).naturalWidth))
    .toBe(160);
  await expectAccessible(page, "an article");
  await page.getByRole("link", { name: NEXT }).click();
  await heading(NEXT).waitFor();

  const answer = await page.goto(`${origin}/there-is-none`);
  expect(answer?.status()).toBe(missing);
  await heading("There is no such page").waitFor();
}
