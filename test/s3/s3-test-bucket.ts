import {
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutBucketPolicyCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
} from "@aws-sdk/client-s3";
import { inject } from "vitest";
import { credentialsEnv } from "../support/deploy/aws-stand-in.ts";
import { S3_USER } from "./ceph-daemons.ts";

/** An object as it is stored. */
export interface Stored {
  readonly text: string;
  readonly contentType: string | undefined;
  readonly cacheControl: string | undefined;
  readonly sha256: string | undefined;
}

let made = 0;

/** A new bucket on the suite's S3 server, with an independent client. */
export class TestBucket {
  readonly name = `svc-${process.pid}-${Date.now().toString(36)}-${++made}`;
  readonly target = `s3://${this.name}`;
  readonly endpoint = inject("s3");
  /** The environment of a process that deploys to it. */
  readonly env: Readonly<Record<string, string>> = {
    ...credentialsEnv(S3_USER),
    SVC_DEPLOY_ENDPOINT: this.endpoint,
    SVC_DEPLOY_TARGET: this.target,
  };
  readonly #client = new S3Client({
    endpoint: this.endpoint,
    forcePathStyle: true,
    region: "us-east-1",
    credentials: S3_USER,
  });

  static async make(): Promise<TestBucket> {
    const bucket = new TestBucket();
    await bucket.#client.send(new CreateBucketCommand({ Bucket: bucket.name }));
    return bucket;
  }

  /** Every key below the prefix, in order. */
  async keys(prefix = ""): Promise<string[]> {
    const keys: string[] = [];
    const pages = paginateListObjectsV2(
      { client: this.#client },
      { Bucket: this.name, Prefix: prefix },
    );
    for await (const { Contents = [] } of pages) {
      keys.push(...Contents.map(({ Key = "" }) => Key));
    }
    return keys;
  }

  /** Every object but svc's own state, by key; bytes as latin1. */
  async objects(): Promise<Map<string, Stored>> {
    const objects = new Map<string, Stored>();
    for (const key of await this.keys()) {
      if (!key.startsWith(".")) objects.set(key, await this.object(key));
    }
    return objects;
  }

  async object(key: string): Promise<Stored> {
    const place = { Bucket: this.name, Key: key };
    const { Body, ...output } = await this.#client.send(new GetObjectCommand(place));
    return {
      text: Buffer.from((await Body?.transformToByteArray()) ?? []).toString("latin1"),
      contentType: output.ContentType,
      cacheControl: output.CacheControl,
      sha256: output.Metadata?.sha256,
    };
  }

  async has(key: string): Promise<boolean> {
    const command = new HeadObjectCommand({ Bucket: this.name, Key: key });
    return this.#client.send(command).then(
      () => true,
      () => false,
    );
  }

  async remove(key: string): Promise<void> {
    await this.#client.send(new DeleteObjectCommand({ Bucket: this.name, Key: key }));
  }

  /** A write by another program. */
  async put(key: string, text: string): Promise<void> {
    await this.#client.send(new PutObjectCommand({ Bucket: this.name, Key: key, Body: text }));
  }

  /** Denies everyone an action on the keys that match a pattern. */
  async deny(action: string, pattern: string): Promise<void> {
    const Resource = `arn:aws:s3:::${this.name}/${pattern}`;
    const Statement = [{ Effect: "Deny", Principal: "*", Action: action, Resource }];
    const Policy = JSON.stringify({ Version: "2012-10-17", Statement });
    await this.#client.send(new PutBucketPolicyCommand({ Bucket: this.name, Policy }));
  }
}
