import { describe, expect, it } from "vitest";
import { createClient } from "../../src/client/client.ts";
import {
  apiOf,
  EXPERIENCES,
  errorOf,
  recorded,
  servedStorefront,
} from "../support/server/client-bed.ts";
import { host } from "../support/server/hosts.ts";
import { TestBed } from "../support/test-bed.ts";
import { page, smallWorkspace } from "../support/workspaces/small-workspace.ts";

const TOKEN = "folder token/+&=% 0123456789";

function smallBed(): TestBed {
  const bed = new TestBed(smallWorkspace({ previewToken: TOKEN }));
  bed.publish();
  return bed;
}

describe("the client reads the documents of a project", () => {
  it("project() returns the config, content() the content of an experience, schema() the schema", async () => {
    const baseUrl = await servedStorefront();
    const client = createClient({ baseUrl, projectId: "prj_web" });
    const served = async (path: string) =>
      (await fetch(`${baseUrl}/projects/prj_web${path}`)).json();
    expect(await client.project()).toEqual(await served(""));
    expect(await client.schema()).toEqual(await served("/schema"));
    for (const id of EXPERIENCES.prj_web) {
      const content = await client.content(id);
      expect(content).toMatchObject((await served(`/experiences/${id}/content`)) as object);
      expect(await content.project()).toEqual(await served(""));
    }
  });

  it("K6: content() of an id is one request, and its config another one when it is needed first", async () => {
    const baseUrl = await apiOf(smallBed());
    const { client, recorder } = recorded(baseUrl, "site");
    const paths = () => recorder.takeExchanges().map(({ url }) => url.replace(/^.*\/api\/v1/, ""));
    await client.project();
    expect(paths()).toEqual(["/projects/site"]);
    await client.schema();
    expect(paths()).toEqual(["/projects/site/schema"]);
    const content = await client.content("home");
    expect(paths()).toEqual(["/projects/site/experiences/home/content"]);
    const other = recorded(baseUrl, "site");
    const unread = await other.client.content("home");
    other.recorder.takeExchanges();
    expect((await unread.layout("step-home"))?.id).toBe("home");
    await unread.layout("step-home");
    await unread.project();
    expect(other.recorder.takeExchanges()).toMatchObject([{ url: `${baseUrl}/projects/site` }]);
    // The first client has read the config of this version already.
    expect((await content.layout("step-home"))?.id).toBe("home");
    expect(paths()).toEqual([]);
  });

  it("the base URL may end in slashes", async () => {
    const baseUrl = await apiOf(smallBed());
    for (const slashes of ["", "/", "//"]) {
      const { client, recorder } = recorded(baseUrl + slashes, "site");
      await client.project();
      expect(recorder.takeExchanges()).toMatchObject([{ url: `${baseUrl}/projects/site` }]);
    }
  });

  it("an id is one path segment, whatever characters it has", async () => {
    const targets: (string | undefined)[] = [];
    const url = await host((request, response) => {
      targets.push(request.url);
      response.writeHead(404).end();
    });
    const odd = "a/b?c=d#e%2F é&";
    const encoded = "a%2Fb%3Fc%3Dd%23e%252F%20%C3%A9%26";
    const client = createClient({ baseUrl: `${url}/api/v1`, projectId: odd });
    const error = await errorOf(client.content(odd));
    const config = `/api/v1/projects/${encoded}`;
    expect(targets.sort()).toEqual([config, `${config}/experiences/${encoded}/content`]);
    expect(error.url.startsWith(`${url}${config}`)).toBe(true);
  });
});

describe("preview", () => {
  it("with a token the draft is read: every request has the token, and versionId is null", async () => {
    const bed = smallBed();
    bed.import(smallWorkspace({ previewToken: TOKEN, entries: [page("home", "Draft")] }));
    const baseUrl = await apiOf(bed);
    const { client, recorder } = recorded(baseUrl, "site", TOKEN);
    const content = await client.content("home");
    await client.schema();
    expect((await content.layout("step-home"))?.data).toMatchObject({ title: "Draft" });
    expect([content.versionId, (await content.project()).versionId]).toEqual([null, null]);
    const query = `?preview_token=${encodeURIComponent(TOKEN)}`;
    expect(recorder.takeExchanges().map(({ url }) => url.slice(url.indexOf("?")))).toEqual([
      query,
      query,
      query,
    ]);
    const published = await createClient({ baseUrl, projectId: "site" }).content("home");
    expect((await published.layout("step-home"))?.data).toMatchObject({ title: "Home" });
  });
});
