import { setTimeout as sleep } from "node:timers/promises";
import type { S3ClientConfig } from "@aws-sdk/client-s3";
import { getRetryAfterHint, isThrottlingError, isTransientError } from "@smithy/core/retry";

/** For requests: when no connection comes about, and when nothing moves on one, in milliseconds. */
export const TIME_OUTS = { connectionTimeout: 5_000, socketTimeout: 30_000 } as const;

/** Attempts of one request; with the back-off below, half a minute at most. */
export const ATTEMPTS = 8;

type RetryStrategy = Extract<
  NonNullable<S3ClientConfig["retryStrategy"]>,
  { acquireInitialRetryToken: unknown }
>;

/**
 * When an SDK client asks again: full-jitter exponential back-off, cut short by the signal. Unlike
 * the SDK's own strategy it has no quota that all requests share, which a burst of failures among
 * ten thousand uploads would use up; what bounds the load on the store is the number of attempts
 * and the concurrency.
 */
export function retryStrategy(options: {
  maxAttempts: number;
  signal?: AbortSignal;
}): RetryStrategy {
  const { maxAttempts, signal } = options;
  return {
    acquireInitialRetryToken: async () => token(0),
    async refreshRetryTokenForRetry(last, { error, retryAfterHint }) {
      const retries = last.getRetryCount() + 1;
      // The SDK throws the failed request's own error instead of this one.
      if (retries >= Math.min(maxAttempts, attemptsFor(error)) || !isRetryable(error))
        throw new Error("no more attempts");
      await sleep(backOff(retries, error, retryAfterHint), undefined, signal && { signal });
      return token(retries);
    },
    recordSuccess: () => {},
  };
}

/**
 * The same for what an SDK client cannot repeat by itself: sending a stream, reading an answer's
 * body.
 */
export async function attempted<T>(
  options: { maxAttempts: number; signal: AbortSignal },
  attempt: (retries: number) => Promise<T>,
): Promise<T> {
  const { maxAttempts, signal } = options;
  for (let retries = 0; ; retries++) {
    try {
      return await attempt(retries);
    } catch (error) {
      if (
        retries + 1 >= Math.min(maxAttempts, attemptsFor(error)) ||
        signal.aborted ||
        !isRetryable(error)
      )
        throw error;
      const { $response } = error as { $response?: unknown };
      await sleep(backOff(retries + 1, error, getRetryAfterHint($response)), undefined, { signal });
    }
  }
}

/** An address at which nobody is may be mistyped: that is told soon. */
function attemptsFor(error: unknown): number {
  const { code } = error as { code?: unknown };
  return code === "ECONNREFUSED" || code === "ENOTFOUND" ? 4 : ATTEMPTS;
}

/** Conflicts that pass: with a write under way at the same time. */
const PASSING_CONFLICTS = ["ConditionalRequestConflict", "OperationAborted"];

/** What stays as it is however often one asks. */
const LASTING_STATUSES = [412, 501, 505];

/** Whether the same request may succeed later: 5xx, 408, 429, throttling, time-outs, cut lines. */
export function isRetryable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const status = statusOf(error);
  if (LASTING_STATUSES.includes(status) || error.name === "NotImplemented") return false;
  return (
    status >= 500 ||
    status === 408 ||
    PASSING_CONFLICTS.includes(error.name) ||
    isThrottled(error) ||
    isTransientError(error as SdkError)
  );
}

/** The HTTP status that an SDK error came with; 0 when there was no answer. */
export function statusOf(error: unknown): number {
  return (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode ?? 0;
}

/** How long to wait before a retry (the first is 1), in milliseconds. */
function backOff(retry: number, error: unknown, notBefore?: Date): number {
  const base = isThrottled(error) || statusOf(error) === 503 ? 500 : 100;
  const drawn = Math.random() * Math.min(base * 2 ** (retry - 1), LONGEST);
  // What the store asks for counts, within reason.
  const asked = notBefore === undefined ? 0 : notBefore.getTime() - Date.now();
  return Math.max(drawn, Math.min(asked, LONGEST));
}

const LONGEST = 10_000;

type SdkError = Parameters<typeof isTransientError>[0];

function isThrottled(error: unknown): boolean {
  return isThrottlingError(error as SdkError);
}

function token(retries: number) {
  return { getRetryCount: () => retries, getRetryDelay: () => 0 };
}
