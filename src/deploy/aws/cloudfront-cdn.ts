import { CloudFrontClient, CreateInvalidationCommand } from "@aws-sdk/client-cloudfront";
import { SvcError } from "../../workspace/errors.ts";
import type { Cdn } from "../cdn.ts";
import { type RequestContext, sdkFailure } from "./sdk-errors.ts";
import { ATTEMPTS, retryStrategy, TIMEOUTS } from "./sdk-retry.ts";

/** CloudFront's limit for one invalidation. */
const MAX_PATHS = 3_000;

/**
 * Opens CloudFront with the SDK's default region, credentials and endpoint.
 *
 * @param signal aborts all requests, which then throw its reason.
 */
export function openCdn({ signal }: { signal: AbortSignal }): Cdn {
  const client = new CloudFrontClient({
    retryStrategy: retryStrategy({ maxAttempts: ATTEMPTS, signal }),
    requestHandler: TIMEOUTS,
  });
  return {
    async invalidate(distribution, reference, paths) {
      if (paths.length > MAX_PATHS) {
        throw new RangeError(
          `${paths.length} paths in one invalidation; the limit is ${MAX_PATHS}`,
        );
      }
      const command = new CreateInvalidationCommand({
        DistributionId: distribution,
        InvalidationBatch: {
          CallerReference: reference,
          Paths: { Quantity: paths.length, Items: [...paths] },
        },
      });
      try {
        const { Invalidation } = await client.send(command, { abortSignal: signal });
        if (Invalidation?.Id === undefined) throw refused(distribution, "the response has no id");
        return Invalidation.Id;
      } catch (error) {
        throw sdkFailure(error, contextOf(distribution), signal);
      }
    },
  };
}

function contextOf(distribution: string): RequestContext {
  const refusal = (message: string) => refused(distribution, message);
  return {
    service: `the distribution ${distribution}`,
    action: "cloudfront:CreateInvalidation",
    unavailable: "cdn-unavailable",
    refused: "invalidation-refused",
    known: {
      TooManyInvalidationsInProgress: refusal,
      BatchTooLarge: refusal,
      InvalidationBatchAlreadyExists: refusal,
      NoSuchDistribution: () =>
        new SvcError("distribution-not-found", `there is no distribution ${distribution}`, {
          hint: "check the id: `aws cloudfront list-distributions` lists them",
        }),
    },
  };
}

function refused(distribution: string, message: string): SvcError {
  return new SvcError(
    "invalidation-refused",
    `the distribution ${distribution} refuses the invalidation: ${message}`,
    { hint: "the next deploy repeats it" },
  );
}
