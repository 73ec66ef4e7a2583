import { readdirSync, readFileSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { CliBed, STARTER } from "../support/cli-bed.ts";
import { startCli } from "../support/deploy/start-cli.ts";
import { first, type S3Request } from "./s3-faults.ts";
import { type S3Proxy, startProxy } from "./s3-proxy.ts";
import { TestBucket } from "./s3-test-bucket.ts";

const KEY = "kept/workspace.db";

let bucket: TestBucket;
let proxy: S3Proxy;
let address: string;
beforeEach(async () => {
  bucket = await TestBucket.make();
  proxy = await startProxy(bucket.endpoint);
  address = `${bucket.target}/${KEY}`;
});

const isOf = (method: string) => (request: S3Request) =>
  request.method === method && request.path.endsWith(KEY);

/** The folder of a member of the team. */
class Member extends CliBed {
  constructor(...workspaces: readonly string[]) {
    super(...workspaces);
    const { SVC_DEPLOY_TARGET: _, ...env } = bucket.env;
    this.env = { ...env, SVC_DEPLOY_ENDPOINT: proxy.endpoint };
  }

  start = (...args: readonly string[]) => startCli(this, ...args, "--json");

  async result(...args: readonly string[]) {
    const { status, stdout, stderr } = await this.start(...args).ended;
    expect(stderr, stdout).toBe("");
    return { status, ...JSON.parse(stdout) };
  }

  push = () => this.result("store", "push", address);
  pull = () => this.result("store", "pull", address);
  addToken = (name: string) => this.ok("token", "create", "--name", name);
  tokens = (): string[] =>
    this.json(0, "token", "list").tokens.map(({ name }: { name: string }) => name);
  bytes = () => readFileSync(this.path("workspace.db"));
}

async function pair(): Promise<[Member, Member]> {
  const [one, other] = [new Member(STARTER), new Member()];
  expect(await one.push()).toMatchObject({ status: 0, pushed: true });
  expect(await other.pull()).toMatchObject({ status: 0, pulled: true });
  return [one, other];
}

describe("R14: svc store pull", () => {
  it("R14: that is killed leaves the old store, and the next one completes it", async () => {
    const [one, other] = await pair();
    one.addToken("one");
    await one.push();
    const own = other.bytes();
    const { process: killed, ended } = other.start("store", "pull", address);
    proxy.fault = (request) => {
      if (!isOf("GET")(request)) return undefined;
      setTimeout(() => killed.kill("SIGKILL"), 100);
      return { cutResponse: 70_000 };
    };
    expect((await ended).status).toBe(null);
    proxy.fault = () => undefined;
    expect(other.bytes()).toEqual(own);
    expect(other.tokens()).toEqual([]);
    expect(await other.pull()).toMatchObject({ status: 0, pulled: true });
    expect(other.tokens()).toEqual(["one"]);
    expect(readdirSync(other.folder).sort()).toEqual(["workspace.db", "workspace.db-remote"]);
  });

  it("R14: repeats a download that was cut, and takes the complete store only", async () => {
    const [one, other] = await pair();
    one.addToken("one");
    await one.push();
    proxy.fault = first(3, { cutResponse: 70_000 }, isOf("GET"));
    expect(await other.pull()).toMatchObject({ status: 0, pulled: true });
    expect(proxy.log.filter(isOf("GET")).length).toBe(5);
    expect(other.tokens()).toEqual(["one"]);
  });
});
