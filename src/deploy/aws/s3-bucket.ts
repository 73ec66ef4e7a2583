import { S3Client, type S3ClientConfig } from "@aws-sdk/client-s3";
import {
  loadConfig,
  NODE_REGION_CONFIG_FILE_OPTIONS,
  NODE_REGION_CONFIG_OPTIONS,
} from "@smithy/core/config";
import { SvcError } from "../../workspace/errors.ts";
import { type Target, targetName } from "../target.ts";
import { type Asked, failureOf } from "./sdk-errors.ts";
import { ATTEMPTS, attempted, retryStrategy, TIME_OUTS } from "./sdk-retry.ts";

export interface S3Options {
  /** Of another store that speaks S3; a URL. */
  readonly endpoint?: string | undefined;
  readonly region?: string | undefined;
  /** Requests at once, at most. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
}

/** A bucket, the client to ask for it, and how to ask. */
export interface Bucket {
  readonly client: S3Client;
  readonly bucket: string;
  /** Stands before every key; empty, or with a final slash. */
  readonly prefix: string;
  readonly name: string;
  readonly signal: AbortSignal;
  /** Asks until it is answered or ATTEMPTS are used up; throws what failureOf makes of the error. */
  ask<T>(action: string, attempt: (retries: number) => Promise<T>): Promise<T>;
}

/** A bucket of S3, or of a store that speaks S3; credentials come by the SDK's usual ways. */
export function bucketOf(target: Target, options: S3Options): Bucket {
  const { bucket, prefix } = target;
  const { signal } = options;
  const name = targetName(target);
  return {
    client: new S3Client(configuration(bucket, options)),
    bucket,
    prefix,
    name,
    signal,
    async ask(action, attempt) {
      try {
        return await attempted({ maxAttempts: ATTEMPTS, signal }, attempt);
      } catch (error) {
        throw failureOf(error, asking(name, bucket, action), signal);
      }
    },
  };
}

function configuration(bucket: string, options: S3Options): S3ClientConfig {
  const { endpoint, region, concurrency, signal } = options;
  const { AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL } = process.env;
  const elsewhere = (endpoint ?? AWS_ENDPOINT_URL_S3 ?? AWS_ENDPOINT_URL) !== undefined;
  const agent = { keepAlive: true, maxSockets: concurrency };
  return {
    ...(endpoint !== undefined && { endpoint }),
    ...(region !== undefined && { region }),
    // Other stores take any region; S3 itself must be told.
    ...(region === undefined && elsewhere && { region: regionOr("us-east-1") }),
    // Other stores seldom have a host name for each bucket, and no certificate covers one with dots.
    forcePathStyle: elsewhere || bucket.includes("."),
    followRegionRedirects: !elsewhere,
    // R2 and Ceph do not know the checksums that the SDK adds by itself.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    // `ask` repeats, for it can send a stream anew; the client cannot.
    retryStrategy: retryStrategy({ maxAttempts: 1, signal }),
    requestHandler: { ...TIME_OUTS, httpAgent: agent, httpsAgent: agent, logger: SILENT },
    logger: SILENT,
  };
}

function regionOr(region: string) {
  const selectors = { ...NODE_REGION_CONFIG_OPTIONS, default: region };
  return loadConfig(selectors, NODE_REGION_CONFIG_FILE_OPTIONS);
}

/** The client warns on the console of a stream that it cannot repeat. */
const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

function asking(name: string, bucket: string, action: string): Asked {
  const elsewhere = (told: string) =>
    new SvcError("bucket-region", `the bucket "${bucket}" is in another region: ${told}`, {
      hint: "set AWS_REGION to the bucket's region",
    });
  return {
    who: name,
    action,
    unavailable: "store-unreachable",
    refused: "store-refused",
    known: {
      NoSuchBucket: () =>
        new SvcError("bucket-not-found", `there is no bucket "${bucket}"`, {
          hint: "create it first, or check the name, the endpoint and the credentials' account",
        }),
      XMinioParentIsObject: () =>
        new SvcError("keys-unsupported", `${name} cannot hold an object below another one's key`, {
          hint: "the API's addresses need that (…/projects/site, …/projects/site/schema): use S3, R2, Ceph, or a newer MinIO",
        }),
      PermanentRedirect: elsewhere,
      AuthorizationHeaderMalformed: elsewhere,
      IllegalLocationConstraintException: elsewhere,
      XAmzContentSHA256Mismatch: () =>
        new SvcError("upload-changed", `${name} received other bytes than were to be uploaded`, {
          hint: "a file changed while it was uploaded: publish and deploy again",
        }),
    },
  };
}
