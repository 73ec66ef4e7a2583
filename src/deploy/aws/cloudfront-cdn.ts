import { CloudFrontClient, CreateInvalidationCommand } from "@aws-sdk/client-cloudfront";
import { SvcError } from "../../workspace/errors.ts";
import type { Cdn } from "../cdn.ts";
import { type Asked, failureOf } from "./sdk-errors.ts";
import { ATTEMPTS, retryStrategy, TIME_OUTS } from "./sdk-retry.ts";

/** CloudFront's limit for one invalidation. */
const MOST_PATHS = 3_000;

/**
 * CloudFront; region, credentials and endpoint come by the SDK's usual ways.
 *
 * @param signal ends every request; what was asked then throws the signal's reason.
 */
export function openCdn({ signal }: { signal: AbortSignal }): Cdn {
  const client = new CloudFrontClient({
    retryStrategy: retryStrategy({ maxAttempts: ATTEMPTS, signal }),
    requestHandler: TIME_OUTS,
  });
  return {
    async invalidate(distribution, reference, paths) {
      if (paths.length > MOST_PATHS) {
        throw new RangeError(`${paths.length} paths in one invalidation, of ${MOST_PATHS}`);
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
        if (Invalidation?.Id === undefined) throw refused(distribution, "an answer without an id");
        return Invalidation.Id;
      } catch (error) {
        throw failureOf(error, invalidationOf(distribution), signal);
      }
    },
  };
}

function invalidationOf(distribution: string): Asked {
  const refusal = (told: string) => refused(distribution, told);
  return {
    who: `the distribution ${distribution}`,
    action: "cloudfront:CreateInvalidation",
    unavailable: "cdn-unavailable",
    refused: "invalidation-refused",
    known: {
      TooManyInvalidationsInProgress: refusal,
      BatchTooLarge: refusal,
      InvalidationBatchAlreadyExists: refusal,
      NoSuchDistribution: () =>
        new SvcError("distribution-not-found", `there is no distribution ${distribution}`, {
          hint: "check the id: `aws cloudfront list-distributions` shows them",
        }),
    },
  };
}

function refused(distribution: string, told: string): SvcError {
  return new SvcError(
    "invalidation-refused",
    `the distribution ${distribution} takes no invalidation: ${told}`,
    { hint: "the next deploy asks for it again" },
  );
}
