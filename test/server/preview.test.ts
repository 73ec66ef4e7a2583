import Database from "better-sqlite3";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { openStore } from "../../src/store/store.ts";
import { ENDPOINTS, type HttpClient, refusal, serve } from "../support/server/serving.ts";
import { source, TestBed } from "../support/test-bed.ts";
import { page, projectOf, smallWorkspace } from "../support/workspaces/small-workspace.ts";

const CONTENT = ENDPOINTS[2];
const TOKEN = "?preview_token=t0ken";

/** The project shows `home`, and an experience `empty` without content (E6). */
function site(title: string, data = {}) {
  const project = projectOf("site", "home", "empty");
  return smallWorkspace({
    previewToken: "t0ken",
    projects: [project],
    entries: [page("home", title, data)],
  });
}

let bed: TestBed;
let server: HttpClient;
beforeEach(async () => {
  bed = new TestBed(site("Home"));
  bed.publish();
  server = await serve(bed);
});

async function titleOn(query: string): Promise<string> {
  return JSON.parse((await server.request(CONTENT + query)).text).content[0].data.title;
}

describe("preview", () => {
  it("H5: shows the draft as it is at the request", async () => {
    expect(await titleOn(TOKEN)).toBe("Home");
    for (const title of ["First draft", "Second draft"]) {
      bed.import(site(title));
      expect(await titleOn(TOKEN)).toBe(title);
      expect(await titleOn("")).toBe("Home");
    }
    bed.publish();
    expect([await titleOn(TOKEN), await titleOn("")]).toEqual(["Second draft", "Second draft"]);
  });

  it("H5: shows what another process has imported", async () => {
    expect(await titleOn(TOKEN)).toBe("Home");
    const other = openStore(bed.store.file);
    other.import(source(site("From elsewhere")), new Date());
    other.close();
    expect(await titleOn(TOKEN)).toBe("From elsewhere");
  });

  it("H5: shows nothing of an uncommitted import, and does not wait for it", async () => {
    const importing = new Database(bed.store.file);
    onTestFinished(() => void importing.close());
    importing.exec("BEGIN IMMEDIATE; UPDATE workspaces SET revision = revision + 1");
    importing.exec("DELETE FROM entries; DELETE FROM records; DELETE FROM tokens");
    expect(await titleOn(TOKEN)).toBe("Home");
    importing.exec("ROLLBACK");
    expect(await titleOn(TOKEN)).toBe("Home");
  });

  it("H5: a draft that was never published is shown", async () => {
    bed.import(
      smallWorkspace({ id: "new", previewToken: "n", projects: [projectOf("p", "home")] }),
    );
    const path = "/api/v1/projects/p/experiences/home/content";
    expect((await server.request(`${path}?preview_token=n`)).status).toBe(200);
    expect(refusal(await server.request(path))).toBe("404 experience-content-not-published");
  });

  it("H5: problems never fail a request; X-Svc-Problems counts them", async () => {
    const problems = async () =>
      (await server.request(CONTENT + TOKEN)).headers.get("X-Svc-Problems");
    expect(await problems()).toBe("0");
    const faulty = { title: 7, picture: { assetId: "gone" }, next: { contentEntryId: "gone" } };
    bed.import(site("Home", faulty));
    expect(bed.check().map(({ level }) => level)).toContain("error");
    expect(await problems()).toBe("3");
    for (const path of ENDPOINTS) {
      const { status, headers } = await server.request(path + TOKEN);
      expect(status).toBe(200);
      expect(headers.get("X-Svc-Problems")).toMatch(/^\d+$/);
      expect(headers.get("Access-Control-Expose-Headers")).toContain("X-Svc-Problems");
    }
  });

  it("H5: a draft in which almost everything was deleted is served too", async () => {
    bed.import(smallWorkspace({ previewToken: "t0ken", models: [], entries: [] }));
    const [config, schema] = ENDPOINTS;
    const { steps } = JSON.parse((await server.request(config + TOKEN)).text);
    expect(steps[0]).toMatchObject({ key: "step-home", layoutContentId: null });
    expect((await server.request(schema + TOKEN)).status).toBe(200);
    expect(refusal(await server.request(CONTENT + TOKEN))).toBe(
      "404 experience-content-not-published",
    );
  });
});
