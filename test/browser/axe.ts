import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { expect } from "vitest";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Checks that axe finds nothing serious or critical in what the page shows now, in both colour schemes. */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  await page.emulateMedia({ colorScheme: "dark" });
  // All but colours are the same in both.
  expect(await seriousFindings(page, ["color-contrast"]), `${what} in dark`).toEqual([]);
  await page.emulateMedia({ colorScheme: "light" });
  expect(await seriousFindings(page), `${what} in light`).toEqual([]);
}

/** The serious and critical findings of axe, of all its rules or of these, with their places. */
async function seriousFindings(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(AXE);
  return page.evaluate(async (only) => {
    const { axe } = globalThis as unknown as {
      axe: {
        run(
          options: object,
        ): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }>;
      };
    };
    // Colours that are on their way to others are none to judge.
    for (const one of document.getAnimations()) one.finish();
    const { violations } = await axe.run(only ? { runOnly: only } : {});
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  }, rules);
}
