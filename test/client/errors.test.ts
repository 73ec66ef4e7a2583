import { describe, expect, it, vi } from "vitest";
import { ApiError, createClient } from "../../src/client/client.ts";
import { apiOf, asksOf, errorOf, servedStorefront } from "../support/server/client-bed.ts";
import { answer, breakOff, deadUrl, host, type Misbehaviour } from "../support/server/hosts.ts";
import { TestBed } from "../support/test-bed.ts";
import { smallWorkspace } from "../support/workspaces/small-workspace.ts";

async function clientOf(misbehave: Misbehaviour) {
  const baseUrl = await host((_request, response) => misbehave(response));
  return createClient({ baseUrl, projectId: "p" });
}

describe("K2: what the API refuses is an ApiError with what the problem document says", () => {
  it("404: the project is not there", async () => {
    const baseUrl = await servedStorefront();
    const client = createClient({ baseUrl, projectId: "prj_none" });
    const error = await errorOf(client.project());
    expect(error).toMatchObject({
      name: "ApiError",
      status: 404,
      code: "project-not-found",
      detail: "No published project has this address.",
      url: `${baseUrl}/projects/prj_none`,
    });
    expect(error.message).toContain("project-not-found");
    expect(error.message).toContain("No published project has this address.");
    const schema = await errorOf(client.schema());
    expect(schema).toMatchObject({ status: 404, code: "schema-not-published" });
  });

  it("404: the experience has no content, or is not there", async () => {
    const baseUrl = await servedStorefront();
    const client = createClient({ baseUrl, projectId: "prj_web" });
    for (const id of ["exp_checkout", "exp_none"]) {
      expect(await errorOf(client.content(id))).toMatchObject({
        status: 404,
        code: "experience-content-not-published",
        detail: "The experience has no content.",
        url: `${baseUrl}/projects/prj_web/experiences/${id}/content`,
      });
    }
  });

  it("401: the preview token is not valid, for every document", async () => {
    const baseUrl = await apiOf(new TestBed(smallWorkspace({ previewToken: "token" })));
    const client = createClient({ baseUrl, projectId: "site", previewToken: "wrong" });
    for (const ask of asksOf(client, "home")) {
      expect(await errorOf(ask())).toMatchObject({
        status: 401,
        code: "preview-token-invalid",
        detail: "The preview_token is not valid.",
      });
    }
  });

  it("of a project that is not there, content() always tells the same", async () => {
    const baseUrl = await apiOf(new TestBed(smallWorkspace()));
    const told: string[] = [];
    for (const isLast of [/\/content$/, /\/none$/]) {
      const other = Promise.withResolvers<void>();
      const inThisOrder: typeof fetch = async (input, init) => {
        const response = await fetch(input, init);
        const read = new Response(await response.text(), { status: response.status });
        if (!isLast.test(String(input))) other.resolve();
        // The last is answered when all that follows from the other has been done.
        else await other.promise.then(() => new Promise((resolve) => setImmediate(resolve)));
        return read;
      };
      const client = createClient({ baseUrl, projectId: "none", fetch: inThisOrder });
      told.push((await errorOf(client.content("home"))).code);
    }
    expect(told[0]).toBe(told[1]);
  });
});

describe("what is no answer of the API is an ApiError too", () => {
  it.each([
    ["500 that is no JSON", answer(500, "<h1>Internal Server Error</h1>"), 500],
    ["502 without a body", answer(502), 502],
    ["503 with JSON that is no problem document", answer(503, '{"error":{"code":7}}'), 503],
    ["504 with JSON that is null", answer(504, "null"), 504],
    ["404 whose code and detail are no text", answer(404, '{"code":1,"detail":[]}'), 404],
    ["200 that is no JSON", answer(200, "<!doctype html>"), 200],
    ["200 without a body", answer(200), 200],
    ["204", answer(204), 204],
    ["200 with half a document", answer(200, '{"id":"p",'), 200],
    ["200 that is null", answer(200, "null"), 200],
    ["200 that is a text", answer(200, '"p"'), 200],
    ["200 that is a list", answer(200, "[]"), 200],
    ["an answer that breaks off", breakOff, 0],
    ["a host that hangs up", (response) => void response.socket?.destroy(), 0],
  ] satisfies [string, Misbehaviour, number][])("%s", async (_what, misbehave, status) => {
    const client = await clientOf(misbehave);
    for (const ask of asksOf(client, "e")) {
      const error = await errorOf(ask());
      expect(error.status).toBe(status);
      expect(error.code).toMatch(/^[a-z][a-z0-9-]+$/);
      expect(error.detail).toMatch(/\S/);
      expect(error.url).toMatch(/^http:.*\/projects\/p/);
      expect(error.message).not.toMatch(/undefined|\[object/);
    }
  });

  it("no host at all: status 0", async () => {
    const client = createClient({ baseUrl: await deadUrl(), projectId: "p" });
    const [one, other] = [await errorOf(client.project()), await errorOf(client.content("e"))];
    expect([one.status, other.status, one.code]).toEqual([0, 0, other.code]);
  });

  it("an object without the lists of the document is no answer of the API", async () => {
    for (const text of ["{}", '{"content":{},"references":3,"steps":null,"experiences":""}']) {
      const client = await clientOf(answer(200, text));
      expect(await errorOf(client.content("e"))).toMatchObject({ status: 200 });
      expect(await errorOf(client.project())).toMatchObject({ status: 200 });
    }
  });
});

describe("a request can be given up", () => {
  it("an AbortSignal ends the request, and its reason is what is thrown", async () => {
    const hung = vi.fn();
    const client = await clientOf(hung);
    for (const ask of asksOf(client, "e")) {
      const controller = new AbortController();
      hung.mockImplementation(() => controller.abort());
      const error = await ask({ signal: controller.signal }).catch((thrown: unknown) => thrown);
      expect(controller.signal.aborted).toBe(true);
      expect(error).toBe(controller.signal.reason);
    }
  });

  it("a signal that is aborted already asks nothing, and one that never is changes nothing", async () => {
    const asked = vi.fn(answer(200, '{"id":"p","steps":[],"experiences":[]}'));
    const client = await clientOf(asked);
    const reason = new Error("never mind");
    await expect(client.project({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(asked).not.toHaveBeenCalled();
    const { signal } = new AbortController();
    expect(await client.project({ signal })).toMatchObject({ id: "p" });
  });

  it("a signal that times out throws what the platform calls it", async () => {
    const client = await clientOf(() => {});
    const asked = client.project({ signal: AbortSignal.timeout(20) });
    await expect(asked).rejects.toMatchObject({ name: "TimeoutError" });
  });

  it("an ApiError is an Error of its own class", () => {
    const error = new ApiError(404, "code", "Detail.", "https://host/x");
    expect(error).toBeInstanceOf(Error);
    expect(String(error)).toMatch(/^ApiError: /);
  });
});
