import { expect, it } from "vitest";
import { ReleaseBed } from "./release-bed.ts";

it("D4: svc diff compares a folder with what is live, as a release and in place", async () => {
  const bed = await ReleaseBed.make();
  const diff = async (...args: readonly string[]) => {
    const { status, stdout, stderr } = await bed.start("diff", ...args, "--json").ended;
    expect({ status, stderr }, stdout).toEqual({ status: 0, stderr: "" });
    return JSON.parse(stdout);
  };
  const release = `s3://${bed.bucket.name}`;
  const inPlace = `${release}/place`;
  expect(await diff("--against", release, "workspace")).toMatchObject({ from: null });
  await bed.deployed(release);
  const { SVC_DEPLOY_KVS: _, ...env } = bed.env;
  const withKvs = bed.env;
  bed.env = env;
  await bed.deployed(inPlace);
  const from = bed.versionId();
  bed.change("entries/home-page.json", "Welcome", "Hello");
  const found = await diff("--against", inPlace, "workspace");
  expect(found).toMatchObject({ workspaceId: "starter", from, to: null });
  expect(found.entries).toMatchObject([{ id: "home-page", fields: [{ change: "changed" }] }]);
  bed.env = withKvs;
  expect(await diff("--against", release, "workspace")).toEqual(found);
});
