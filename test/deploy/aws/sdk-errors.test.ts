import { afterEach, describe, expect, it, vi } from "vitest";
import { sdkFailure } from "../../../src/deploy/aws/sdk-errors.ts";
import { SvcError } from "../../../src/workspace/errors.ts";

const ASKED = {
  service: "the store",
  action: "x:Read",
  unavailable: "x-away",
  refused: "x-refused",
};

/** An error as the SDK throws it, and what becomes of it. */
function told(message: string, more: { name?: string; code?: string; status?: number }) {
  const { status, ...names } = more;
  const $metadata = status === undefined ? {} : { httpStatusCode: status };
  const error = Object.assign(new Error(message), { $metadata, ...names });
  return sdkFailure(error, ASKED, new AbortController().signal) as SvcError;
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
    expect(told("as the service has it", error)).toMatchObject({
      code,
      message: expect.stringContaining("the store"),
      hint: expect.any(String),
    });
  });

  it("is told in the service's first line only: the request follows, with its session token", () => {
    const message = "User x may not\n\nx-amz-security-token:abcdef";
    const { message: line } = told(message, { name: "AccessDenied", status: 403 });
    expect(line).toBe("the store denies x:Read: User x may not (AccessDenied, 403)");
  });

  it("is told without the credentials of the environment, and of a credential process", () => {
    vi.stubEnv("AWS_SECRET_ACCESS_KEY", "the-secret");
    vi.stubEnv("AWS_SESSION_TOKEN", "the-token");
    const status = { name: "Odd", status: 400 };
    expect(told("got the-secret and the-token", status).message).not.toMatch(
      /the-(?:secret|token)/,
    );
    const failed = { name: "CredentialsProviderError" };
    expect(told("Command failed: helper --key sesame", failed).message).not.toMatch(/sesame/);
  });

  it("holds nothing of the SDK's error, which holds the request", () => {
    expect(told("x", { name: "Odd", status: 400 }).cause).toBeUndefined();
  });

  it("is a mistake of the program's own when it is one, and goes up as it is", () => {
    const mistake = new TypeError("x is not a function");
    expect(sdkFailure(mistake, ASKED, new AbortController().signal)).toBe(mistake);
    const ours = new SvcError("a", "b");
    expect(sdkFailure(ours, ASKED, new AbortController().signal)).toBe(ours);
  });
});
