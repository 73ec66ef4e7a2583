import { setTimeout as sleep } from "node:timers/promises";
import type { S3ClientConfig } from "@aws-sdk/client-s3";
import { getRetryAfterHint, isThrottlingError, isTransientError } from "@smithy/core/retry";

/** Of a request, in milliseconds: to connect, and without traffic on a connection. */
export const TIMEOUTS = { connectionTimeout: 5_000, socketTimeout: 30_000 } as const;

/** Attempts of a request; with the back-off below, at most half a minute. */
export const ATTEMPTS = 8;

type RetryStrategy = Extract<
  NonNullable<S3ClientConfig["retryStrategy"]>,
  { acquireInitialRetryToken: unknown }
>;

/**
 * Retries of an SDK client: exponential back-off with full jitter, ended by the signal. The SDK's own
 * strategy has a quota shared by all requests, which a burst of failures among ten thousand uploads
 * would exhaust; here the attempts and the concurrency limit the load on the store.
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
      // The SDK throws the error of the request instead of this one.
      if (retries >= Math.min(maxAttempts, maxAttemptsFor(error)) || !isRetryable(error))
        throw new Error("no more attempts");
      await sleep(backOff(retries, error, retryAfterHint), undefined, signal && { signal });
      return token(retries);
    },
    recordSuccess: () => {},
  };
}

/** The same for requests that an SDK client cannot retry: sending a stream, reading a response's body. */
export async function withRetries<T>(
  options: { maxAttempts: number; signal: AbortSignal },
  attempt: (retries: number) => Promise<T>,
): Promise<T> {
  const { maxAttempts, signal } = options;
  for (let retries = 0; ; retries++) {
    try {
      return await attempt(retries);
    } catch (error) {
      if (
        retries + 1 >= Math.min(maxAttempts, maxAttemptsFor(error)) ||
        signal.aborted ||
        !isRetryable(error)
      )
        throw error;
      const { $response } = error as { $response?: unknown };
      await sleep(backOff(retries + 1, error, getRetryAfterHint($response)), undefined, { signal });
    }
  }
}

/** Fails fast on ECONNREFUSED and ENOTFOUND: the address is likely mistyped. */
function maxAttemptsFor(error: unknown): number {
  const { code } = error as { code?: unknown };
  return code === "ECONNREFUSED" || code === "ENOTFOUND" ? 4 : ATTEMPTS;
}

/** Conflicts with a concurrent write. */
const TRANSIENT_CONFLICTS = ["ConditionalRequestConflict", "OperationAborted"];

const PERMANENT_STATUSES = [412, 501, 505];

/** Whether a retry may succeed: 5xx, 408, 429, throttling, timeouts, broken connections and responses. */
export function isRetryable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const status = statusOf(error);
  if (PERMANENT_STATUSES.includes(status) || error.name === "NotImplemented") return false;
  return (
    status >= 500 ||
    status === 408 ||
    TRANSIENT_CONFLICTS.includes(error.name) ||
    isThrottled(error) ||
    isParseError(error) ||
    isTransientError(error as SdkError)
  );
}

/** A response that is not valid HTTP; the code is that of Node's parser. */
function isParseError(error: Error): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === "string" && code.startsWith("HPE_");
}

/** The HTTP status of an SDK error; 0 when there was no response. */
export function statusOf(error: unknown): number {
  return (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode ?? 0;
}

/** The delay before a retry (the first is 1), in milliseconds. */
function backOff(retry: number, error: unknown, notBefore?: Date): number {
  const base = isThrottled(error) || statusOf(error) === 503 ? 500 : 100;
  const drawn = Math.random() * Math.min(base * 2 ** (retry - 1), MAX_DELAY);
  // Retry-After, up to the limit.
  const requested = notBefore === undefined ? 0 : notBefore.getTime() - Date.now();
  return Math.max(drawn, Math.min(requested, MAX_DELAY));
}

const MAX_DELAY = 10_000;

type SdkError = Parameters<typeof isTransientError>[0];

function isThrottled(error: unknown): boolean {
  return isThrottlingError(error as SdkError);
}

function token(retries: number) {
  return { getRetryCount: () => retries, getRetryDelay: () => 0 };
}
