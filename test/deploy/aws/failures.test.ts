import { afterEach, describe, expect, it, vi } from "vitest";
import {
  AwsError,
  isRetryable,
  type RequestContext,
  request,
  withRetries,
} from "../../../src/deploy/aws/failures.ts";
import { SvcError } from "../../../src/workspace/errors.ts";
import { fakeClock, passing } from "../../support/deploy/fake-clock.ts";

const NEVER = new AbortController().signal;

const CONTEXT: RequestContext = {
  service: "the store",
  action: "x:Read",
  unavailable: "cdn-unavailable",
  refused: "kvs-refused",
};

/** An error of a service. */
const failed = (status: number, name = "Error", message = "failed", headers = {}) =>
  new AwsError(name, message, status, headers);

/** An error without a response. */
const cut = (code: string) => Object.assign(new Error("failed"), { code });

/** Converts an error that is not retried. */
const converted = (error: unknown) =>
  request(CONTEXT, NEVER, () => Promise.reject(error)).catch((thrown) => thrown as SvcError);

const withoutJitter = () => vi.spyOn(Math, "random").mockReturnValue(0);

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

describe("a failed request", () => {
  it.each([
    ...[500, 502, 503, 504, 507, 520, 408, 429].map((status) => failed(status)),
    failed(503, "SlowDown"),
    failed(400, "RequestTimeout"),
    failed(400, "ThrottlingException"),
    failed(409, "ConditionalRequestConflict"),
    failed(409, "OperationAborted"),
    ...[
      "ECONNRESET",
      "EPIPE",
      "ETIMEDOUT",
      "ECONNREFUSED",
      "ENOTFOUND",
      "HPE_INVALID_CONSTANT",
      "UND_ERR_SOCKET",
      "UND_ERR_CONNECT_TIMEOUT",
      "UND_ERR_RES_CONTENT_LENGTH_MISMATCH",
    ].map(cut),
  ])("is retried: $name $code $status", (error) => {
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
    cut("UND_ERR_REQ_CONTENT_LENGTH_MISMATCH"),
    new DOMException("stopped", "AbortError"),
  ])("is not retried: $name $code $status", (error) => {
    expect(isRetryable(error)).toBe(false);
  });
});

describe("attempts", () => {
  it("end with the first success, or after 8 failures, however many others fail", async () => {
    withoutJitter();
    const attempted = await withRetries(NEVER, async (retries) => {
      if (retries < 2) throw failed(500);
      return retries;
    });
    expect(attempted).toBe(2);
    let attempts = 0;
    const all = Array.from({ length: 1_000 }, () =>
      withRetries(NEVER, async () => {
        attempts += 1;
        throw failed(500);
      }).catch(() => {}),
    );
    await Promise.all(all);
    expect(attempts).toBe(8_000);
  });

  it("end during a wait when the signal is aborted", async () => {
    fakeClock();
    const stop = new AbortController();
    const result = withRetries(stop.signal, () => Promise.reject(failed(503)));
    setImmediate(() => stop.abort());
    await expect(result).rejects.toThrow();
  });

  it.each([
    // A tenth of 100 ms, then a tenth of 200 ms.
    [0.1, [0, 10, 30]],
    [0.5, [0, 50, 150]],
  ])("wait a random time below a limit that doubles each time: %s of it", async (draw, times) => {
    fakeClock();
    vi.spyOn(Math, "random").mockReturnValue(draw);
    const start = Date.now();
    const attempts: number[] = [];
    const answer = withRetries(NEVER, async (retries) => {
      attempts.push(Date.now() - start);
      throw retries < 2 ? failed(500) : failed(400);
    });
    await passing(answer.catch(() => {}));
    expect(attempts).toEqual(times);
  });

  it.each([
    ["in seconds", () => "3", 2_000, 6_000],
    ["as a date", () => new Date(Date.now() + 6_000).toUTCString(), 2_000, 6_000],
    ["within reason", () => "3600", 10_000, 12_000],
  ])("wait as long as Retry-After says, %s", async (_how, after, least, most) => {
    fakeClock();
    withoutJitter();
    const start = Date.now();
    let waited = 0;
    const answer = withRetries(NEVER, async (retries) => {
      if (retries === 0) throw failed(503, "SlowDown", "", { "retry-after": after() });
      waited = Date.now() - start;
    });
    await passing(answer);
    expect(waited).toBeGreaterThanOrEqual(least);
    expect(waited).toBeLessThanOrEqual(most);
  });
});

describe("a failure of a store", () => {
  it.each([
    [failed(403, "AccessDenied"), "access-denied"],
    [failed(403, "403"), "access-denied"],
    [failed(400, "ExpiredToken"), "access-denied"],
    [failed(403, "InvalidAccessKeyId"), "access-denied"],
    [failed(400, "UnrecognizedClientException"), "access-denied"],
    [failed(403, "RequestTimeTooSkewed"), "access-denied"],
    [Object.assign(new Error("none"), { name: "CredentialsProviderError" }), "credentials-missing"],
    [new Error("Region is missing"), "region-missing"],
    [failed(503, "SlowDown"), "cdn-unavailable"],
    [cut("ENOTFOUND"), "cdn-unavailable"],
    [cut("CERT_HAS_EXPIRED"), "cdn-unavailable"],
    [failed(400, "ValidationException"), "kvs-refused"],
  ])("$name $code $status is %s", async (error, code) => {
    withoutJitter();
    expect(await converted(error)).toMatchObject({
      code,
      message: expect.stringContaining("the store"),
      hint: expect.any(String),
    });
  });

  it("has only the first line of the service's message, since the session token may follow", async () => {
    const message = "User x may not\n\nx-amz-security-token:abcdef";
    const { message: line } = await converted(failed(403, "AccessDenied", message));
    expect(line).toBe("the store denies x:Read: User x may not (AccessDenied, 403)");
  });

  it("says what to check where the service gives no reason: a 403 to HEAD has no body", async () => {
    expect(await converted(failed(403, "Unknown", "UnknownError"))).toMatchObject({
      code: "access-denied",
      message: "the store denies access (403)",
      hint: expect.stringMatching(/^check the access key, its secret .* may use x:Read$/),
    });
  });

  it("has no credentials of the environment or of a credential process, and no cause", async () => {
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "the-secret");
    vi.stubEnv("AWS_SESSION_TOKEN", "the-token");
    const odd = await converted(failed(400, "Odd", "got the-secret and the-token"));
    expect(odd.message).not.toMatch(/the-(?:secret|token)/);
    expect(odd.cause).toBeUndefined();
    const ofProcess = Object.assign(new Error("Command failed: helper --key sesame"), {
      name: "CredentialsProviderError",
    });
    expect((await converted(ofProcess)).message).not.toMatch(/sesame/);
  });

  it("is passed on unchanged when it is not an error of the service", async () => {
    for (const error of [new TypeError("x is not a function"), new SvcError("stopped", "b")]) {
      expect(await converted(error)).toBe(error);
    }
  });
});

it("L14a: a bucket with a key of KMS needs an action on that key", async () => {
  const message =
    "User: arn:x is not authorized to perform: kms:GenerateDataKey on resource: arn:y";
  const { code, hint } = await converted(failed(403, "AccessDenied", message));
  expect([code, hint]).toEqual([
    "access-denied",
    "allow kms:GenerateDataKey to the user or role that deploys",
  ]);
});
