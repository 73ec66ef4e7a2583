import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it, vi } from "vitest";
import { isRetryable, retryStrategy, withRetries } from "../../../src/deploy/aws/sdk-retry.ts";
import { fakeClock, passing } from "../../support/deploy/fake-clock.ts";

const NEVER = new AbortController().signal;

/** An error as the SDK throws it. */
const failed = (status: number, name = "Error", code?: string) =>
  Object.assign(new Error("failed"), { name, code, $metadata: { httpStatusCode: status } });

/** An error without a response. */
const cut = (code: string) => Object.assign(new Error("failed"), { code });

const withoutJitter = () => vi.spyOn(Math, "random").mockReturnValue(0);

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
    ...[
      "ECONNRESET",
      "EPIPE",
      "ETIMEDOUT",
      "ECONNREFUSED",
      "ENOTFOUND",
      "HPE_INVALID_CONSTANT",
    ].map(cut),
  ])("is retried: $name $code $$metadata.httpStatusCode", (error) => {
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
  ])("is not retried: $name $code $$metadata.httpStatusCode", (error) => {
    expect(isRetryable(error)).toBe(false);
  });
});

describe("attempts", () => {
  it("end with the first success, or after the maximum number of failures", async () => {
    withoutJitter();
    const seen: number[] = [];
    const answer = await withRetries({ maxAttempts: 3, signal: NEVER }, async (retries) => {
      seen.push(retries);
      if (retries < 2) throw failed(500);
      return "done";
    });
    expect([answer, seen]).toEqual(["done", [0, 1, 2]]);
    const last = failed(500);
    await expect(
      withRetries({ maxAttempts: 3, signal: NEVER }, () => Promise.reject(last)),
    ).rejects.toBe(last);
  });

  it("end during a wait when the signal is aborted", async () => {
    vi.spyOn(Math, "random").mockReturnValue(1);
    const stop = new AbortController();
    const start = performance.now();
    const result = withRetries({ maxAttempts: 8, signal: stop.signal }, () =>
      Promise.reject(failed(503)),
    );
    await Promise.all([expect(result).rejects.toThrow(), sleep(20).then(() => stop.abort())]);
    expect(performance.now() - start).toBeLessThan(5_000);
  });

  it("wait a random time below a limit that doubles each time", async () => {
    fakeClock();
    const drawn = vi.spyOn(Math, "random");
    for (const [draw, times] of [
      // A tenth of 100 ms, then a tenth of 200 ms.
      [0.1, [0, 10, 30]],
      [0.5, [0, 50, 150]],
    ] as const) {
      drawn.mockReturnValue(draw);
      const start = Date.now();
      const attempts: number[] = [];
      const answer = withRetries({ maxAttempts: 3, signal: NEVER }, async () => {
        attempts.push(Date.now() - start);
        throw failed(500);
      });
      await passing(answer.catch(() => {}));
      expect(attempts).toEqual(times);
    }
  });
});

describe("Retry-After", () => {
  // Without it, these attempts would not wait.
  it("sets the wait between attempts, in seconds or as a date", async () => {
    fakeClock();
    withoutJitter();
    for (const after of ["3", new Date(Date.now() + 6_000).toUTCString()]) {
      const $response = { statusCode: 503, headers: { "retry-after": after } };
      const start = Date.now();
      let waited = 0;
      const answer = withRetries({ maxAttempts: 2, signal: NEVER }, async (retries) => {
        if (retries === 0) throw Object.assign(failed(503), { $response });
        waited = Date.now() - start;
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
    withoutJitter();
    const strategy = retryStrategy({ maxAttempts: 2 });
    const token = await strategy.acquireInitialRetryToken("");
    const start = Date.now();
    await passing(refreshed(strategy, token, failed(503), new Date(start + after)));
    expect(Date.now() - start).toBeGreaterThanOrEqual(waits);
    expect(Date.now() - start).toBeLessThan(waits + 2_000);
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
  it("has no retry quota that ten thousand failures would exhaust", async () => {
    withoutJitter();
    const strategy = retryStrategy({ maxAttempts: 3 });
    const retried = Array.from({ length: 10_000 }, async () =>
      refreshed(strategy, await strategy.acquireInitialRetryToken(""), failed(500)),
    );
    const counts = (await Promise.all(retried)).map((token) => token.getRetryCount());
    expect(new Set(counts)).toEqual(new Set([1]));
  });

  it("ends after the maximum number of attempts, and does not retry permanent errors", async () => {
    withoutJitter();
    const strategy = retryStrategy({ maxAttempts: 2 });
    const first = await strategy.acquireInitialRetryToken("");
    const second = await refreshed(strategy, first, failed(500));
    await expect(refreshed(strategy, second, failed(500))).rejects.toThrow();
    await expect(refreshed(strategy, first, failed(501))).rejects.toThrow();
  });

  it("stops waiting when the signal is aborted", async () => {
    vi.spyOn(Math, "random").mockReturnValue(1);
    const stop = new AbortController();
    const strategy = retryStrategy({ maxAttempts: 3, signal: stop.signal });
    const first = await strategy.acquireInitialRetryToken("");
    const waiting = refreshed(strategy, first, failed(503));
    stop.abort();
    await expect(waiting).rejects.toThrow();
  });
});
