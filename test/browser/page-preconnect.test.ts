import { createServer } from "node:net";
import { chromium } from "playwright-core";
import { expect, it, onTestFinished } from "vitest";
import { PreviewBed } from "../support/server/preview-bed.ts";
import { temporaryFolder } from "../support/test-bed.ts";
import { page as entry, PAGE_MODEL, projectOf } from "../support/workspaces/small-workspace.ts";
import { workspaceFolder } from "../support/workspaces/workspace-folder.ts";

it("an html asset cannot make the browser open connections (link rel=preconnect)", async () => {
  let connections = 0;
  const canary = createServer((socket) => {
    connections += 1;
    socket.on("error", () => {}).end();
  });
  await new Promise<void>((resolve) => canary.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void canary.close());
  const { port } = canary.address() as { port: number };
  const html = { key: "html", type: "html-asset" };
  const home = entry("home", "Home");
  const bed = await PreviewBed.of(
    workspaceFolder({
      "workspace.json": { id: "w", name: "W" },
      "models.json": [{ ...PAGE_MODEL, fields: [...PAGE_MODEL.fields, html] }],
      "projects.json": [projectOf("site", "home")],
      "entries.json": [{ ...home, data: { ...home.data, html: { assetId: "a" } } }],
      "assets.json": [{ id: "a", fileName: "a.html", file: "files/a.html" }],
      "files/a.html": `<link rel="preconnect" href="http://127.0.0.1:${port}"><p>Shown</p>`,
    }),
  );
  // A persistent profile: incognito contexts, as of browser().newContext(), never preconnect.
  const context = await chromium.launchPersistentContext(temporaryFolder(), {
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox"],
  });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto(bed.link);
  await page.goto(`${new URL(bed.link).origin}/#/w/entries/home`);
  await page.frameLocator("iframe").getByText("Shown").waitFor();
  await page.waitForTimeout(1000);
  expect(connections).toBe(0);
});
