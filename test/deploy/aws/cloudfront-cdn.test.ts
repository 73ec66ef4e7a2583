import { describe, expect, it } from "vitest";
import { openCdn } from "../../../src/deploy/aws/cloudfront-cdn.ts";
import { useEnv } from "../../support/deploy/aws-stand-in.ts";
import { DISTRIBUTION, startCloudFront } from "../../support/deploy/cloudfront-stand-in.ts";

async function started(env: Record<string, string> = {}) {
  const cloudFront = await startCloudFront();
  useEnv({ ...cloudFront.env, ...env });
  return { cloudFront, cdn: openCdn({ signal: new AbortController().signal }) };
}

describe("L7: an invalidation", () => {
  it("sends the paths unchanged, and returns its id", async () => {
    const { cloudFront, cdn } = await started();
    const paths = ["/api/v1/projects/a", "/api/v1/projects/%C3%BC&x", "/api/v1/*"];
    expect(await cdn.invalidate(DISTRIBUTION, "ref-1", paths)).toBe("I1");
    expect(cloudFront.invalidations).toEqual([{ id: "I1", reference: "ref-1", paths }]);
  });

  it("is created once per reference, even if the request is repeated or its response is lost", async () => {
    const { cloudFront, cdn } = await started();
    cloudFront.faults.push("cut-late", { status: 400, name: "Throttling" }, 503);
    expect(await cdn.invalidate(DISTRIBUTION, "ref-1", ["/a"])).toBe("I1");
    expect(await cdn.invalidate(DISTRIBUTION, "ref-1", ["/a"])).toBe("I1");
    expect(cloudFront.invalidations).toHaveLength(1);
    expect(cloudFront.operations).toHaveLength(3);
  });

  it.each([
    ["TooManyInvalidationsInProgress", 400],
    ["InvalidArgument", 400],
    ["BatchTooLarge", 413],
  ])("that is refused as %s fails without a retry", async (name, status) => {
    const { cloudFront, cdn } = await started();
    cloudFront.faults.push({ status, name });
    await expect(cdn.invalidate(DISTRIBUTION, "ref-1", ["/a"])).rejects.toMatchObject({
      code: "invalidation-refused",
      message: expect.stringContaining(DISTRIBUTION),
    });
    expect(cloudFront.operations).toEqual([]);
    expect(cloudFront.faults).toEqual([]);
  });

  it("with the reference of other paths is refused", async () => {
    const { cdn } = await started();
    await cdn.invalidate(DISTRIBUTION, "ref-1", ["/a"]);
    await expect(cdn.invalidate(DISTRIBUTION, "ref-1", ["/b"])).rejects.toMatchObject({
      code: "invalidation-refused",
      hint: expect.stringContaining("next deploy"),
    });
  });

  it("fails for a missing distribution", async () => {
    const { cdn } = await started();
    await expect(cdn.invalidate("E0NONE", "ref-1", ["/a"])).rejects.toMatchObject({
      code: "distribution-not-found",
      message: expect.stringContaining("E0NONE"),
    });
  });

  it("names the denied action", async () => {
    const { cloudFront, cdn } = await started();
    cloudFront.faults.push({ status: 403, name: "AccessDenied" });
    await expect(cdn.invalidate(DISTRIBUTION, "ref-1", ["/a"])).rejects.toMatchObject({
      code: "access-denied",
      hint: expect.stringContaining("cloudfront:CreateInvalidation"),
    });
  });

  it("is refused with a wrong secret, which the error does not contain", async () => {
    const { cloudFront, cdn } = await started({
      AWS_SECRET_ACCESS_KEY: "wrong-secret",
      AWS_SESSION_TOKEN: "token-of-session",
    });
    const error = await cdn.invalidate(DISTRIBUTION, "ref-1", ["/a"]).catch((thrown) => thrown);
    expect(error.code).toBe("access-denied");
    expect(cloudFront.invalidations).toEqual([]);
    expect(`${error.stack}${error.hint}${JSON.stringify(error)}`).not.toMatch(
      /wrong-secret|token-of-session|Credential=/,
    );
  });
});
