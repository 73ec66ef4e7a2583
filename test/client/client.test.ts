import { describe, expect, it, vi } from "vitest";
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
      expect(content.project).toEqual(await served(""));
    }
  });

  it("each document is requested once: content() requests the content and the config", async () => {
    const { client, recorder } = recorded(await apiOf(smallBed()), "site");
    const paths = () => recorder.takeExchanges().map(({ url }) => url.replace(/^.*\/api\/v1/, ""));
    await client.project();
    expect(paths()).toEqual(["/projects/site"]);
    await client.schema();
    expect(paths()).toEqual(["/projects/site/schema"]);
    await client.content("home");
    expect(paths()).toEqual(["/projects/site", "/projects/site/experiences/home/content"]);
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
    await vi.waitFor(() => expect(targets).toHaveLength(2));
    const config = `/api/v1/projects/${encoded}`;
    expect(targets.sort()).toEqual([config, `${config}/experiences/${encoded}/content`]);
    expect(error.url.startsWith(`${url}${config}`)).toBe(true);
  });

  it("a publish between the two requests of content() is visible: the versionIds differ", async () => {
    const bed = smallBed();
    const baseUrl = await apiOf(bed);
    let queue: Promise<unknown> = Promise.resolve();
    let asked = 0;
    const oneAfterTheOther: typeof fetch = (input, init) => {
      const answer = queue.then(() => {
        asked += 1;
        if (asked === 2) {
          bed.import(smallWorkspace({ entries: [page("home", "Changed")] }));
          bed.publish();
        }
        return fetch(input, init);
      });
      queue = answer;
      return answer;
    };
    const client = createClient({ baseUrl, projectId: "site", fetch: oneAfterTheOther });
    const torn = await client.content("home");
    expect(asked).toBe(2);
    expect(torn.versionId).not.toBe(torn.project.versionId);
    const whole = await client.content("home");
    expect(whole.versionId).toBe(whole.project.versionId);
    expect(new Set([torn.versionId, torn.project.versionId])).toContain(whole.versionId);
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
    expect(content.layout("step-home")?.data).toMatchObject({ title: "Draft" });
    expect([content.versionId, content.project.versionId]).toEqual([null, null]);
    const query = `?preview_token=${encodeURIComponent(TOKEN)}`;
    expect(recorder.takeExchanges().map(({ url }) => url.slice(url.indexOf("?")))).toEqual([
      query,
      query,
      query,
    ]);
    const published = await createClient({ baseUrl, projectId: "site" }).content("home");
    expect(published.layout("step-home")?.data).toMatchObject({ title: "Home" });
  });
});
