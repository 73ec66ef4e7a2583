import { describe, expect, it, vi } from "vitest";
import { createClient } from "../../src/client/client.ts";
import { problemDocument } from "../../src/http/problem-document.ts";
import { errorOf, requestsOf, servedStorefront } from "../support/server/client-bed.ts";
import { answer, breakOff, host, type Misbehaviour } from "../support/server/hosts.ts";

async function clientOf(misbehave: Misbehaviour) {
  const baseUrl = await host((_request, response) => misbehave(response));
  return createClient({ baseUrl, projectId: "p" });
}

const CONTENT = "experience-content-not-published";

describe("K2: errors of the API are ApiErrors with the members of the problem document", () => {
  it.each([
    ["the project is missing", "prj_none", "", 404, "project-not-found"],
    ["the experience has no content", "prj_web", "exp_checkout", 404, CONTENT],
    ["the experience is missing", "prj_web", "exp_none", 404, "experience-not-found"],
    ["the preview token is not valid", "prj_web", "exp_browse", 401, "preview-token-invalid"],
  ] as const)("K2: %s", async (_what, projectId, experience, status, code) => {
    const baseUrl = await servedStorefront();
    const token = status === 401 ? { previewToken: "wrong" } : {};
    const client = createClient({ baseUrl, projectId, ...token });
    const asked = experience === "" ? client.project() : client.content(experience);
    const error = await errorOf(asked);
    const document = experience && `/experiences/${experience}/content`;
    const url = `${baseUrl}/projects/${projectId}${document}`;
    expect(error).toMatchObject({ name: "ApiError", status, code, url });
    expect(error.detail).toBe(JSON.parse(problemDocument(code).text).detail);
    expect(error.message).toBe(`${code}: ${error.detail} (${url})`);
  });
});

describe("responses that are not of the API are ApiErrors too", () => {
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
    for (const ask of requestsOf(client, "e")) {
      const error = await errorOf(ask());
      expect(error.status).toBe(status);
      expect(error.code).toMatch(/^[a-z][a-z0-9-]+$/);
      expect(error.detail).toMatch(/\S/);
      expect(error.url).toMatch(/^http:.*\/projects\/p/);
      expect(error.message).not.toMatch(/undefined|\[object/);
    }
  });

  it("an object without the arrays of the document is refused", async () => {
    for (const text of ["{}", '{"content":{},"references":3,"steps":null,"experiences":""}']) {
      const client = await clientOf(answer(200, text));
      expect(await errorOf(client.content("e"))).toMatchObject({ status: 200 });
      expect(await errorOf(client.project())).toMatchObject({ status: 200 });
    }
  });

  it("K2: so is one with null among its entries, and an id that is a way is not asked for", async () => {
    const text = '{"content":[null],"references":[],"steps":[],"experiences":[null]}';
    const asked = vi.fn(answer(200, text));
    const client = await clientOf(asked);
    for (const ask of [client.project(), client.content("e")]) {
      expect(await errorOf(ask)).toMatchObject({ status: 200, code: "no-document" });
    }
    asked.mockClear();
    for (const id of [".", ".."]) {
      expect(await errorOf(client.content(id))).toMatchObject({ code: "experience-not-found" });
    }
    expect(asked).not.toHaveBeenCalled();
  });
});

describe("requests can be aborted", () => {
  it("an AbortSignal ends the request, and its reason is thrown", async () => {
    const hung = vi.fn();
    const client = await clientOf(hung);
    for (const ask of requestsOf(client, "e")) {
      const controller = new AbortController();
      hung.mockImplementation(() => controller.abort());
      const error = await ask({ signal: controller.signal }).catch((thrown: unknown) => thrown);
      expect(controller.signal.aborted).toBe(true);
      expect(error).toBe(controller.signal.reason);
    }
  });

  it("an already aborted signal sends no request; a signal that never aborts changes nothing", async () => {
    const asked = vi.fn(answer(200, '{"id":"p","steps":[],"experiences":[]}'));
    const client = await clientOf(asked);
    const reason = new Error("never mind");
    await expect(client.project({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(asked).not.toHaveBeenCalled();
    const { signal } = new AbortController();
    expect(await client.project({ signal })).toMatchObject({ id: "p" });
  });

  it("a signal that times out throws the TimeoutError of the platform", async () => {
    const client = await clientOf(() => {});
    const asked = client.project({ signal: AbortSignal.timeout(20) });
    await expect(asked).rejects.toMatchObject({ name: "TimeoutError" });
  });
});
