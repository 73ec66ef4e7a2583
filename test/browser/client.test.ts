import { expect, it, onTestFinished } from "vitest";
import { readFolder } from "../../src/folder/read-folder.ts";
import { STOREFRONT } from "../support/cli-bed.ts";
import { apiOf } from "../support/server/client-bed.ts";
import { CountedLive } from "../support/server/event-client.ts";
import { serve } from "../support/server/serving.ts";
import { TestBed } from "../support/test-bed.ts";
import { page as pageOf, smallWorkspace } from "../support/workspaces/small-workspace.ts";
import { chromiumForTests, clientModule, pageWith } from "./browser.ts";

const browser = chromiumForTests();

it("K3: on a page of another origin the client reads, caches and resolves, and its errors are readable", async () => {
  const bed = new TestBed();
  bed.store.import(readFolder(STOREFRONT), new Date());
  bed.publish();
  const baseUrl = await apiOf(bed);
  const page = await pageWith(browser(), clientModule());
  expect(new URL(page.url()).origin).not.toBe(new URL(baseUrl).origin);
  const statuses: number[] = [];
  page.on("response", (response) => {
    if (response.request().method() === "GET") statuses.push(response.status());
  });
  const seen = await page.evaluate(async (url) => {
    const { ApiError, createClient } = globalThis.svc;
    const client = createClient({ baseUrl: url, projectId: "prj_web" });
    const content = await client.content("exp_journal");
    const again = await client.content("exp_journal");
    const resolved = content.resolve({ contentEntryId: "nav-help" });
    const failing = [
      createClient({ baseUrl: url, projectId: "prj_web", previewToken: "s3cret wrong" }),
      createClient({
        baseUrl: "http://127.0.0.1:1/api/v1",
        projectId: "p",
        previewToken: "s3cret",
      }),
    ];
    const errors = failing.map((one) => one.project().catch((thrown: unknown) => thrown));
    return {
      // As text, since values that leave the page lose members named `__proto__`.
      text: JSON.stringify(content.references),
      isSame: JSON.stringify(again) === JSON.stringify(content),
      resolved: [(await content.layout("journal"))?.id, resolved?.contentModelKey],
      errors: (await Promise.all(errors)).map((error) =>
        error instanceof ApiError ? [error.status, error.code, error.message] : `${error}`,
      ),
    };
  }, baseUrl);
  const address = { kind: "content", projectId: "prj_web", experienceId: "exp_journal" } as const;
  expect(seen).toMatchObject({
    isSame: true,
    resolved: ["page-journal", "navigation"],
    errors: [
      [401, "preview-token-invalid", expect.any(String)],
      [0, "no-answer", expect.any(String)],
    ],
  });
  expect(JSON.parse(seen.text)).toEqual(bed.file(address).references);
  expect(JSON.stringify(seen.errors)).not.toContain("s3cret");
  // K1: the second time passes the preflight with the ETag; the config is read for the layout.
  expect(statuses.sort()).toEqual([200, 200, 304, 401]);
});

it("K14: on a page of another origin the client hears of changes of the draft", async () => {
  const previewToken = "s3cret token/+ä% 0123456789";
  const bed = new TestBed(smallWorkspace({ previewToken }));
  const live = new CountedLive(bed.store, (error) => expect.fail(String(error)));
  onTestFinished(() => live.close());
  const { url } = await serve(bed, { live });
  const page = await pageWith(browser(), clientModule());
  const options = { baseUrl: `${url}/api/v1`, projectId: "site", previewToken };
  const heard = page.evaluate((given) => {
    const client = globalThis.svc.createClient(given);
    return new Promise<unknown>((resolve) => {
      const stop = client.onChange((change) => resolve([change, stop()]));
    });
  }, options);
  await expect.poll(() => live.listening).toBeGreaterThan(0);
  let edits = 0;
  const edit = setInterval(() => {
    edits += 1;
    const entries = [pageOf("home", `Home ${edits}`)];
    bed.import(smallWorkspace({ previewToken, entries }));
  }, 200);
  onTestFinished(() => clearInterval(edit));
  const [change] = (await heard) as [unknown];
  clearInterval(edit);
  expect(change).toEqual({ experiences: ["home"], project: false, schema: false });
  await expect.poll(() => live.listening).toBe(0);
});
