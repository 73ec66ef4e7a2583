import { SvcError } from "../../workspace/errors.ts";
import { type DeployTarget, targetName } from "../target.ts";
import {
  type AwsRequest,
  type AwsResponse,
  AwsService,
  configuredEndpoint,
  configuredRegion,
  type Place,
  percentEncoded,
} from "./aws-service.ts";
import { AwsError, type RequestContext, request } from "./failures.ts";

export interface S3Options {
  /** The URL of an S3-compatible store. */
  readonly endpoint?: string | undefined;
  /** Maximum requests at once. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
}

/** A bucket, and requests to it. */
export interface S3Bucket {
  /** Prepended to every key; empty, or with a final slash. */
  readonly prefix: string;
  readonly name: string;
  /** Sends a request for an object, or for the bucket, once. */
  send(key: string | undefined, request: Omit<AwsRequest, "path">): Promise<AwsResponse>;
  /** Retries; throws what `requestFailure` returns. */
  request<T>(action: string, attempt: (retries: number) => Promise<T>): Promise<T>;
}

/** Opens a bucket of S3 or of an S3-compatible store, with credentials as other AWS tools find them. */
export function openS3Bucket(target: DeployTarget, options: S3Options): S3Bucket {
  const { bucket, prefix } = target;
  const { signal, concurrency } = options;
  const name = targetName(target);
  const place = async () => {
    const endpoint = options.endpoint ?? (await configuredEndpoint("s3"));
    if (endpoint === undefined) return placeOf(bucket, await configuredRegion());
    // S3-compatible stores accept any region, and rarely have a host for each bucket.
    const origin = new URL(`${endpoint.replace(/\/+$/, "")}/${bucket}`);
    return { region: await configuredRegion("us-east-1"), origin };
  };
  const service = new AwsService({ service: "s3", place, concurrency, signal });
  return {
    prefix,
    name,
    async send(key, request) {
      const path = key === undefined ? "" : `/${pathOf(`${prefix}${key}`)}`;
      try {
        return await service.send({ ...request, path });
      } catch (error) {
        const region = await otherRegion(error, service);
        if (region === undefined) throw error;
        service.moveTo(placeOf(bucket, region));
        return service.send({ ...request, path });
      }
    },
    request: (action, attempt) => request(contextOf(name, bucket, action), signal, attempt),
  };
}

/** S3's own place for a bucket. */
function placeOf(bucket: string, region: string): Place {
  const host = `s3.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}`;
  // No certificate covers a bucket with dots.
  const url = bucket.includes(".") ? `https://${host}/${bucket}` : `https://${bucket}.${host}`;
  return { region, origin: new URL(url) };
}

/** The region of the bucket, where S3 says that it is another one. */
async function otherRegion(error: unknown, service: AwsService): Promise<string | undefined> {
  const region = error instanceof AwsError ? error.headers["x-amz-bucket-region"] : undefined;
  const { region: asked, origin } = await service.place();
  const isOther = typeof region === "string" && /^[a-z0-9-]+$/.test(region) && region !== asked;
  return isOther && /\.amazonaws\.com(?:\.cn)?$/.test(origin.hostname) ? region : undefined;
}

function pathOf(key: string): string {
  return key.split("/").map(percentEncoded).join("/");
}

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
