import { expect } from "vitest";
import type { Ran } from "../support/cli-bed.ts";
import { type KvsStandIn, startKvs } from "../support/deploy/kvs-stand-in.ts";
import { statusOf } from "../support/json-output.ts";
import { DeployBed } from "./deploy-bed.ts";
import { type S3Proxy, startProxy } from "./s3-proxy.ts";
import { TestBucket } from "./s3-test-bucket.ts";

/** A published workspace, a bucket and a KeyValueStore, for deploys as releases. */
export class ReleaseBed extends DeployBed {
  readonly bucket: TestBucket;
  readonly proxy: S3Proxy;
  readonly kvs: KvsStandIn;

  private constructor(bucket: TestBucket, proxy: S3Proxy, kvs: KvsStandIn) {
    const endpoint = { SVC_DEPLOY_ENDPOINT: proxy.endpoint, SVC_DEPLOY_KVS: kvs.arn };
    super({ ...bucket.env, ...kvs.env, ...endpoint });
    this.bucket = bucket;
    this.proxy = proxy;
    this.kvs = kvs;
  }

  static async make(): Promise<ReleaseBed> {
    const bucket = await TestBucket.make();
    return new ReleaseBed(bucket, await startProxy(bucket.endpoint), await startKvs());
  }

  /** Runs `svc deploy …`; asynchronous, since this process serves the stand-ins. */
  deploy(...args: readonly string[]): Promise<Ran> {
    return this.start("deploy", ...args).ended;
  }

  /** The `--json` result of a deploy that must succeed. */
  // biome-ignore lint/suspicious/noExplicitAny: tests access results without types
  async deployed(...args: readonly string[]): Promise<any> {
    const { status, stdout, stderr } = await this.deploy(...args, "--json");
    expect({ status, stderr }, stdout).toEqual({ status: 0, stderr: "" });
    return JSON.parse(stdout);
  }

  /** The error of a deploy that must fail. */
  async refused(
    ...args: readonly string[]
  ): Promise<{ code: string; message: string; hint: string }> {
    const { status, stdout } = await this.deploy(...args, "--json");
    const { error } = JSON.parse(stdout);
    expect(status, stdout).toBe(statusOf(error));
    return error;
  }

  /** The release that the project is served from. */
  live(projectId = "site"): string | undefined {
    return this.kvs.values.get(`p:${projectId}`);
  }

  /** Clears the recorded writes. */
  clearWrites(): void {
    this.proxy.forwarded.length = 0;
    this.kvs.operations.length = 0;
  }

  /** The writes since `clearWrites`. */
  writes(): string[] {
    return [...this.proxy.writes(), ...this.kvs.operations.filter((name) => name === "UpdateKeys")];
  }
}
