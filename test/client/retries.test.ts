import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createClient, type RequestOptions } from "../../src/client/client.ts";
import { randomRuns } from "../support/random-runs.ts";
import { errorOf } from "../support/server/client-bed.ts";
import { answer, host } from "../support/server/hosts.ts";

const CONFIG = '{"steps":[],"experiences":[]}';
const LONGEST = 30_000;

afterEach(() => void vi.restoreAllMocks());

/** A client of a host that answers with these, and then with the config; `null` breaks off. */
async function clientOf(
  initial: readonly (number | null)[],
  headers: Record<string, string> = {},
  options: RequestOptions = {},
) {
  const seen = { answers: initial, requests: 0 };
  const baseUrl = await host((_request, response) => {
    const status = seen.requests < seen.answers.length ? seen.answers[seen.requests] : 200;
    seen.requests += 1;
    if (status === null) response.socket?.destroy();
    else answer(status ?? 200, status === 200 ? CONFIG : "", headers)(response);
  });
  return { seen, client: createClient({ baseUrl, projectId: "p", ...options }) };
}

/** The waits of the client's timers, in milliseconds, which end at once, with this chance. */
function watchedWaits(chance: number): number[] {
  const waits: number[] = [];
  vi.spyOn(Math, "random").mockReturnValue(chance);
  const start = globalThis.setTimeout;
  vi.spyOn(globalThis, "setTimeout").mockImplementation(((call: () => void, wait = 0) => {
    // Those of the platform's fetch and of the tests have other callers.
    if (!new Error().stack?.includes("src/client/client.ts")) return start(call, wait);
    waits.push(wait);
    return start(call, 0);
  }) as typeof setTimeout);
  return waits;
}

it("K9: a request is sent again after 429, 5xx and no answer, as often as asked and never more; not after others", async () => {
  const statuses = fc.constantFrom(null, 200, 400, 401, 404, 410, 429, 431, 500, 503, 599);
  vi.spyOn(Math, "random").mockReturnValue(0);
  const { client, seen } = await clientOf([]);
  await fc.assert(
    fc.asyncProperty(fc.array(statuses, { maxLength: 6 }), fc.nat(4), async (answers, retries) => {
      Object.assign(seen, { answers, requests: 0 });
      const got = await client.project({ retries }).catch(({ status }) => status);
      const mayPass = (status: number | null) => !status || status === 429 || status >= 500;
      const first = [...answers, 200].findIndex((status) => !mayPass(status));
      const last = Math.min(first, retries);
      const status = answers[last] === undefined ? 200 : answers[last];
      expect(got).toEqual(status === 200 ? JSON.parse(CONFIG) : (status ?? 0));
      expect(seen.requests).toBe(last + 1);
    }),
    { numRuns: randomRuns(80) },
  );
});

it("K9: a request says how often; without it the client does; without both never", async () => {
  vi.spyOn(Math, "random").mockReturnValue(0);
  const { client, seen } = await clientOf(Array(20).fill(503), {}, { retries: 2 });
  const counts = [];
  for (const options of [{}, { retries: 1 }, { retries: 0 }, { retries: Number.NaN }]) {
    await errorOf(client.project(options));
    counts.push(seen.requests);
    seen.requests = 0;
  }
  expect(counts).toEqual([3, 2, 1, 1]);
  const plain = await clientOf([503]);
  await errorOf(plain.client.project());
  expect(plain.seen.requests).toBe(1);
});

describe("the wait before a retry", () => {
  it("K9: is anything up to 200 ms, doubled each time, up to 30 s", async () => {
    for (const [chance, expected] of [
      [0, Array(10).fill(0)],
      [0.5, [100, 200, 400, 800, 1600, 3200, 6400, 12_800, LONGEST / 2, LONGEST / 2]],
    ] as const) {
      const waits = watchedWaits(chance);
      const { client } = await clientOf(Array(10).fill(500), {}, { retries: 10 });
      await client.project();
      expect(waits).toEqual(expected);
      vi.restoreAllMocks();
    }
  });

  const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toUTCString();

  it.each([
    ["2", 2000, 2000],
    ["30", LONGEST, LONGEST],
    ["0", 0, 0],
    ["-5", 0, 0],
    ["soon", 0, 0],
    ["a date", 20_000, 25_000],
    ["a date", 0, 0],
  ] as const)("K9: begins after a Retry-After of %s", async (after, least, most) => {
    const waits = watchedWaits(0);
    const header = after === "a date" ? inSeconds(most / 1000) : after;
    const { client, seen } = await clientOf([503], { "Retry-After": header }, { retries: 1 });
    await client.project();
    expect(seen.requests).toBe(2);
    expect(waits[0]).toBeGreaterThanOrEqual(least);
    expect(waits[0]).toBeLessThanOrEqual(most);
  });

  it.each(["31", "1e9", "Infinity", new Date(Date.now() + 9e6).toUTCString()])(
    "K9: with a Retry-After of %s, beyond 30 s, there is none",
    async (after) => {
      const { client, seen } = await clientOf([429], { "Retry-After": after }, { retries: 5 });
      expect(await errorOf(client.project())).toMatchObject({ status: 429 });
      expect(seen.requests).toBe(1);
    },
  );

  it("K9: ends when the signal aborts, with its reason, without another request or a timer that is left", async () => {
    const { client, seen } = await clientOf([503], { "Retry-After": "20" }, { retries: 5 });
    const cleared = vi.spyOn(globalThis, "clearTimeout");
    const waiting = Promise.withResolvers<NodeJS.Timeout>();
    const start = globalThis.setTimeout;
    vi.spyOn(globalThis, "setTimeout").mockImplementation(((call: () => void, wait = 0) => {
      if (wait < 20_000) return start(call, wait);
      // Nothing but the abort ends this one.
      const timer = start(() => {}, wait);
      waiting.resolve(timer);
      return timer;
    }) as typeof setTimeout);
    const controller = new AbortController();
    const asked = client.project({ signal: controller.signal });
    const timer = await waiting.promise;
    controller.abort("enough");
    await expect(asked).rejects.toBe("enough");
    expect(seen.requests).toBe(1);
    expect(cleared).toHaveBeenCalledWith(timer);
  });
});
