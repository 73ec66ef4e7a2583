import { once } from "node:events";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createClient, type RequestOptions } from "../../src/client/client.ts";
import { randomRuns } from "../support/random-runs.ts";
import { apiOf, recorded } from "../support/server/client-bed.ts";
import { answer, host } from "../support/server/hosts.ts";
import { TestBed } from "../support/test-bed.ts";
import { smallWorkspace } from "../support/workspaces/small-workspace.ts";

/** A request that the host has not answered yet. */
interface OpenRequest {
  readonly path: string;
  readonly init: RequestInit;
  readonly answer: (text: string) => void;
}

/** A `fetch` whose requests wait until they are answered or aborted. */
function held() {
  const open = new Set<OpenRequest>();
  const fetch = (input: unknown, init: RequestInit = {}) =>
    new Promise<Response>((resolve, reject) => {
      const request: OpenRequest = {
        path: String(input).replace(/^.*\/p/, ""),
        init,
        answer: (text) => void (open.delete(request) && resolve(new Response(text))),
      };
      open.add(request);
      const leave = () => void (open.delete(request) && reject(new Error("aborted")));
      init.signal?.addEventListener("abort", leave);
    });
  return { open, fetch: fetch as typeof globalThis.fetch };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

type Command =
  | { is: "ask"; path: "" | "/schema"; signal: boolean; cache: boolean }
  | { is: "abort" | "answer"; nth: number };
const COMMANDS = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        is: fc.constant("ask" as const),
        path: fc.constantFrom("" as const, "/schema" as const),
        signal: fc.boolean(),
        cache: fc.boolean(),
      }),
    },
    fc.record({ is: fc.constantFrom("abort" as const, "answer" as const), nth: fc.nat(9) }),
  ),
  { minLength: 2, maxLength: 25 },
) satisfies fc.Arbitrary<Command[]>;

/** A caller, with the number of the answer that it must get, and what it got. */
interface Caller {
  readonly request: number;
  readonly controller: AbortController | undefined;
  isAborted: boolean;
  got: unknown;
}

it("K7: whatever callers ask, abort and are answered in whatever order: one request for all without a signal, and each gets its own", () =>
  fc.assert(
    fc.asyncProperty(COMMANDS, async (commands) => {
      const { open, fetch } = held();
      const client = createClient({ baseUrl: "http://host", projectId: "p", fetch });
      const callers: Caller[] = [];
      /** The numbers of open requests that can be joined, by what is asked. */
      const joinable = new Map<string, number>();
      const numbers = new Map<OpenRequest, number>();
      let expected = 0;
      const finish = (request: OpenRequest) => {
        const number = numbers.get(request);
        for (const [key, joined] of joinable) if (joined === number) joinable.delete(key);
        request.answer(JSON.stringify({ number, steps: [], experiences: [] }));
      };
      for (const command of commands) {
        if (command.is === "ask") {
          const { path, signal, cache } = command;
          const key = `${path} ${cache}`;
          const controller = signal ? new AbortController() : undefined;
          const joined = signal ? undefined : joinable.get(key);
          const request = joined ?? expected++;
          if (!signal) joinable.set(key, request);
          const caller: Caller = { request, controller, isAborted: false, got: undefined };
          const options: RequestOptions = {
            ...(controller && { signal: controller.signal }),
            ...(cache && { cache: "no-store" }),
          };
          const asked = path === "" ? client.project(options) : client.schema(options);
          const keep = (got: unknown) => {
            caller.got = got;
          };
          asked.then(keep, keep);
          callers.push(caller);
        } else if (command.is === "abort") {
          const left = callers.filter(({ controller, got }) => controller && got === undefined);
          const caller = left[command.nth % left.length];
          caller?.controller?.abort(`reason of ${caller.request}`);
          if (caller) caller.isAborted = true;
        } else {
          const request = [...open][command.nth % open.size];
          if (request) finish(request);
        }
        await settled();
        for (const request of open) {
          if (!numbers.has(request)) numbers.set(request, numbers.size);
        }
        expect(numbers.size).toBe(expected);
        for (const { isAborted, request, got } of callers) {
          if (isAborted) expect(got).toBe(`reason of ${request}`);
        }
      }
      for (const request of [...open]) finish(request);
      await settled();
      const objects = callers.filter(({ isAborted }) => !isAborted);
      for (const { request, got } of objects) expect(got).toMatchObject({ number: request });
      expect(new Set(objects.map(({ got }) => got)).size).toBe(objects.length);
    }),
    { numRuns: randomRuns(300) },
  ));

describe("over a socket", () => {
  it("K7: layouts of several contents that are asked for at once read the config once", async () => {
    const bed = new TestBed(smallWorkspace());
    bed.publish();
    const { client, recorder } = recorded(await apiOf(bed), "site");
    const contents = await Promise.all([client.content("home"), client.content("home")]);
    expect(recorder.takeExchanges()).toHaveLength(1);
    const layouts = await Promise.all(contents.map((one) => one.layout("step-home")));
    expect(layouts.map((entry) => entry?.id)).toEqual(["home", "home"]);
    expect(layouts[0]).not.toBe(layouts[1]);
    expect(recorder.takeExchanges()).toHaveLength(1);
  });

  it("K7: an abort closes the caller's connection, and leaves the request of others", async () => {
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    let requests = 0;
    const url = await host((request, response) => {
      requests += 1;
      if (requests === 1) once(response, "close").then(() => resolve());
      else closed.then(() => answer(200, '{"steps":[],"experiences":[]}')(response));
      if (requests === 2) controller.abort(new Error("enough"));
      expect(request.url).toBe("/projects/p");
    });
    const client = createClient({ baseUrl: url, projectId: "p" });
    const controller = new AbortController();
    const own = expect(client.project({ signal: controller.signal })).rejects.toThrow("enough");
    while (requests === 0) await settled();
    const others = [client.project(), client.project()];
    await own;
    for (const other of await Promise.all(others)) expect(other.steps).toEqual([]);
    expect(requests).toBe(2);
  });
});

it("K8: signal, cache and next reach fetch, and with cache or next no tag is sent", async () => {
  const document = answer(200, '{"steps":[],"experiences":[]}', { ETag: '"a"' });
  const url = await host((_request, response) => document(response));
  const inits: unknown[] = [];
  const client = createClient({
    baseUrl: url,
    projectId: "p",
    fetch: (input, init) => {
      inits.push(init);
      return fetch(input, init);
    },
  });
  const { signal } = new AbortController();
  const next = { revalidate: 60, tags: ["a"] };
  await client.project();
  for (const options of [{ signal }, { cache: "reload" as const }, { next }, {}]) {
    await client.project(options);
  }
  const headers = { "If-None-Match": '"a"' };
  expect(inits).toEqual([
    { headers: {} },
    { headers, signal },
    { headers: {}, cache: "reload" },
    { headers: {}, next },
    { headers },
  ]);
});

it("K14: who asks after a change gets no answer of a request from before it", async () => {
  const { open, fetch } = held();
  let tell = (_event: { data: string }) => {};
  class Events {
    addEventListener(_type: string, listener: (event: { data: string }) => void) {
      tell = listener;
    }
    close() {}
  }
  const options = { baseUrl: "http://host", projectId: "p", previewToken: "token" };
  const client = createClient({ ...options, fetch, EventSource: Events });
  client.onChange(() => void client.project());
  const before = client.project();
  await settled();
  tell({ data: "{}" });
  await settled();
  expect(open.size).toBe(2);
  for (const request of [...open]) request.answer('{"steps":[],"experiences":[]}');
  await before;
});
