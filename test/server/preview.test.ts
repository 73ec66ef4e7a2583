import { writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { documentAt } from "../../src/documents/documents.ts";
import { DraftState } from "../../src/page/draft-state.ts";
import { entryDetails } from "../../src/page/entry-summary.ts";
import { DraftRenderings } from "../../src/server/draft-renderings.ts";
import { Preview } from "../../src/server/preview.ts";
import { openStore } from "../../src/store/store.ts";
import type { Severities } from "../../src/workspace/severity.ts";
import { ENDPOINTS, type HttpClient, refusal, serve } from "../support/server/serving.ts";
import { source, TestBed } from "../support/test-bed.ts";
import {
  heldAsset,
  page,
  projectOf,
  smallWorkspace,
} from "../support/workspaces/small-workspace.ts";

const CONTENT = ENDPOINTS[2];
const TOKEN = "?preview_token=t0ken-0123456789abcdef";

/** The project shows `home`, and an experience `empty` without content (E6). */
function site(title: string, data = {}) {
  const project = projectOf("site", "home", "empty");
  return smallWorkspace({
    previewToken: "t0ken-0123456789abcdef",
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

  it("H52: has an ETag of its bytes, whatever the token, and nobody without one learns it", async () => {
    const { token } = bed.store.write(() =>
      bed.store.tokens.create(1, { name: "other", createdAt: new Date() }),
    );
    const ask = (query: string, tag = "") =>
      server.request(CONTENT + query, { headers: { "If-None-Match": tag } });
    const etagOf = async (query: string) => (await ask(query)).headers.get("ETag") ?? "";
    const first = await etagOf(TOKEN);
    expect(await etagOf(`?preview_token=${token}`)).toBe(first);
    bed.import(site("Home", { old: 1 }));
    const same = await ask(TOKEN, first);
    expect([same.status, same.headers.get("X-Svc-Problems")]).toEqual([304, "1"]);
    expect(same.headers.get("Cache-Control")).toBe("no-store");
    bed.import(site("Another"));
    expect((await ask(TOKEN, first)).status).toBe(200);
    expect(await etagOf(TOKEN)).not.toBe(first);
    for (const tag of ["*", await etagOf(TOKEN)]) {
      const refused = await ask("?preview_token=wrong", tag);
      expect([refusal(refused), refused.headers.get("ETag")]).toEqual([
        "401 preview-token-invalid",
        null,
      ]);
    }
  });

  it("H54: an experience that the project has not is another refusal than one without content", async () => {
    const of = (id: string) => CONTENT.replace("home", id);
    bed.import(
      smallWorkspace({
        ...site("Home"),
        entries: [page("home", "Home"), { ...page("hidden", "Hidden"), draft: true }],
        projects: [projectOf("site", "home", "empty", "hidden")],
      }),
    );
    bed.publish();
    const [unknown, noContent] = [
      "404 experience-not-found",
      "404 experience-content-not-published",
    ];
    expect(refusal(await server.request(of("empty")))).toBe(noContent);
    expect(refusal(await server.request(of("none")))).toBe(unknown);
    // A8: its name is not published.
    expect(refusal(await server.request(of("hidden")))).toBe(unknown);
    expect(refusal(await server.request(of("empty") + TOKEN))).toBe(noContent);
    expect(refusal(await server.request(of("none") + TOKEN))).toBe(unknown);
    expect((await server.request(of("hidden") + TOKEN)).status).toBe(200);
    // What is published next counts at once.
    bed.import(site("Home"));
    bed.publish();
    expect(refusal(await server.request(of("empty")))).toBe(noContent);
    writeFileSync(join(bed.out, "api/v1/projects/site/index.json"), '{"experiences":{}}');
    expect(refusal(await server.request(of("none")))).toBe(noContent);
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
      smallWorkspace({
        id: "new",
        previewToken: "new-0123456789abcdefg",
        projects: [projectOf("p", "home")],
      }),
    );
    const path = "/api/v1/projects/p/experiences/home/content";
    expect((await server.request(`${path}?preview_token=new-0123456789abcdefg`)).status).toBe(200);
    expect(refusal(await server.request(path))).toBe("404 experience-content-not-published");
  });

  it("N3: X-Svc-Problems has the severities, as the page has", () => {
    bed.import(site("Home", { old: 1, next: { contentEntryId: "gone" } }));
    const row = bed.store.workspace("w");
    const drafts = (severity: Severities) => new DraftRenderings(bed.store, undefined, severity);
    const found = (severity: Severities) =>
      bed.store.read(() => {
        const state = new DraftState(row, drafts(severity));
        const address = { kind: "content", projectId: "site", experienceId: "home" } as const;
        const document = documentAt(state.rendering, address, "preview");
        const own = entryDetails(state, "home")?.problems;
        return [document?.problems, own, state.problems].map((list) =>
          list?.map(({ level, code }) => `${level} ${code}`),
        );
      });
    const levels = (severity: Severities, ...expected: string[]) => {
      const [content, own, all] = found(severity);
      expect(content).toEqual(expected);
      expect(own?.toSorted()).toEqual(expected.toSorted());
      expect(all?.filter((one) => !one.includes("step"))).toEqual(expected);
    };
    levels({}, "warning reference-deleted", "warning field-unknown");
    levels({ "reference-deleted": "off", "field-unknown": "error" }, "error field-unknown");
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
    bed.import(smallWorkspace({ previewToken: "t0ken-0123456789abcdef", models: [], entries: [] }));
    const [config, schema] = ENDPOINTS;
    const { steps } = JSON.parse((await server.request(config + TOKEN)).text);
    expect(steps[0]).toMatchObject({ key: "step-home", layoutContentId: null });
    expect((await server.request(schema + TOKEN)).status).toBe(200);
    expect(refusal(await server.request(CONTENT + TOKEN))).toBe(
      "404 experience-content-not-published",
    );
  });

  it("H5: responds with the state of its transaction, though the draft has changed since", () => {
    const mine = openStore(bed.store.file);
    onTestFinished(() => mine.close());
    let isFirst = true;
    const preview = new Preview(
      {
        source: "store",
        changeMark: "",
        tokens: mine.tokens,
        checkInPlace: () => {},
        workspaces: () => mine.workspaces(),
        draft: (row) => mine.draft(row),
        workspaceOfProject: (id) => mine.workspaceOfProject(id),
        draftFile: (path) => mine.draftFile(path),
        read(work) {
          const answer = mine.read(work);
          if (isFirst) {
            bed.import(site("Later"));
            bed.publish({ keep: 1 });
          }
          isFirst = false;
          return answer;
        },
      },
      new DraftRenderings(mine),
    );
    const address = { kind: "content", projectId: "site", experienceId: "home" } as const;
    const document = preview.document(address, ["t0ken-0123456789abcdef"]);
    const { bytes } = document as Exclude<typeof document, string>;
    expect(bytes.toString()).toContain('"Home"');
  });
});

describe("assets of a draft", () => {
  const TYPES: Readonly<Record<string, string>> = {
    "a.png": "image/png",
    "a.avif": "image/avif",
    "a.js": "text/javascript; charset=utf-8",
    "a.mp4": "video/mp4",
    "a.woff": "font/woff",
    a: "application/octet-stream",
    "a.svg": "image/svg+xml",
    "a.html": "text/html; charset=utf-8",
    "a.xhtml": "application/xhtml+xml",
    "a.xml": "application/xml",
  };
  const pictures = { key: "pictures", type: "asset", repeatable: true };

  it("V4b: are served by a preview only, with the type of the published file, and run no script", async () => {
    const held = Object.keys(TYPES).map((name) =>
      heldAsset(`of-${name}`, name, `bytes of ${name}`),
    );
    bed.import(
      smallWorkspace({
        models: [{ id: "m", key: "gallery", name: "Gallery", fields: [pictures] }],
        entries: [
          {
            id: "home",
            modelId: "m",
            data: { pictures: held.map(({ asset }) => ({ assetId: asset.id })) },
          },
        ],
        assets: held.map(({ asset }) => asset),
        files: new Map(held.map(({ file }) => file)),
      }),
    );
    const published = await serve(bed, { preview: false });
    const typesOn = async (client: HttpClient) => {
      const answers = await Promise.all(held.map(({ path }) => client.request(`/${path}`)));
      return answers.map(({ headers }) => {
        const sandbox = headers.get("Content-Security-Policy");
        return [headers.get("Content-Type"), sandbox, headers.get("X-Content-Type-Options")];
      });
    };
    const expected = Object.entries(TYPES).map(([name, type]) => {
      return [type, /svg|html|xml/.test(name) ? "sandbox" : null, "nosniff"];
    });
    expect(await typesOn(server)).toEqual(expected);
    expect((await published.request(`/${held[0]?.path}`)).status).toBe(404);
    bed.publish();
    expect(await typesOn(server)).toEqual(expected);
    expect(await typesOn(published)).toEqual(expected);
  });
});

const REFUSED = "401 preview-token-invalid";

/** The distinct results of requests for the three documents. */
async function answersFor(token: string): Promise<string[]> {
  const answers: string[] = [];
  for (const path of ENDPOINTS) {
    const answer = await server.request(`${path}?preview_token=${token}`);
    answers.push(answer.status === 200 ? "200" : refusal(answer));
  }
  return [...new Set(answers)];
}

describe("H3: a cached document", () => {
  beforeEach(() => {
    const projects = [projectOf("p", "home")];
    bed.import(smallWorkspace({ id: "other", previewToken: "other-0123456789abcdef", projects }));
  });

  it("is not served without a token, or with one of another workspace", async () => {
    expect(await answersFor("t0ken-0123456789abcdef")).toEqual(["200"]);
    for (const token of [
      "wrong",
      "",
      "other-0123456789abcdef",
      "t0ken-0123456789abcdef&preview_token=t0ken-0123456789abcdef",
    ]) {
      expect(await answersFor(token), token).toEqual([REFUSED]);
    }
    expect(await answersFor("t0ken-0123456789abcdef")).toEqual(["200"]);
  });

  it("is not served once its token has expired, though nothing has changed since", async () => {
    const now = Date.now();
    const until = new Date(now + 60_000);
    const { token } = bed.store.tokens.create(bed.store.workspace("w").number, {
      name: "short",
      createdAt: new Date(now),
      expiresAt: until,
    });
    expect(await answersFor(token)).toEqual(["200"]);
    vi.useFakeTimers({ toFake: ["Date"], now: until });
    onTestFinished(() => void vi.useRealTimers());
    expect(await answersFor(token)).toEqual([REFUSED]);
    expect(await answersFor("t0ken-0123456789abcdef")).toEqual(["200"]);
  });

  it("is not served once another process has revoked the token", async () => {
    const other = openStore(bed.store.file);
    const { number } = other.workspace("w");
    const { token, record } = other.tokens.create(number, { name: "a", createdAt: new Date() });
    expect(await answersFor(token)).toEqual(["200"]);
    other.tokens.revoke(number, record.id);
    other.close();
    expect(await answersFor(token)).toEqual([REFUSED]);
    expect(await answersFor("t0ken-0123456789abcdef")).toEqual(["200"]);
  });
});
