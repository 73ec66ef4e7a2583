import type { CloudFrontClient } from "@aws-sdk/client-cloudfront";
import { ERROR_DOCUMENTS } from "../cloudformation/template-distribution.ts";
import { PREVIEW_ORIGIN } from "../function/constants.ts";
import { BEHAVIOR_CHECKS } from "./behavior-checks.ts";
import { type Check, type CheckGroup, failed, ok, skipped, verdict } from "./check.ts";
import { DistributionSource } from "./distribution-source.ts";
import type { DoctorSetup } from "./doctor-setup.ts";
import { functionChecks } from "./function-checks.ts";

const DEPLOY_STACK = "deploy the stack of svc cdn template again";

/** Checks of the distribution's origins, behaviors, error responses and functions. */
export function distributionGroup(
  client: CloudFrontClient,
  setup: DoctorSetup,
): CheckGroup<DistributionSource> {
  return {
    id: "distribution",
    title: "the distribution exists and is enabled",
    missing: setup.distribution === undefined ? "--distribution" : undefined,
    open: async () => {
      const source = await DistributionSource.open(client, setup.distribution ?? "");
      const outcome = source.config.Enabled
        ? ok("enabled")
        : failed("the distribution is disabled", "enable it");
      return { source, outcome };
    },
    checks: [
      originAccess(setup),
      originPath(setup),
      PREVIEW,
      ...BEHAVIOR_CHECKS,
      ...ERROR_DOCUMENTS.map(errorDocument),
      ...functionChecks(setup),
    ],
  };
}

function bucketOrigins({ config }: DistributionSource) {
  const ids = new Set(
    [config.DefaultCacheBehavior, ...(config.CacheBehaviors?.Items ?? [])].map(
      (behavior) => behavior?.TargetOriginId,
    ),
  );
  return (config.Origins?.Items ?? []).filter(({ Id }) => ids.has(Id));
}

function originAccess({ bucket }: DoctorSetup): Check<DistributionSource> {
  return {
    id: "origin-access",
    title: "the distribution reads the bucket through an origin access control that always signs",
    async run(source) {
      const faults: string[] = [];
      const origins = bucketOrigins(source);
      if (origins.length !== 1) faults.push("the behaviors do not share one origin");
      for (const { DomainName = "", OriginAccessControlId } of origins) {
        if (bucket !== undefined && !DomainName.startsWith(`${bucket}.s3`)) {
          faults.push(`the origin is ${DomainName}`);
        }
        if (!OriginAccessControlId) {
          faults.push("the origin has no origin access control");
          continue;
        }
        const found = await source.accessControl(OriginAccessControlId);
        const { OriginAccessControlOriginType, SigningBehavior, SigningProtocol } = found;
        const kind = `${OriginAccessControlOriginType} ${SigningBehavior} ${SigningProtocol}`;
        if (kind !== "s3 always sigv4") faults.push(`its access control is: ${kind}`);
      }
      return verdict(faults, "s3 always sigv4", DEPLOY_STACK);
    },
  };
}

function originPath({ bucket, prefix }: DoctorSetup): Check<DistributionSource> {
  return {
    id: "origin-path",
    title: "the origin path is the folder that svc deploy writes",
    run(source) {
      if (bucket === undefined) return skipped("the target s3://bucket is not given");
      const expected = prefix === "" ? "" : `/${prefix}`;
      const paths = bucketOrigins(source).map(({ OriginPath = "" }) => OriginPath);
      const faults = paths
        .filter((path) => path !== expected)
        .map((path) => `the origin's path is "${path}", not "${expected}"`);
      return verdict(
        faults,
        expected || "/",
        "pass the Target of the stack to svc deploy and svc cdn doctor",
      );
    },
  };
}

const PREVIEW: Check<DistributionSource> = {
  id: "preview-origin",
  title: "the preview origin is reached by https only",
  run({ config }) {
    const origin = (config.Origins?.Items ?? []).find(({ Id }) => Id === PREVIEW_ORIGIN);
    if (origin === undefined) return skipped("there is no preview origin");
    const protocol = origin.CustomOriginConfig?.OriginProtocolPolicy ?? "not set";
    const faults = protocol === "https-only" ? [] : [`its protocol policy is ${protocol}`];
    return verdict(
      faults,
      origin.DomainName ?? "",
      "set it to https-only: tokens must be encrypted in transit",
    );
  },
};

function errorDocument({
  from,
  to,
  path,
}: (typeof ERROR_DOCUMENTS)[number]): Check<DistributionSource> {
  return {
    id: `error-${from}`,
    title: `the bucket's ${from} is answered as ${to} with a problem document`,
    run({ config }) {
      const found = (config.CustomErrorResponses?.Items ?? []).find(
        ({ ErrorCode }) => ErrorCode === from,
      );
      const { ResponseCode = "unchanged", ResponsePagePath = "nothing" } = found ?? {};
      const isRight = ResponseCode === String(to) && ResponsePagePath === path;
      const faults = isRight ? [] : [`it is answered as ${ResponseCode} with ${ResponsePagePath}`];
      return verdict(faults, path, `set a custom error response: ${from} to ${to} with ${path}`);
    },
  };
}
