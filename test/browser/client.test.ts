import { beforeEach, describe, expect, it } from "vitest";
import { readFolder } from "../../src/folder/read-folder.ts";
import { STOREFRONT } from "../support/cli-bed.ts";
import { apiOf } from "../support/server/client-bed.ts";
import { TestBed } from "../support/test-bed.ts";
import { smallWorkspace } from "../support/workspaces/small-workspace.ts";
import { chromiumForTests, clientModule, pageWith } from "./browser.ts";

const browser = chromiumForTests();

describe("K3: the client on a page of another origin, in Chromium", { timeout: 30_000 }, () => {
  let bed: TestBed;
  let baseUrl: string;
  let page: Awaited<ReturnType<typeof pageWith>>;
  beforeEach(async () => {
    bed = new TestBed(smallWorkspace({ previewToken: "browser token/+&" }));
    bed.store.import(readFolder(STOREFRONT), new Date());
    bed.publish({ workspace: "w" });
    bed.publish({ workspace: "storefront" });
    baseUrl = await apiOf(bed);
    page = await pageWith(browser(), clientModule());
    expect(new URL(page.url()).origin).not.toBe(new URL(baseUrl).origin);
  }, 30_000);

  it("K4: reads the config, the schema and the content, and resolves it as it does in Node", async () => {
    const seen = await page.evaluate(async (url) => {
      const client = globalThis.svc.createClient({ baseUrl: url, projectId: "prj_web" });
      const content = await client.content("exp_journal");
      const [navigation, gone] = ["nav-help", "article-northfell-day-6"].map((contentEntryId) =>
        content.resolve({ contentEntryId }),
      );
      return {
        project: (await client.project()).id,
        schema: (await client.schema()).$id,
        journal: content.layout("journal")?.id,
        navigation: navigation?.contentModelKey,
        isGone: gone === undefined,
        text: JSON.stringify(content.references),
      };
    }, baseUrl);
    const path = { kind: "content", projectId: "prj_web", experienceId: "exp_journal" } as const;
    const { text, ...more } = seen;
    expect(more).toEqual({
      ...{ project: "prj_web", schema: bed.file({ kind: "schema", projectId: "prj_web" }).$id },
      ...{ journal: "page-journal", navigation: "navigation", isGone: true },
    });
    expect(JSON.parse(text)).toEqual(bed.file(path).references);
  });

  it("K1: a repeated request passes the preflight with the ETag and returns the cached document", async () => {
    const statuses: number[] = [];
    page.on("response", (response) => {
      if (response.request().method() === "GET") statuses.push(response.status());
    });
    const [first, again] = await page.evaluate(async (url) => {
      const client = globalThis.svc.createClient({ baseUrl: url, projectId: "site" });
      const ask = async () => JSON.stringify([await client.schema(), await client.content("home")]);
      return [await ask(), await ask()];
    }, baseUrl);
    expect(again).toBe(first);
    expect(statuses.sort()).toEqual([200, 200, 200, 304, 304, 304]);
  });

  it.each([
    ["site", undefined, 404, "experience-content-not-published"],
    ["site", "s3cret wrong", 401, "preview-token-invalid"],
    ["", "s3cret", 0, "no-answer"],
  ] as const)("K2: an error is readable over CORS: %s %s %i", async (id, token, status, code) => {
    const url = id === "" ? "http://127.0.0.1:1/api/v1" : baseUrl;
    const error = await page.evaluate(
      async ([url = "", id = "", token]) => {
        const { ApiError, createClient } = globalThis.svc;
        const client = createClient({ baseUrl: url, projectId: id, previewToken: token });
        const error = await client.content("none").catch((thrown: unknown) => thrown);
        if (!(error instanceof ApiError)) return `${error}`;
        return { status: error.status, code: error.code, message: error.message };
      },
      [url, id, token],
    );
    expect(error).toMatchObject({ status, code });
    expect(JSON.stringify(error)).not.toContain("s3cret");
  });
});
