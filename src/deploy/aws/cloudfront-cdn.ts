import { SvcError } from "../../workspace/errors.ts";
import type { Cdn } from "../in-place/deploy-in-place.ts";
import { AwsService, bytesOf, configuredEndpoint } from "./aws-service.ts";
import { type RequestContext, request } from "./failures.ts";
import { element, textOf } from "./xml.ts";

const VERSION = "2020-05-31";

/**
 * Opens CloudFront, with credentials as other AWS tools find them.
 *
 * @param signal aborts all requests, which then throw its reason.
 */
export function openCdn({ signal }: { signal: AbortSignal }): Cdn {
  const service = new AwsService({
    service: "cloudfront",
    place: async () => {
      const endpoint = await configuredEndpoint("cloudfront");
      // It has one place for all regions.
      const origin = new URL(endpoint ?? "https://cloudfront.amazonaws.com");
      return { region: "us-east-1", origin };
    },
    concurrency: 1,
    signal,
  });
  return {
    async invalidate(distribution, reference, paths) {
      const items = element(
        "Items",
        paths.map((path) => element("Path", path)),
      );
      const body = element("InvalidationBatch", [
        element("Paths", [element("Quantity", String(paths.length)), items]),
        element("CallerReference", reference),
      ]).replace(">", ` xmlns="http://cloudfront.amazonaws.com/doc/${VERSION}/">`);
      const created = await request(contextOf(distribution), signal, async () => {
        const response = await service.send({
          method: "POST",
          path: `/${VERSION}/distribution/${encodeURIComponent(distribution)}/invalidation`,
          headers: { "content-type": "application/xml" },
          body,
        });
        return (await bytesOf(response)).toString();
      });
      const id = textOf(created, "Id");
      if (id === "") throw refused(distribution, "the response has no id");
      return id;
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
