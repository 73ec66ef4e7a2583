import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { CliBed, STARTER } from "../support/cli-bed.ts";
import { startCli } from "../support/deploy/start-cli.ts";
import { first, type S3Request } from "./s3-faults.ts";
import { startProxy } from "./s3-proxy.ts";
import { TestBucket } from "./s3-test-bucket.ts";

const KEY = "kept/workspace.db";

it("R14: a pull that is killed leaves the old store, and the next one repeats what is cut and takes the complete one", async () => {
  const bucket = await TestBucket.make();
  const proxy = await startProxy(bucket.endpoint);
  const { SVC_DEPLOY_TARGET: _, ...env } = bucket.env;
  const [one, other] = [new CliBed(STARTER), new CliBed()];
  const ran = async (bed: CliBed, act: "push" | "pull") => {
    bed.env = { ...env, SVC_DEPLOY_ENDPOINT: proxy.endpoint };
    const { stdout } = await bed.runBeside("store", act, `${bucket.target}/${KEY}`, "--json");
    expect(JSON.parse(stdout)).toMatchObject(act === "push" ? { pushed: true } : { pulled: true });
  };
  const tokens = (): string[] =>
    other.json(0, "token", "list").tokens.map(({ name }: { name: string }) => name);
  const isGet = ({ method, path }: S3Request) => method === "GET" && path.endsWith(KEY);

  await ran(one, "push");
  await ran(other, "pull");
  one.ok("token", "create", "--name", "one");
  await ran(one, "push");
  const own = readFileSync(other.path("workspace.db"));
  const { process: killed, ended } = startCli(other, "store", "pull", `${bucket.target}/${KEY}`);
  proxy.fault = (request) => {
    if (!isGet(request)) return undefined;
    setTimeout(() => killed.kill("SIGKILL"), 100);
    return { cutResponse: 70_000 };
  };
  expect((await ended).status).toBe(null);
  expect(readFileSync(other.path("workspace.db"))).toEqual(own);
  expect(tokens()).toEqual([]);

  const gets = proxy.log.filter(isGet).length;
  proxy.fault = first(3, { cutResponse: 70_000 }, isGet);
  await ran(other, "pull");
  expect(proxy.log.filter(isGet).length - gets).toBe(4);
  expect(tokens()).toEqual(["one"]);
  expect(readdirSync(other.folder).sort()).toEqual(["workspace.db", "workspace.db-remote"]);
});
