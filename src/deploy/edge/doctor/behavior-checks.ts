import type { ResponseHeadersPolicyConfig } from "@aws-sdk/client-cloudfront";
import { ALLOWED_METHODS, COMMON_HEADERS } from "../../../http/published-headers.ts";
import { ASSETS } from "../cloudformation/template-distribution.ts";
import { type Check, failed, ok, verdict } from "./check.ts";
import { type Behavior, type DistributionSource, functionAt } from "./distribution-source.ts";

/** A check that every behavior passes; `faultsOf` returns what is wrong with one. */
function everyBehavior(
  id: string,
  title: string,
  hint: string,
  faultsOf: (behavior: Behavior, source: DistributionSource) => Promise<string[]> | string[],
): Check<DistributionSource> {
  return {
    id,
    title,
    async run(source) {
      const faults: string[] = [];
      for (const behavior of source.behaviors) {
        const found = await faultsOf(behavior, source);
        faults.push(...found.map((fault) => `${behavior.path}: ${fault}`));
      }
      return verdict(faults, `${source.behaviors.length} behaviors`, hint);
    },
  };
}

/** Checks of the cache behaviors. */
export const BEHAVIOR_CHECKS: readonly Check<DistributionSource>[] = [
  everyBehavior(
    "https",
    "http is redirected to https",
    "set the viewer protocol policy to redirect-to-https",
    ({ ViewerProtocolPolicy }) =>
      ViewerProtocolPolicy === "redirect-to-https" ? [] : [`${ViewerProtocolPolicy}`],
  ),
  everyBehavior(
    "methods",
    "every method reaches the edge function, which answers 405",
    "allow all seven methods: CloudFront itself would answer 403",
    ({ AllowedMethods }) => {
      const methods = AllowedMethods?.Items ?? [];
      return methods.length === 7 ? [] : [`only ${methods.join(", ")}`];
    },
  ),
  everyBehavior(
    "compression",
    "responses are compressed",
    "turn on Compress in the behavior, and gzip and Brotli in its cache policy",
    async ({ Compress, CachePolicyId = "" }, source) => {
      if (!Compress) return ["Compress is off"];
      const key = (await source.cachePolicy(CachePolicyId))
        .ParametersInCacheKeyAndForwardedToOrigin;
      return [
        ...(key?.EnableAcceptEncodingGzip ? [] : ["the cache policy disables gzip"]),
        ...(key?.EnableAcceptEncodingBrotli ? [] : ["the cache policy disables Brotli"]),
      ];
    },
  ),
  everyBehavior(
    "cache-policy",
    "the edge caches by path and preview_token, and nothing with no-store",
    "use the cache policy of svc cdn template: Min TTL 0, query string preview_token only",
    async ({ CachePolicyId = "" }, source) => {
      const { MinTTL, ...policy } = await source.cachePolicy(CachePolicyId);
      const key = policy.ParametersInCacheKeyAndForwardedToOrigin;
      const { QueryStringBehavior, QueryStrings } = key?.QueryStringsConfig ?? {};
      const query = `${QueryStringBehavior} ${(QueryStrings?.Items ?? []).join(", ")}`.trim();
      return [
        ...(MinTTL === 0 ? [] : [`Min TTL is ${MinTTL}, which caches previews`]),
        ...(query === "whitelist preview_token" ? [] : [`query strings: ${query}`]),
        ...(key?.HeadersConfig?.HeaderBehavior === "none" ? [] : ["headers are in the cache key"]),
        ...(key?.CookiesConfig?.CookieBehavior === "none" ? [] : ["cookies are in the cache key"]),
      ];
    },
  ),
  everyBehavior(
    "headers",
    "responses have CORS, nosniff and their own Cache-Control",
    "use the response headers policies of svc cdn template",
    async ({ ResponseHeadersPolicyId }, source) =>
      ResponseHeadersPolicyId
        ? headerFaults(await source.headersPolicy(ResponseHeadersPolicyId))
        : ["no response headers policy"],
  ),
  {
    id: "assets",
    title: "viewers cache assets, and run no scripts in them",
    async run(source) {
      const hint = `add the behavior ${ASSETS} of svc cdn template`;
      const assets = source.behaviors.find(({ path }) => path === ASSETS);
      if (assets === undefined) return failed(`no behavior has the path ${ASSETS}`, hint);
      const id = assets.ResponseHeadersPolicyId;
      const policy = id ? await source.headersPolicy(id) : undefined;
      const security = policy?.SecurityHeadersConfig?.ContentSecurityPolicy;
      const faults = [
        ...(security?.ContentSecurityPolicy === "sandbox" ? [] : ["no sandbox"]),
        ...(functionAt(assets, "viewer-response") ? ["a function changes their responses"] : []),
      ];
      return faults.length === 0 ? ok("sandbox") : failed(faults.join("; "), hint);
    },
  },
];

function headerFaults(policy: ResponseHeadersPolicyConfig): string[] {
  const cors = policy.CorsConfig;
  const lists = [
    [cors?.AccessControlAllowOrigins?.Items, COMMON_HEADERS["Access-Control-Allow-Origin"]],
    [cors?.AccessControlAllowMethods?.Items, ALLOWED_METHODS],
    [cors?.AccessControlExposeHeaders?.Items, COMMON_HEADERS["Access-Control-Expose-Headers"]],
  ] as const;
  const custom = (policy.CustomHeadersConfig?.Items ?? []).map(({ Header }) => Header ?? "");
  const removed = (policy.RemoveHeadersConfig?.Items ?? []).map(({ Header }) => Header ?? "");
  return [
    ...lists
      .filter(([found = [], expected]) => found.join(", ") !== expected)
      .map(([found = [], expected]) => `CORS has "${found.join(", ")}" instead of "${expected}"`),
    ...(policy.SecurityHeadersConfig?.ContentTypeOptions ? [] : ["no nosniff"]),
    ...([...custom, ...removed].some((header) => /^cache-control$/i.test(header))
      ? ["Cache-Control is set for previews too"]
      : []),
  ];
}
