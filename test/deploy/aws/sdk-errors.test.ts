import { afterEach, describe, expect, it, vi } from "vitest";
import { sdkFailure } from "../../../src/deploy/aws/sdk-errors.ts";
import { SvcError } from "../../../src/workspace/errors.ts";

const CONTEXT = {
  service: "the store",
  action: "x:Read",
  unavailable: "x-away",
  refused: "x-refused",
};

/** Converts an error as the SDK throws it. */
function converted(message: string, more: { name?: string; code?: string; status?: number }) {
  const { status, ...names } = more;
  const $metadata = status === undefined ? {} : { httpStatusCode: status };
  const error = Object.assign(new Error(message), { $metadata, ...names });
  return sdkFailure(error, CONTEXT, new AbortController().signal) as SvcError;
}

afterEach(() => {
  vi.unstubAllEnvs();
});

describe("a failure of a store", () => {
  it.each([
    [{ name: "AccessDenied", status: 403 }, "access-denied"],
    [{ name: "403", status: 403 }, "access-denied"],
    [{ name: "ExpiredToken", status: 400 }, "access-denied"],
    [{ name: "InvalidAccessKeyId", status: 403 }, "access-denied"],
    [{ name: "UnrecognizedClientException", status: 400 }, "access-denied"],
    [{ name: "RequestTimeTooSkewed", status: 403 }, "access-denied"],
    [{ name: "CredentialsProviderError" }, "credentials-missing"],
    [{ name: "SlowDown", status: 503 }, "x-away"],
    [{ code: "ENOTFOUND" }, "x-away"],
    [{ code: "CERT_HAS_EXPIRED" }, "x-away"],
    [{ name: "ValidationException", status: 400 }, "x-refused"],
  ])("%j is %s", (error, code) => {
    expect(converted("from the service", error)).toMatchObject({
      code,
      message: expect.stringContaining("the store"),
      hint: expect.any(String),
    });
  });

  it("has only the first line of the service's message, since the session token may follow", () => {
    const message = "User x may not\n\nx-amz-security-token:abcdef";
    const { message: line } = converted(message, { name: "AccessDenied", status: 403 });
    expect(line).toBe("the store denies x:Read: User x may not (AccessDenied, 403)");
  });

  it("says what to check where the service gives no reason: a 403 to HEAD has no body", () => {
    expect(converted("UnknownError", { name: "Unknown", status: 403 })).toMatchObject({
      code: "access-denied",
      message: "the store denies access (403)",
      hint: expect.stringMatching(/^check the access key, its secret .* may use x:Read$/),
    });
  });

  it("has no credentials of the environment or of a credential process", () => {
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "the-secret");
    vi.stubEnv("AWS_SESSION_TOKEN", "the-token");
    const status = { name: "Odd", status: 400 };
    expect(converted("got the-secret and the-token", status).message).not.toMatch(
      /the-(?:secret|token)/,
    );
    const failed = { name: "CredentialsProviderError" };
    expect(converted("Command failed: helper --key sesame", failed).message).not.toMatch(/sesame/);
  });

  it("does not have the SDK's error, which contains the request, as its cause", () => {
    expect(converted("x", { name: "Odd", status: 400 }).cause).toBeUndefined();
  });

  it("is passed on unchanged when it is not an error of the service", () => {
    const mistake = new TypeError("x is not a function");
    expect(sdkFailure(mistake, CONTEXT, new AbortController().signal)).toBe(mistake);
    const ours = new SvcError("a", "b");
    expect(sdkFailure(ours, CONTEXT, new AbortController().signal)).toBe(ours);
  });
});
