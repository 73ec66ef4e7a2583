import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { inspect } from "node:util";
import { expect, onTestFinished, vi } from "vitest";
import { openObjectStore } from "../../src/deploy/aws/s3-object-store.ts";
import type { ObjectBody, ObjectStore } from "../../src/deploy/object-store.ts";
import { SvcError } from "../../src/workspace/errors.ts";
import { type S3Proxy, startProxy } from "./s3-proxy.ts";
import { TestBucket } from "./s3-test-bucket.ts";

/** How a store is opened, where it is not the usual way. */
export interface Opening {
  readonly prefix?: string;
  readonly bucket?: string;
  readonly endpoint?: string;
  readonly concurrency?: number;
  readonly signal?: AbortSignal;
}

/** A bucket of a real S3 server behind a proxy, and this process' way to it. */
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
    bed.setEnv(bucket.env);
    return bed;
  }

  /** Until the test ends. */
  setEnv(env: Readonly<Record<string, string | undefined>>): void {
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
    onTestFinished(() => void vi.unstubAllEnvs());
  }

  open(opening: Opening = {}): ObjectStore {
    const { prefix = "", bucket = this.bucket.name, endpoint = this.proxy.endpoint } = opening;
    const { concurrency = 8, signal = new AbortController().signal } = opening;
    return openObjectStore({ bucket, prefix }, { endpoint, concurrency, signal });
  }

  /** The methods of the requests that came, from one on. */
  methods(from = 0): string[] {
    return this.proxy.log.slice(from).map(({ method }) => method);
  }
}

/** Bytes in one piece. */
export function bodyOf(bytes: string | Buffer): ObjectBody & { readonly bytes: Buffer } {
  const buffer = Buffer.from(bytes);
  return { bytes: buffer, size: buffer.length, sha256: hash("sha256", buffer) };
}

/** Bytes in pieces, which `streams` counts. */
export function streamed(bytes: Buffer): { body: ObjectBody; streams: () => number } {
  let opened = 0;
  const open = () => {
    opened += 1;
    return Readable.from(pieces(bytes), { objectMode: false });
  };
  return { body: { ...bodyOf(bytes), bytes: open }, streams: () => opened };
}

function* pieces(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}

export function hash(algorithm: "md5" | "sha256", bytes: Buffer): string {
  return createHash(algorithm).update(bytes).digest("hex");
}

export const JSON_HEADERS = {
  "Content-Type": "application/json; charset=utf-8",
  "Cache-Control": "public, max-age=30",
};

/** What something throws, which is an error for a user and tells no secret, however it is printed. */
export async function failure(asked: Promise<unknown>): Promise<SvcError> {
  const error = await asked.then(
    (value) => expect.fail(`it gave ${inspect(value)}`),
    (reason: unknown) => reason,
  );
  const printed = inspect(error, { depth: 20, showHidden: true });
  expect(error, printed).toBeInstanceOf(SvcError);
  const { AWS_SECRET_ACCESS_KEY = "?" } = process.env;
  for (const secret of [AWS_SECRET_ACCESS_KEY, "Signature=", "AWS4-HMAC"]) {
    expect(printed).not.toContain(secret);
  }
  const { message, hint } = error as SvcError;
  expect(message).not.toContain("\n");
  expect(hint).toMatch(/\S/);
  return error as SvcError;
}

export async function allOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
