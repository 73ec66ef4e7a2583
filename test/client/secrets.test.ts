import { inspect } from "node:util";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createClient } from "../../src/client/client.ts";
import { errorOf, requestsOf } from "../support/server/client-bed.ts";
import { answer, breakOff, deadUrl, host } from "../support/server/hosts.ts";

const TOKEN = "s3cret token/+ä%";
/** The token, plain and in both URL encodings. */
const FORMS = [
  TOKEN,
  encodeURIComponent(TOKEN),
  new URLSearchParams({ t: TOKEN }).toString().slice(2),
  "s3cret",
];

/** All text in an error. */
function allOf(error: Error): string {
  const own = Object.getOwnPropertyNames(error).map((name) => Reflect.get(error, name));
  return [
    String(error),
    error.stack,
    inspect(error, { showHidden: true, depth: 9 }),
    JSON.stringify(error),
    JSON.stringify(own),
    ...own.map((value) => inspect(value, { showHidden: true, depth: 9 })),
  ].join("\n");
}

/** Every method of a client fails, and no error contains the token. */
async function expectSilence(baseUrl: string, fetch?: typeof globalThis.fetch) {
  const options = { baseUrl, projectId: "p", previewToken: TOKEN };
  const client = createClient(fetch ? { ...options, fetch } : options);
  for (const ask of requestsOf(client, "e")) {
    const said = allOf(await errorOf(ask()));
    for (const form of FORMS) expect(said).not.toContain(form);
  }
}

afterEach(() => void vi.unstubAllGlobals());

describe("K2: no error contains the token", () => {
  it.each([
    ["is an Error that names the address", (url) => new Error(`cannot load ${url}`)],
    ["is a text", (url) => `cannot load ${url}`],
    ["is an object with the address", (url) => ({ url, message: url })],
    ["has the address in its cause", (url) => new Error("no", { cause: new Error(url) })],
    ["is an ApiError of someone else", (url) => Object.assign(new Error(url), { status: 1, url })],
    ["calls itself an AbortError", (url) => new DOMException(url, "AbortError")],
  ] satisfies [string, (url: string) => unknown][])(
    "what fetch throws %s",
    async (_how, thrown) => {
      await expectSilence("http://host", (input) => Promise.reject(thrown(String(input))));
      await expectSilence("http://host", (input) => {
        throw thrown(String(input));
      });
    },
  );

  it("reading the body fails with the URL in the message", async () => {
    await expectSilence("http://host", async (input) => {
      const start = () => Promise.reject(new Error(String(input)));
      return new Response(new ReadableStream({ start }));
    });
  });

  it("the host is missing, closes the connection, or is not a URL", async () => {
    await expectSilence(await deadUrl());
    await expectSilence(await host((_request, response) => breakOff(response)));
    await expectSilence("no address");
    await expectSilence("ftp://host");
  });

  it.each([
    ["as a page", 502, (url) => `<p>cannot GET ${url}</p>`],
    ["as a page with status 200", 200, (url) => `<p>welcome to ${url}</p>`],
    ["in the detail of a problem document", 502, (url) => problem({ detail: `cannot GET ${url}` })],
    ["decoded, in the detail", 502, (url) => problem({ detail: decodeURIComponent(url) })],
    ["as the code of a problem document", 404, (url) => problem({ code: `no ${url}` })],
  ] satisfies [string, number, (url: string) => string][])(
    "the host gives the address back, %s",
    async (_how, status, text) => {
      const url = await host((request, response) =>
        answer(status, text(request.url ?? ""))(response),
      );
      await expectSilence(url);
    },
  );
});

describe("fetch is called as a function, without a receiver", () => {
  function spy() {
    const receivers: unknown[] = [];
    function strict(this: unknown): Promise<Response> {
      receivers.push(this);
      return Promise.resolve(new Response('{"steps":[],"experiences":[]}'));
    }
    return { receivers, strict: strict as typeof fetch };
  }

  it("the caller's fetch", async () => {
    const { receivers, strict } = spy();
    await createClient({ baseUrl: "http://host", projectId: "p", fetch: strict }).project();
    expect(receivers).toEqual([undefined]);
  });

  it("the platform's fetch, which browsers reject with another receiver", async () => {
    const { receivers, strict } = spy();
    vi.stubGlobal("fetch", strict);
    await createClient({ baseUrl: "http://host", projectId: "p" }).project();
    await createClient({ baseUrl: "http://host", projectId: "p", fetch: undefined }).project();
    expect(receivers).toEqual([undefined, undefined]);
  });
});

function problem(differing: { code?: string; detail?: string }): string {
  return JSON.stringify({ code: "bad-gateway", detail: "No.", ...differing });
}
