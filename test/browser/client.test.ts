import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readFolder } from "../../src/folder/read-folder.ts";
import { STOREFRONT } from "../support/cli-bed.ts";
import { apiOf } from "../support/server/client-bed.ts";
import { TestBed } from "../support/test-bed.ts";
import { page as pageEntry, smallWorkspace } from "../support/workspaces/small-workspace.ts";
import { clientModule, launchChromium, pageWith } from "./browser.ts";

const TOKEN = "browser token/+&";

let browser: Browser;
let client: string;
beforeAll(async () => {
  client = clientModule();
  browser = await launchChromium();
}, 120_000);
afterAll(() => browser?.close());

describe("the built client on a page of another origin, in Chromium", { timeout: 30_000 }, () => {
  let bed: TestBed;
  let baseUrl: string;
  let page: Page;
  beforeEach(async () => {
    bed = new TestBed(smallWorkspace({ previewToken: TOKEN }));
    bed.store.import(readFolder(STOREFRONT), new Date());
    bed.publish({ workspace: "w" });
    bed.publish({ workspace: "storefront" });
    baseUrl = await apiOf(bed);
    page = await pageWith(browser, client);
    expect(new URL(page.url()).origin).not.toBe(new URL(baseUrl).origin);
  }, 30_000);

  it("reads the config, the schema and the content, and resolves it as it does in Node", async () => {
    const seen = await page.evaluate(async (url) => {
      const client = globalThis.svc.createClient({ baseUrl: url, projectId: "prj_web" });
      const content = await client.content("exp_journal");
      const journal = content.layout("journal");
      const [navigation, gone] = ["nav-help", "article-northfell-day-6"].map((contentEntryId) =>
        content.resolve({ contentEntryId }),
      );
      return {
        project: (await client.project()).id,
        schema: (await client.schema()).$id,
        journal: journal?.id,
        headline: journal?.data.headline,
        navigation: navigation?.contentModelKey,
        isGone: gone === undefined,
        noLayout: content.layout("home") === undefined,
        isOneVersion: content.versionId === content.project.versionId,
        text: JSON.stringify(content.references),
      };
    }, baseUrl);
    const path = { kind: "content", projectId: "prj_web", experienceId: "exp_journal" } as const;
    const { text, ...more } = seen;
    expect(more).toEqual({
      project: "prj_web",
      schema: bed.file({ kind: "schema", projectId: "prj_web" }).$id,
      journal: "page-journal",
      headline: "Seven days on the Northfell Way",
      navigation: "navigation",
      isGone: true,
      noLayout: true,
      isOneVersion: true,
    });
    expect(JSON.parse(text)).toEqual(bed.file(path).references);
  });

  it("a repeated request passes the preflight with the ETag and returns the cached document", async () => {
    const statuses: number[] = [];
    page.on("response", (response) => {
      if (response.request().method() === "GET") statuses.push(response.status());
    });
    const same = await page.evaluate(async (url) => {
      const client = globalThis.svc.createClient({ baseUrl: url, projectId: "site" });
      const [project, schema] = [await client.project(), await client.schema()];
      const content = await client.content("home");
      const again = await client.content("home");
      const pairs = [
        [await client.project(), project],
        [await client.schema(), schema],
        [again.project, project],
        [again.content, content.content],
      ];
      return pairs.map(([held, first]) => JSON.stringify(held) === JSON.stringify(first));
    }, baseUrl);
    expect(same).toEqual([true, true, true, true]);
    expect(statuses.sort()).toEqual([200, 200, 200, 304, 304, 304, 304, 304]);
  });

  it("reads a new version", async () => {
    const titleOf = () =>
      page.evaluate(async (url) => {
        const holder = globalThis as { held?: ReturnType<typeof globalThis.svc.createClient> };
        holder.held ??= globalThis.svc.createClient({ baseUrl: url, projectId: "site" });
        const entry = (await holder.held.content("home")).layout("step-home");
        return (entry?.data as { title?: string } | undefined)?.title;
      }, baseUrl);
    expect(await titleOf()).toBe("Home");
    bed.import(smallWorkspace({ previewToken: TOKEN, entries: [pageEntry("home", "New")] }));
    bed.publish({ workspace: "w" });
    expect(await titleOf()).toBe("New");
  });

  it("reads the draft with a token", async () => {
    bed.import(smallWorkspace({ previewToken: TOKEN, entries: [pageEntry("home", "Draft")] }));
    const titles = await page.evaluate(
      async ([url = "", token = ""]) => {
        const options = { baseUrl: url, projectId: "site" };
        const clients = [options, { ...options, previewToken: token }].map((given) =>
          globalThis.svc.createClient(given),
        );
        const contents = await Promise.all(clients.map((client) => client.content("home")));
        return contents.map((content) => content.layout("step-home")?.data.title);
      },
      [baseUrl, TOKEN],
    );
    expect(titles).toEqual(["Home", "Draft"]);
  });

  /** The error of content("none") in the page. */
  function errorIn(url: string, projectId: string, previewToken?: string) {
    return page.evaluate(
      async ([baseUrl = "", id = "", token]) => {
        const { ApiError, createClient } = globalThis.svc;
        const client = createClient({ baseUrl, projectId: id, previewToken: token });
        const ask = id === "site" ? client.content("none") : client.project();
        const error = await ask.then(
          () => undefined,
          (thrown: unknown) => thrown,
        );
        if (!(error instanceof ApiError)) return `${error}`;
        const { status, code, detail, url, message } = error;
        return { status, code, detail, url, message };
      },
      [url, projectId, previewToken],
    );
  }

  it("404: ApiError, readable over CORS", async () => {
    expect(await errorIn(baseUrl, "site")).toMatchObject({
      status: 404,
      code: "experience-content-not-published",
      detail: "The experience has no content.",
      url: `${baseUrl}/projects/site/experiences/none/content`,
    });
    expect(await errorIn(baseUrl, "nowhere")).toMatchObject({
      status: 404,
      code: "project-not-found",
      detail: "No published project has this address.",
    });
  });

  it("401: ApiError, without the token", async () => {
    const error = await errorIn(baseUrl, "site", "s3cret wrong");
    expect(error).toMatchObject({
      status: 401,
      code: "preview-token-invalid",
      detail: "The preview_token is not valid.",
    });
    expect(JSON.stringify(error)).not.toContain("s3cret");
  });

  it("no server: ApiError with status 0", async () => {
    expect(await errorIn("http://127.0.0.1:1/api/v1", "p", "s3cret")).toMatchObject({ status: 0 });
  });
});
