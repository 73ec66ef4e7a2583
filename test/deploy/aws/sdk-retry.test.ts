import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it, vi } from "vitest";
import { attempted, isRetryable, retryStrategy } from "../../../src/deploy/aws/sdk-retry.ts";
import { fakeClock, passing } from "../../support/deploy/fake-clock.ts";

const NEVER = new AbortController().signal;

/** An error as the SDK throws it. */
const failed = (status: number, name = "Error", code?: string) =>
  Object.assign(new Error("failed"), { name, code, $metadata: { httpStatusCode: status } });

/** One that had no answer. */
const cut = (code: string) => Object.assign(new Error("failed"), { code });

const undrawn = () => vi.spyOn(Math, "random").mockReturnValue(0);

afterEach(() => {
  vi.restoreAllMocks();
});

describe("a failed request", () => {
  it.each([
    ...[500, 502, 503, 504, 507, 520, 408, 429].map((status) => failed(status)),
    failed(503, "SlowDown"),
    failed(400, "RequestTimeout"),
    failed(400, "ThrottlingException"),
    failed(409, "ConditionalRequestConflict"),
    failed(409, "OperationAborted"),
    failed(200, "TimeoutError"),
    ...["ECONNRESET", "EPIPE", "ETIMEDOUT", "ECONNREFUSED", "ENOTFOUND"].map(cut),
  ])("may succeed later: $name $code $$metadata.httpStatusCode", (error) => {
    expect(isRetryable(error)).toBe(true);
  });

  it.each([
    ...[301, 400, 403, 404, 409, 412].map((status) => failed(status)),
    failed(501),
    failed(501, "NotImplemented"),
    failed(409, "ConflictException"),
    failed(412, "PreconditionFailed"),
    failed(400, "ValidationException"),
    failed(402, "ServiceQuotaExceededException"),
    cut("ENOENT"),
    new DOMException("stopped", "AbortError"),
  ])("stays failed: $name $code $$metadata.httpStatusCode", (error) => {
    expect(isRetryable(error)).toBe(false);
  });
});

describe("attempts", () => {
  it("end with the first success, and at most after so many failures", async () => {
    undrawn();
    const seen: number[] = [];
    const answer = await attempted({ maxAttempts: 3, signal: NEVER }, async (retries) => {
      seen.push(retries);
      if (retries < 2) throw failed(500);
      return "done";
    });
    expect([answer, seen]).toEqual(["done", [0, 1, 2]]);
    const last = failed(500);
    await expect(
      attempted({ maxAttempts: 3, signal: NEVER }, () => Promise.reject(last)),
    ).rejects.toBe(last);
  });

  it("end at once with the signal, in the middle of a wait", async () => {
    vi.spyOn(Math, "random").mockReturnValue(1);
    const stop = new AbortController();
    const begun = performance.now();
    const asked = attempted({ maxAttempts: 8, signal: stop.signal }, () =>
      Promise.reject(failed(503)),
    );
    await Promise.all([expect(asked).rejects.toThrow(), sleep(20).then(() => stop.abort())]);
    expect(performance.now() - begun).toBeLessThan(400);
  });

  it("wait between nothing and twice as long each time", async () => {
    const drawn = vi.spyOn(Math, "random");
    for (const [draw, least, most] of [
      [0, 0, 60],
      [0.5, 140, 300],
    ] as const) {
      drawn.mockReturnValue(draw);
      const begun = performance.now();
      // Half of 100 ms, then half of 200 ms.
      await attempted({ maxAttempts: 3, signal: NEVER }, () => Promise.reject(failed(500))).catch(
        () => {},
      );
      expect(performance.now() - begun).toBeGreaterThanOrEqual(least);
      expect(performance.now() - begun).toBeLessThan(most);
    }
  });
});

describe("Retry-After", () => {
  // The back-off alone would not wait at all.
  it("is waited for by attempts, in seconds or as a date", async () => {
    fakeClock();
    undrawn();
    for (const after of ["3", new Date(Date.now() + 6_000).toUTCString()]) {
      const $response = { statusCode: 503, headers: { "retry-after": after } };
      const begun = Date.now();
      let waited = 0;
      const answer = attempted({ maxAttempts: 2, signal: NEVER }, async (retries) => {
        if (retries === 0) throw Object.assign(failed(503), { $response });
        waited = Date.now() - begun;
      });
      await passing(answer);
      expect(waited).toBeGreaterThanOrEqual(2_000);
      expect(waited).toBeLessThanOrEqual(6_000);
    }
  });

  it.each([
    ["is waited for by an SDK client", 3_000, 3_000],
    ["counts within reason", 3_600_000, 10_000],
  ])("%s", async (_title, after, waits) => {
    fakeClock();
    undrawn();
    const strategy = retryStrategy({ maxAttempts: 2 });
    const token = await strategy.acquireInitialRetryToken("");
    const begun = Date.now();
    await passing(refreshed(strategy, token, failed(503), new Date(begun + after)));
    expect(Date.now() - begun).toBeGreaterThanOrEqual(waits);
    expect(Date.now() - begun).toBeLessThan(waits + 2_000);
  });
});

type Strategy = ReturnType<typeof retryStrategy>;
type Token = Parameters<Strategy["refreshRetryTokenForRetry"]>[0];
type Info = Parameters<Strategy["refreshRetryTokenForRetry"]>[1];

/** The token for one more attempt after an error. */
function refreshed(strategy: Strategy, token: Token, error: Error, retryAfterHint?: Date) {
  const info = { error, errorType: "TRANSIENT", retryAfterHint } as Info;
  return strategy.refreshRetryTokenForRetry(token, info);
}

describe("the strategy of an SDK client", () => {
  it("has no quota that a burst of failures among ten thousand requests uses up", async () => {
    undrawn();
    const strategy = retryStrategy({ maxAttempts: 3 });
    const retried = Array.from({ length: 10_000 }, async () =>
      refreshed(strategy, await strategy.acquireInitialRetryToken(""), failed(500)),
    );
    const counts = (await Promise.all(retried)).map((token) => token.getRetryCount());
    expect(new Set(counts)).toEqual(new Set([1]));
  });

  it("ends after so many attempts, and asks not again for what stays failed", async () => {
    undrawn();
    const strategy = retryStrategy({ maxAttempts: 2 });
    const first = await strategy.acquireInitialRetryToken("");
    const second = await refreshed(strategy, first, failed(500));
    await expect(refreshed(strategy, second, failed(500))).rejects.toThrow();
    await expect(refreshed(strategy, first, failed(501))).rejects.toThrow();
  });

  it("leaves no timer behind when the signal ends a wait", async () => {
    vi.spyOn(Math, "random").mockReturnValue(1);
    const stop = new AbortController();
    const strategy = retryStrategy({ maxAttempts: 3, signal: stop.signal });
    const first = await strategy.acquireInitialRetryToken("");
    const waiting = refreshed(strategy, first, failed(503));
    stop.abort();
    await expect(waiting).rejects.toThrow();
  });
});
