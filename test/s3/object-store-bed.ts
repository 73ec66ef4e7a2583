import { openObjectStore } from "../../src/deploy/aws/s3-object-store.ts";
import type { ObjectStore } from "../../src/deploy/object-store.ts";
import { useEnv } from "../support/deploy/aws-stand-in.ts";
import { type S3Proxy, startProxy } from "./s3-proxy.ts";
import { TestBucket } from "./s3-test-bucket.ts";

/** Options for options a store that differ from the bed's own. */
export interface OpenOptions {
  readonly prefix?: string;
  readonly bucket?: string;
  readonly endpoint?: string;
  readonly concurrency?: number;
  readonly signal?: AbortSignal;
}

/** A bucket of a real S3 server, reached through a proxy. */
export class ObjectStoreBed {
  readonly bucket: TestBucket;
  readonly proxy: S3Proxy;

  constructor(bucket: TestBucket, proxy: S3Proxy) {
    this.bucket = bucket;
    this.proxy = proxy;
  }

  static async make(): Promise<ObjectStoreBed> {
    const bucket = await TestBucket.make();
    const bed = new ObjectStoreBed(bucket, await startProxy(bucket.endpoint));
    useEnv(bucket.env);
    return bed;
  }

  open(options: OpenOptions = {}): ObjectStore {
    const { prefix = "", bucket = this.bucket.name, endpoint = this.proxy.endpoint } = options;
    const { concurrency = 8, signal = new AbortController().signal } = options;
    return openObjectStore({ bucket, prefix }, { endpoint, concurrency, signal });
  }

  /** The methods of the received requests, from this index. */
  methods(from = 0): string[] {
    return this.proxy.log.slice(from).map(({ method }) => method);
  }
}
