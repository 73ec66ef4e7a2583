import { describe, expect, it } from "vitest";
import { invalidateAll } from "../../../src/deploy/aws/cloudfront-cdn.ts";
import { useEnv } from "../../support/deploy/aws-stand-in.ts";
import { DISTRIBUTION, startCloudFront } from "../../support/deploy/cloudfront-stand-in.ts";
import { failure } from "../../support/deploy/object-bodies.ts";

async function started(env: Record<string, string> = {}) {
  const cloudFront = await startCloudFront();
  useEnv({ ...cloudFront.env, ...env });
  const invalidate = (distribution = DISTRIBUTION) =>
    invalidateAll(distribution, new AbortController().signal);
  return { cloudFront, invalidate };
}

describe("L7: an invalidation", () => {
  it("L7: is one of everything, even if its response is lost and the request repeated", async () => {
    const { cloudFront, invalidate } = await started();
    cloudFront.faults.push("cut-late", { status: 400, name: "Throttling" }, 503);
    expect(await invalidate()).toBe("I1");
    expect(cloudFront.invalidations).toMatchObject([{ id: "I1", paths: ["/*"] }]);
    expect(cloudFront.operations).toHaveLength(2);
  });

  it.each([
    ["TooManyInvalidationsInProgress", 400],
    ["InvalidArgument", 400],
  ])("that is refused as %s fails without a retry", async (name, status) => {
    const { cloudFront, invalidate } = await started();
    cloudFront.faults.push({ status, name });
    await expect(invalidate()).rejects.toMatchObject({
      code: "invalidation-refused",
      message: expect.stringContaining(DISTRIBUTION),
    });
    expect(cloudFront.operations).toEqual([]);
    expect(cloudFront.faults).toEqual([]);
  });

  it("fails for a missing distribution", async () => {
    const { invalidate } = await started();
    await expect(invalidate("E0NONE")).rejects.toMatchObject({
      code: "distribution-not-found",
      message: expect.stringContaining("E0NONE"),
    });
  });

  it("names the denied action", async () => {
    const { cloudFront, invalidate } = await started();
    cloudFront.faults.push({ status: 403, name: "AccessDenied" });
    await expect(invalidate()).rejects.toMatchObject({
      code: "access-denied",
      hint: expect.stringContaining("cloudfront:CreateInvalidation"),
    });
  });

  it("is refused with a wrong secret, which the error does not contain", async () => {
    const { cloudFront, invalidate } = await started({
      AWS_SECRET_ACCESS_KEY: "wrong-secret",
      AWS_SESSION_TOKEN: "token-of-session",
    });
    const error = await failure(invalidate());
    expect(error.code).toBe("access-denied");
    expect(cloudFront.invalidations).toEqual([]);
    expect(`${error.stack}${error.hint}${JSON.stringify(error)}`).not.toMatch(
      /wrong-secret|token-of-session|Credential=/,
    );
  });
});
