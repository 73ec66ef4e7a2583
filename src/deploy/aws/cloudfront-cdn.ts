import { randomUUID } from "node:crypto";
import { SvcError } from "../../workspace/errors.ts";
import { AwsService, bytesOf, configuredEndpoint } from "./aws-service.ts";
import { type RequestContext, request } from "./failures.ts";
import { element, textOf } from "./xml.ts";

const VERSION = "2020-05-31";

/**
 * L7: asks CloudFront to drop all that a distribution has cached, with credentials as other AWS tools find them.
 *
 * @param signal aborts the request, which then throws its reason.
 * @returns the invalidation's id.
 * @throws SvcError `cdn-unavailable`, `invalidation-refused`, `distribution-not-found`, `access-denied`.
 */
export async function invalidateAll(distribution: string, signal: AbortSignal): Promise<string> {
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
  // One reference for all attempts: it is made once.
  const body = element("InvalidationBatch", [
    element("Paths", [element("Quantity", "1"), element("Items", [element("Path", "/*")])]),
    element("CallerReference", randomUUID()),
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
}

function contextOf(distribution: string): RequestContext {
  return {
    service: `the distribution ${distribution}`,
    action: "cloudfront:CreateInvalidation",
    unavailable: "cdn-unavailable",
    refused: "invalidation-refused",
    known: {
      TooManyInvalidationsInProgress: (message) => refused(distribution, message),
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
    { hint: "caches expire within a minute; or invalidate /* by hand" },
  );
}
