import { beforeEach, describe, expect, it } from "vitest";
import { type CloudFrontStandIn, startCloudFront } from "../support/deploy/cloudfront-stand-in.ts";
import { DeployBed } from "./deploy-bed.ts";
import { TestBucket } from "./s3-test-bucket.ts";

const DOCUMENTS = ["", "/experiences/welcome/content", "/schema"].map(
  (rest) => `/api/v1/projects/site${rest}`,
);

let bed: DeployBed;
let cdn: CloudFrontStandIn;
beforeEach(async () => {
  const bucket = await TestBucket.make();
  cdn = await startCloudFront();
  bed = new DeployBed({ ...bucket.env, ...cdn.env });
});

async function deploy(...args: readonly string[]) {
  const { status, stdout } = await bed.start("deploy", "--json", ...args).ended;
  return { status, ...JSON.parse(stdout) };
}
const deployed = () => deploy("--distribution", cdn.distribution);
const changeHeadline = () => bed.change("entries/home-page.json", "Welcome", "Hello");

describe("L7: an invalidation", () => {
  it("is one request with the changed paths", async () => {
    await deployed();
    changeHeadline();
    const { invalidations } = await deployed();
    expect(invalidations).toEqual([{ distribution: cdn.distribution, id: "I2", paths: 3 }]);
    expect(cdn.invalidations[1]?.paths).toEqual(DOCUMENTS);
  });

  it("that is refused is repeated by the next deploy", async () => {
    await deployed();
    changeHeadline();
    cdn.faults.push({ status: 400, name: "TooManyInvalidationsInProgress" });
    const { status, error } = await deployed();
    expect(status).toBe(3);
    expect(error.code).toBe("invalidation-pending");
    expect(error.message).toMatch(/^the files are deployed, but /);
    // Even without changes or --distribution.
    expect(await deploy()).toMatchObject({ status: 0, invalidations: [{ paths: 3 }] });
    expect(cdn.invalidations.map(({ paths }) => paths)).toEqual([
      expect.anything(),
      expect.arrayContaining(DOCUMENTS),
    ]);
    expect(await deploy()).toMatchObject({ status: 0, invalidations: [] });
  });
});
