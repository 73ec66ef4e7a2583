import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { inspect } from "node:util";
import { expect } from "vitest";
import type { ObjectBody } from "../../../src/deploy/object-store.ts";
import { SvcError } from "../../../src/workspace/errors.ts";

/** A body as one buffer. */
export function bodyOf(bytes: string | Buffer): ObjectBody & { readonly bytes: Buffer } {
  const buffer = Buffer.from(bytes);
  return { bytes: buffer, size: buffer.length, sha256: hash("sha256", buffer) };
}

/** A body as a stream; `streams` counts how often it is opened. */
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

/** The SvcError of a rejected promise; checks that it contains no secret. */
export async function failure(promise: Promise<unknown>): Promise<SvcError> {
  const error = await promise.then(
    (value) => expect.fail(`resolved with ${inspect(value)}`),
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
