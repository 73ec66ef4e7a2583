import { setTimeout as sleep } from "node:timers/promises";
import type { ErrorCode } from "../../workspace/error-codes.ts";
import { SvcError } from "../../workspace/errors.ts";

export type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** A response with a status from 300. Its name is the service's own; it has nothing of the request. */
export class AwsError extends Error {
  readonly status: number;
  readonly headers: ResponseHeaders;

  constructor(name: string, message: string, status: number, headers: ResponseHeaders = {}) {
    super(message);
    this.name = name;
    this.status = status;
    this.headers = headers;
  }
}

/**
 * Carries out a request, with retries.
 *
 * @throws SvcError, or the signal's reason.
 */
export async function request<T>(
  context: RequestContext,
  signal: AbortSignal,
  attempt: (retries: number) => Promise<T>,
): Promise<T> {
  try {
    return await withRetries(signal, attempt);
  } catch (error) {
    throw requestFailure(error, context, signal);
  }
}

/** Attempts of a request; with the back-off below, at most half a minute. */
const ATTEMPTS = 8;

/** Fails fast where the address is likely mistyped. */
const FEWER_ATTEMPTS: Readonly<Record<string, number>> = { ECONNREFUSED: 4, ENOTFOUND: 4 };

/**
 * Retries with exponential back-off and full jitter, ended by the signal. There is no quota shared by
 * all requests, which a burst of failures among ten thousand uploads would exhaust.
 */
export async function withRetries<T>(
  signal: AbortSignal,
  attempt: (retries: number) => Promise<T>,
): Promise<T> {
  for (let retries = 0; ; retries++) {
    try {
      return await attempt(retries);
    } catch (error) {
      const most = FEWER_ATTEMPTS[codeOf(error) ?? ""] ?? ATTEMPTS;
      if (retries + 1 >= most || signal.aborted || !isRetryable(error)) throw error;
      await sleep(backOff(retries + 1, error), undefined, { signal });
    }
  }
}

/** Throttling, timeouts, and conflicts with a concurrent write. */
const TRANSIENT_NAMES =
  /^(?:Throttl\w*|RequestThrottled\w*|SlowDown|TooManyRequests\w*|RequestLimitExceeded|BandwidthLimitExceeded|PriorRequestNotComplete|RequestTimeout\w*|ConditionalRequestConflict|OperationAborted)$/;

/** Of the network, of Node's and undici's parser, and of a response that was cut. */
const TRANSIENT_CODES =
  /^(?:ECONN(?:RESET|REFUSED|ABORTED)|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|HPE_\w+|UND_ERR_(?:SOCKET|CONNECT_TIMEOUT|RES_\w+))$/;

const PERMANENT_STATUSES = [412, 501, 505];

/** Whether a retry may succeed: 5xx, 408, 429, throttling, timeouts, broken connections and responses. */
export function isRetryable(error: unknown): boolean {
  if (!(error instanceof AwsError)) return TRANSIENT_CODES.test(codeOf(error) ?? "");
  const { status, name } = error;
  if (PERMANENT_STATUSES.includes(status) || name === "NotImplemented") return false;
  return status >= 500 || status === 408 || status === 429 || TRANSIENT_NAMES.test(name);
}

/** The code of an error of the network or of TLS. */
export function codeOf(error: unknown): string | undefined {
  const { code, name } = error as { code?: unknown; name?: unknown };
  // Undici's parser gives some of its errors no code.
  if (name === "HTTPParserError") return "HPE_INVALID";
  return typeof code === "string" ? code : undefined;
}

/** Milliseconds. */
const MAX_DELAY = 10_000;

/** The delay before a retry (the first is 1), in milliseconds. */
function backOff(retry: number, error: unknown): number {
  const { name, status = 0, headers } = error as Partial<AwsError>;
  const isThrottled = status === 503 || status === 429 || /Throttl|SlowDown/.test(name ?? "");
  const base = isThrottled ? 500 : 100;
  const drawn = Math.random() * Math.min(base * 2 ** (retry - 1), MAX_DELAY);
  return Math.max(drawn, Math.min(requestedDelay(headers?.["retry-after"]), MAX_DELAY));
}

/** Retry-After is in seconds, or a date. */
function requestedDelay(after: string | string[] | undefined): number {
  if (typeof after !== "string") return 0;
  const delay = /^\d+$/.test(after) ? Number(after) * 1000 : Date.parse(after) - Date.now();
  return Number.isNaN(delay) ? 0 : delay;
}

/** Describes a request, for the message when it fails. */
export interface RequestContext {
  /** For messages: `the distribution E123`. */
  readonly service: string;
  /** The IAM action that the request needs. */
  readonly action: string;
  /** The error code when the service is not reachable or fails. */
  readonly unavailable: ErrorCode;
  /** The error code when the service refuses the request for any other reason. */
  readonly refused: ErrorCode;
  /** What to do about credentials that are not accepted, where that differs from other services. */
  readonly credentialsHint?: string;
  /** Errors with a meaning of their own, by the name of the service's error. */
  readonly known?: Readonly<Record<string, (message: string) => SvcError>>;
}

const DENIED = /^(?:AccessDenied|AccessDeniedException|Forbidden|UnauthorizedException)$/;

/** Wrong, missing or expired credentials, or a wrong clock. */
const BAD_CREDENTIALS =
  /^(?:(?:Invalid|Unrecognized)(?:AccessKeyId|Client\w*|Signature\w*|Token\w*)|Expired\w*|Signature\w*|IncompleteSignature\w*|MissingAuthenticationToken\w*|RequestTimeTooSkewed|AuthorizationHeaderMalformed|AuthFailure)$/;

const NO_CREDENTIALS = /^(?:CredentialsProviderError|TokenProviderError|ProviderError)$/;

/**
 * Converts an error of a request: to the signal's reason when it is aborted, else to an SvcError. The
 * error is not its cause: those of the credentials may have secrets.
 */
function requestFailure(error: unknown, context: RequestContext, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (error instanceof SvcError || !(error instanceof Error) || isProgrammingError(error))
    return error;
  const { service, action, known } = context;
  const reason = describeError(error);
  const status = error instanceof AwsError ? error.status : 0;
  const failed = (code: ErrorCode, message: string, hint: string) =>
    new SvcError(code, message, { hint });
  if (known?.[error.name] !== undefined) return known[error.name]?.(reason);
  if (NO_CREDENTIALS.test(error.name) || /credential object is not valid/.test(error.message)) {
    return failed(
      "credentials-missing",
      `no credentials for ${service}: ${reason}`,
      "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE, or run with a role",
    );
  }
  if (/^Region is missing/.test(error.message)) {
    const hint = "set AWS_REGION, or the region of the profile";
    return failed("region-missing", `no region is set for ${service}`, hint);
  }
  if (BAD_CREDENTIALS.test(error.name) || /\bsecurity token\b/i.test(error.message)) {
    const what = `${service} does not accept the credentials: ${error.name}`;
    const hint = "check the access key, its session token and the clock of this machine";
    return failed("access-denied", what, context.credentialsHint ?? hint);
  }
  // The response to HEAD has no body, and so no reason.
  if (status === 403 && /^Unknown(?:Error)?$/.test(error.message)) {
    return failed(
      "access-denied",
      `${service} denies access (403)`,
      `check the access key, its secret and the clock of this machine, and that its user or role may use ${action}`,
    );
  }
  if (DENIED.test(error.name) || status === 403) {
    // L14a: of a bucket that is encrypted with a key of KMS, it is an action on that key.
    const [, denied = action] = /\bnot authorized to perform: (kms:\w+)/.exec(reason) ?? [];
    const hint = `allow ${denied} to the user or role that deploys`;
    return failed("access-denied", `${service} denies ${action}: ${reason}`, hint);
  }
  if (isRetryable(error) || codeOf(error) !== undefined) {
    return failed(
      context.unavailable,
      `${service} cannot be reached or fails: ${reason}`,
      "check the address and the network, then run the command again: it continues from here",
    );
  }
  const hint = "the message is the service's own; nothing was changed by this request";
  return failed(context.refused, `${service} refuses ${action}: ${reason}`, hint);
}

function isProgrammingError(error: Error): boolean {
  return (error instanceof TypeError || error instanceof RangeError) && !codeOf(error);
}

/** An error's message in one line, with its code and HTTP status, without secrets. */
function describeError(error: Error): string {
  const names = [codeOf(error) ?? error.name, ...(error instanceof AwsError ? [error.status] : [])];
  // This message has the output of the credential process.
  const message = /^Command failed/.test(error.message)
    ? "the credential process failed"
    : firstLine(error.message);
  return `${message} (${names.join(", ")})`.trim();
}

const MAX_LENGTH = 300;

const SECRETS = ["AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_ACCESS_KEY_ID"];

function firstLine(text: string): string {
  const [line = ""] = text.split("\n", 1);
  return SECRETS.map((name) => process.env[name] ?? "")
    .filter((secret) => secret !== "")
    .reduce((cleaned, secret) => cleaned.replaceAll(secret, "…"), line)
    .slice(0, MAX_LENGTH)
    .trim();
}
