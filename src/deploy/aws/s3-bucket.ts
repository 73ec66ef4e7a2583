import { S3Client, type S3ClientConfig } from "@aws-sdk/client-s3";
import {
  loadConfig,
  NODE_REGION_CONFIG_FILE_OPTIONS,
  NODE_REGION_CONFIG_OPTIONS,
} from "@smithy/core/config";
import { SvcError } from "../../workspace/errors.ts";
import { type DeployTarget, targetName } from "../target.ts";
import { type RequestContext, sdkFailure } from "./sdk-errors.ts";
import { ATTEMPTS, retryStrategy, TIMEOUTS, withRetries } from "./sdk-retry.ts";

export interface S3Options {
  /** The URL of an S3-compatible store. */
  readonly endpoint?: string | undefined;
  readonly region?: string | undefined;
  /** Maximum requests at once. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
}

/** A bucket with its client. */
export interface S3Bucket {
  readonly client: S3Client;
  readonly bucket: string;
  /** Prepended to every key; empty, or with a final slash. */
  readonly prefix: string;
  readonly name: string;
  readonly signal: AbortSignal;
  /** Retries up to ATTEMPTS times; throws what `sdkFailure` returns. */
  request<T>(action: string, attempt: (retries: number) => Promise<T>): Promise<T>;
}

/** Opens a bucket of S3 or of an S3-compatible store, with the SDK's default credentials. */
export function openS3Bucket(target: DeployTarget, options: S3Options): S3Bucket {
  const { bucket, prefix } = target;
  const { signal } = options;
  const name = targetName(target);
  return {
    client: new S3Client(configuration(bucket, options)),
    bucket,
    prefix,
    name,
    signal,
    async request(action, attempt) {
      try {
        return await withRetries({ maxAttempts: ATTEMPTS, signal }, attempt);
      } catch (error) {
        throw sdkFailure(error, contextOf(name, bucket, action), signal);
      }
    },
  };
}

function configuration(bucket: string, options: S3Options): S3ClientConfig {
  const { endpoint, region, concurrency, signal } = options;
  const { AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL } = process.env;
  const isCompatible = (endpoint ?? AWS_ENDPOINT_URL_S3 ?? AWS_ENDPOINT_URL) !== undefined;
  const agent = { keepAlive: true, maxSockets: concurrency };
  return {
    ...(endpoint !== undefined && { endpoint }),
    ...(region !== undefined && { region }),
    // S3-compatible stores accept any region; S3 itself needs the right one.
    ...(region === undefined && isCompatible && { region: regionOr("us-east-1") }),
    // Compatible stores rarely have a host for each bucket, and no certificate covers one with dots.
    forcePathStyle: isCompatible || bucket.includes("."),
    followRegionRedirects: !isCompatible,
    // R2 and Ceph do not support the checksums that the SDK adds by default.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    // `request` retries instead: the client cannot send a stream twice.
    retryStrategy: retryStrategy({ maxAttempts: 1, signal }),
    requestHandler: { ...TIMEOUTS, httpAgent: agent, httpsAgent: agent, logger: SILENT },
    logger: SILENT,
  };
}

function regionOr(region: string) {
  const selectors = { ...NODE_REGION_CONFIG_OPTIONS, default: region };
  return loadConfig(selectors, NODE_REGION_CONFIG_FILE_OPTIONS);
}

/** The client warns on the console about a stream that it cannot retry. */
const SILENT = { debug() {}, info() {}, warn() {}, error() {} };

function contextOf(name: string, bucket: string, action: string): RequestContext {
  const otherRegion = (message: string) =>
    new SvcError("bucket-region", `the bucket "${bucket}" is in another region: ${message}`, {
      hint: "set AWS_REGION to the bucket's region",
    });
  return {
    service: name,
    action,
    unavailable: "store-unreachable",
    refused: "store-refused",
    known: {
      NoSuchBucket: () =>
        new SvcError("bucket-not-found", `there is no bucket "${bucket}"`, {
          hint: "create it first, or check the name, the endpoint and the credentials' account",
        }),
      XMinioParentIsObject: () =>
        new SvcError(
          "keys-unsupported",
          `${name} does not support a key below the key of another object`,
          {
            hint: "the API needs it (…/projects/site and …/projects/site/schema): use S3, R2, Ceph, or a newer MinIO",
          },
        ),
      PermanentRedirect: otherRegion,
      AuthorizationHeaderMalformed: otherRegion,
      IllegalLocationConstraintException: otherRegion,
      XAmzContentSHA256Mismatch: () =>
        new SvcError("upload-changed", `${name} received other bytes than expected`, {
          hint: "a file changed during the upload: publish and deploy again",
        }),
    },
  };
}
