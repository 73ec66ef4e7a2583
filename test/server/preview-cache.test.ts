import { beforeEach, describe, expect, it } from "vitest";
import { openStore } from "../../src/store/store.ts";
import { ENDPOINTS, type HttpClient, refusal, serve } from "../support/server/serving.ts";
import { TestBed } from "../support/test-bed.ts";
import { projectOf, smallWorkspace } from "../support/workspaces/small-workspace.ts";

const REFUSED = "401 preview-token-invalid";

let bed: TestBed;
let server: HttpClient;
beforeEach(async () => {
  bed = new TestBed(
    smallWorkspace({ previewToken: "t0ken" }),
    smallWorkspace({ id: "other", previewToken: "other", projects: [projectOf("p", "home")] }),
  );
  server = await serve(bed);
});

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
  it("is not served without a token, or with one of another workspace", async () => {
    expect(await answersFor("t0ken")).toEqual(["200"]);
    for (const token of ["wrong", "", "other", "t0ken&preview_token=t0ken"]) {
      expect(await answersFor(token), token).toEqual([REFUSED]);
    }
    expect(await answersFor("t0ken")).toEqual(["200"]);
  });

  it("is not served once its token has expired, though nothing has changed since", async () => {
    const now = Date.now();
    const until = new Date(now + 1000);
    const { token } = bed.store.tokens.create(bed.store.workspace("w").number, {
      ...{ name: "short", createdAt: new Date(now), expiresAt: until },
    });
    expect(await answersFor(token)).toEqual(["200"]);
    await new Promise((resolve) => setTimeout(resolve, until.getTime() - Date.now()));
    expect(await answersFor(token)).toEqual([REFUSED]);
    expect(await answersFor("t0ken")).toEqual(["200"]);
  });

  it("is not served once another process has revoked the token", async () => {
    const other = openStore(bed.store.file);
    const { number } = other.workspace("w");
    const { token, record } = other.tokens.create(number, { name: "a", createdAt: new Date() });
    expect(await answersFor(token)).toEqual(["200"]);
    other.tokens.revoke(number, record.id);
    other.close();
    expect(await answersFor(token)).toEqual([REFUSED]);
    expect(await answersFor("t0ken")).toEqual(["200"]);
  });

  it("is served for a token that was created since", async () => {
    expect(await answersFor("t0ken")).toEqual(["200"]);
    const { number } = bed.store.workspace("w");
    const { token } = bed.store.tokens.create(number, { name: "a", createdAt: new Date() });
    expect(await answersFor(token)).toEqual(["200"]);
  });
});

describe("H5: a cached document", () => {
  it("is rendered again once the draft has changed", async () => {
    const before = await answersOf();
    bed.import(
      smallWorkspace({ previewToken: "t0ken", projects: [projectOf("site", "home", "new")] }),
    );
    const after = await answersOf();
    expect(after.map((text, index) => text === before[index])).toEqual([false, false, true]);
  });

  async function answersOf(): Promise<string[]> {
    const texts: string[] = [];
    for (const path of ENDPOINTS) {
      texts.push((await server.request(`${path}?preview_token=t0ken`)).text);
    }
    return texts;
  }
});
