import { describe, expect, it } from "vitest";
import { printRequestFunction, printResponseFunction } from "../../../src/deploy/edge/functions.ts";
import { templateDocument, templateYaml } from "../../../src/deploy/edge/template.ts";
import {
  ALLOWED_METHODS,
  COMMON_HEADERS,
  PREFLIGHT_HEADERS,
} from "../../../src/http/published-headers.ts";
import { documentText } from "../../docs/documents.ts";
import { stackOf } from "../../support/deploy/stack.ts";

const RELEASES = { kvs: true, preview: false };
const PREVIEWS = { kvs: true, preview: true };
const IN_PLACE = { kvs: false, preview: false };

const VARIANTS = [
  ["releases", RELEASES],
  ["releases and previews", PREVIEWS],
  ["in place", IN_PLACE],
] as const;

function stack(variant: { kvs: boolean; preview: boolean }, given = {}) {
  return stackOf(templateDocument(variant), { GitHubRepository: "acme/content", ...given });
}

const config = (made: ReturnType<typeof stackOf>) =>
  made.Resources.Distribution.Properties.DistributionConfig;
const statements = (policy: ReturnType<typeof stackOf>) =>
  policy.Properties.PolicyDocument.Statement;

const DISTRIBUTION = "arn:aws:cloudfront::123456789012:distribution/<Distribution>";

const refusePlainHttp = (bucket: string) => ({
  Sid: "RefusePlainHttp",
  Effect: "Deny",
  Principal: "*",
  Action: "s3:*",
  Resource: [`<${bucket}.Arn>`, `<${bucket}.Arn>/*`],
  Condition: { Bool: { "aws:SecureTransport": "false" } },
});

describe.each(VARIANTS)("the template: the buckets (%s)", (_, variant) => {
  const made = stack(variant);
  const { Bucket, BucketPolicy, LogBucket, LogBucketPolicy } = made.Resources;

  it("L11: are private, encrypted, outlive the stack, and keep what is replaced for 30 days", () => {
    for (const bucket of [Bucket, LogBucket]) {
      const { LifecycleConfiguration, ...properties } = bucket.Properties;
      expect(properties).toMatchObject({
        PublicAccessBlockConfiguration: {
          BlockPublicAcls: true,
          BlockPublicPolicy: true,
          IgnorePublicAcls: true,
          RestrictPublicBuckets: true,
        },
        OwnershipControls: { Rules: [{ ObjectOwnership: "BucketOwnerEnforced" }] },
      });
      expect(JSON.stringify(properties.BucketEncryption)).toContain('"SSEAlgorithm":"AES256"');
      expect(LifecycleConfiguration.Rules[0].AbortIncompleteMultipartUpload).toBeDefined();
      expect([bucket.DeletionPolicy, bucket.UpdateReplacePolicy]).toEqual([
        "RetainExceptOnCreate",
        "Retain",
      ]);
    }
    expect(Bucket.Properties.VersioningConfiguration).toEqual({ Status: "Enabled" });
    expect(Bucket.Properties.LifecycleConfiguration.Rules[1]).toMatchObject({
      Status: "Enabled",
      NoncurrentVersionExpiration: { NoncurrentDays: 30 },
    });
  });

  it("L11: requests are logged for 90 days to a bucket that only S3 of this account writes", () => {
    expect(Bucket.DependsOn).toBe("LogBucketPolicy");
    const { DestinationBucketName, LogFilePrefix } = Bucket.Properties.LoggingConfiguration;
    expect([DestinationBucketName, LogFilePrefix]).toEqual(["<LogBucket>", "s3/"]);
    expect(LogBucket.Properties.LifecycleConfiguration.Rules[1].ExpirationInDays).toBe(90);
    expect(LogBucketPolicy.Properties.Bucket).toBe("<LogBucket>");
    const [write, ...others] = statements(LogBucketPolicy);
    expect(write).toMatchObject({
      Principal: { Service: "logging.s3.amazonaws.com" },
      Action: "s3:PutObject",
      Resource: "<LogBucket.Arn>/s3/*",
      Condition: { StringEquals: { "aws:SourceAccount": "123456789012" } },
    });
    expect(others).toEqual([refusePlainHttp("LogBucket")]);
  });

  it.each(["", "site/live/"])(
    "L11: only this distribution reads, only what is served: '%s'",
    (prefix) => {
      const { Resources, Outputs } =
        prefix === "" ? made : stack(variant, { Prefix: prefix.slice(0, -1) });
      const documents = variant.kvs ? "r/*" : "api/v1/projects/*";
      const readable = [documents, "assets/*", "404.json", "503.json"];
      const allow = {
        Effect: "Allow",
        Principal: { Service: "cloudfront.amazonaws.com" },
        Condition: { StringEquals: { "AWS:SourceArn": DISTRIBUTION } },
      };
      const Resource = readable.map((key) => `<Bucket.Arn>/${prefix}${key}`);
      expect(BucketPolicy.Properties.Bucket).toBe("<Bucket>");
      expect(statements(Resources.BucketPolicy)).toEqual([
        { ...allow, Sid: "ReadObjects", Action: "s3:GetObject", Resource },
        { ...allow, Sid: "TellMissingObjects", Action: "s3:ListBucket", Resource: "<Bucket.Arn>" },
        refusePlainHttp("Bucket"),
      ]);
      const path = prefix && `/${prefix.slice(0, -1)}`;
      expect(config({ Resources }).Origins[0]).toMatchObject({
        DomainName: "<Bucket.RegionalDomainName>",
        OriginPath: path,
        OriginAccessControlId: "<OriginAccessControl.Id>",
      });
      const { PolicyDocument } = Resources.DeployPolicy.Properties;
      expect(PolicyDocument.Statement[1].Resource).toBe(`<Bucket.Arn>/${prefix}*`);
      expect(Outputs.Target.Value).toBe(`s3://<Bucket>${path}`);
      const option = variant.kvs ? "--kvs <Pointers.Arn>" : "--distribution <Distribution>";
      expect(Outputs.DeployCommand.Value).toBe(
        `svc deploy s3://<Bucket>${path} ${option} --url https://<Distribution.DomainName>/api/v1`,
      );
    },
  );
});

describe.each(VARIANTS)("the template: the distribution (%s)", (_, variant) => {
  const made = stack(variant);
  const { DefaultCacheBehavior, CacheBehaviors, CustomErrorResponses } = config(made);
  const behaviors = [DefaultCacheBehavior, ...CacheBehaviors];

  it("H2: caches by path and preview_token, never what has no-store, and compresses", () => {
    const { MinTTL, ...policy } = made.Resources.CachePolicy.Properties.CachePolicyConfig;
    expect(MinTTL).toBe(0);
    expect(policy.ParametersInCacheKeyAndForwardedToOrigin).toEqual({
      CookiesConfig: { CookieBehavior: "none" },
      HeadersConfig: { HeaderBehavior: "none" },
      QueryStringsConfig: { QueryStringBehavior: "whitelist", QueryStrings: ["preview_token"] },
      EnableAcceptEncodingGzip: true,
      EnableAcceptEncodingBrotli: true,
    });
    for (const behavior of behaviors) {
      expect(behavior).toMatchObject({ CachePolicyId: "<CachePolicy>", Compress: true });
    }
  });

  it("H1: passes every method to the edge function, and redirects to https", () => {
    for (const behavior of behaviors) {
      expect(behavior.AllowedMethods).toHaveLength(7);
      expect(behavior.ViewerProtocolPolicy).toBe("redirect-to-https");
      expect(behavior.FunctionAssociations[0]).toEqual({
        EventType: "viewer-request",
        FunctionARN: "<EdgeFunction.FunctionARN>",
      });
    }
  });

  it("H2: releases run the response function, which sets the header for viewers", () => {
    const [, response, ...others] = DefaultCacheBehavior.FunctionAssociations;
    expect(response?.FunctionARN).toBe(variant.kvs ? "<ResponseFunction.FunctionARN>" : undefined);
    expect([others, CacheBehaviors[0].FunctionAssociations.length]).toEqual([[], 1]);
  });

  it("L14: answers a 404 with a problem document, failures too, and leaves the 403 of a firewall", () => {
    const failure = { ResponseCode: 503, ResponsePagePath: "/503.json", ErrorCachingMinTTL: 1 };
    expect(CustomErrorResponses).toEqual([
      { ErrorCode: 404, ResponseCode: 404, ResponsePagePath: "/404.json", ErrorCachingMinTTL: 5 },
      ...[502, 503, 504].map((ErrorCode) => ({ ErrorCode, ...failure })),
    ]);
  });

  it("H1: adds the server's CORS headers and nosniff, a sandbox to assets, no Cache-Control", () => {
    const [documents, assets] = [made.Resources.DocumentHeaders, made.Resources.AssetHeaders].map(
      ({ Properties }) => Properties.ResponseHeadersPolicyConfig,
    );
    const list = (header: string) => ({ Items: header.split(", ") });
    expect(documents.CorsConfig).toEqual({
      AccessControlAllowCredentials: false,
      AccessControlAllowHeaders: list(PREFLIGHT_HEADERS["Access-Control-Allow-Headers"]),
      AccessControlAllowMethods: list(ALLOWED_METHODS),
      AccessControlAllowOrigins: list(COMMON_HEADERS["Access-Control-Allow-Origin"]),
      AccessControlExposeHeaders: list(COMMON_HEADERS["Access-Control-Expose-Headers"]),
      AccessControlMaxAgeSec: PREFLIGHT_HEADERS["Access-Control-Max-Age"],
      OriginOverride: true,
    });
    expect(assets.CorsConfig).toEqual(documents.CorsConfig);
    expect(documents.SecurityHeadersConfig).toEqual({
      ContentTypeOptions: { Override: true },
      StrictTransportSecurity: { AccessControlMaxAgeSec: 31_536_000, Override: true },
    });
    expect(assets.SecurityHeadersConfig).toEqual({
      ...documents.SecurityHeadersConfig,
      ContentSecurityPolicy: { ContentSecurityPolicy: "sandbox", Override: true },
    });
    expect(JSON.stringify([documents, assets])).not.toContain("Cache-Control");
    expect(behaviors.map((behavior) => behavior.ResponseHeadersPolicyId)).toEqual([
      "<DocumentHeaders>",
      "<AssetHeaders>",
    ]);
    expect(CacheBehaviors[0].PathPattern).toBe("/assets/*");
  });

  it("has custom host names with a certificate, else CloudFront's", () => {
    expect(config(made).Aliases ?? config(made).ViewerCertificate).toBeUndefined();
    expect(made.Outputs.Url.Value).toBe("https://<Distribution.DomainName>/api/v1");
    const CertificateArn = "arn:aws:acm:us-east-1:123456789012:certificate/c";
    const own = stack(variant, { Aliases: ["api.example.com"], CertificateArn });
    expect(config(own).Aliases).toEqual(["api.example.com"]);
    expect(config(own).ViewerCertificate.AcmCertificateArn).toBe(CertificateArn);
    expect(own.Outputs.Url.Value).toBe("https://api.example.com/api/v1");
  });
});

describe("the template: functions and origins", () => {
  it.each(VARIANTS)("are identical to those of svc cdn function (%s)", (_, variant) => {
    const { EdgeFunction, ResponseFunction, Pointers } = stack(variant).Resources;
    const { FunctionCode, FunctionConfig } = EdgeFunction.Properties;
    expect(FunctionCode).toBe(printRequestFunction({ kvs: variant.kvs }));
    expect(FunctionConfig.Runtime).toBe("cloudfront-js-2.0");
    const response = ResponseFunction?.Properties.FunctionCode;
    expect(response).toBe(variant.kvs ? printResponseFunction() : undefined);
    const stores = variant.kvs ? [{ KeyValueStoreARN: "<Pointers.Arn>" }] : undefined;
    expect(FunctionConfig.KeyValueStoreAssociations).toEqual(stores);
    expect(Pointers?.Type).toBe(variant.kvs ? "AWS::CloudFront::KeyValueStore" : undefined);
  });

  it("H3: previews have their own origin, reached by https only", () => {
    const { Origins } = config(stack(PREVIEWS, { PreviewDomainName: "preview.example.com" }));
    expect(Origins[1]).toMatchObject({
      Id: "preview",
      DomainName: "preview.example.com",
      CustomOriginConfig: { OriginProtocolPolicy: "https-only" },
    });
    expect(config(stack(RELEASES)).Origins).toHaveLength(1);
  });
});

describe.each(VARIANTS)("the template: the deploy role (%s)", (_, variant) => {
  const roleOf = (given = {}) =>
    stack(variant, given).Resources.DeployRole.Properties.AssumeRolePolicyDocument.Statement;

  /** Whether a token of GitHub with this subject gets the role, by the rules of IAM. */
  function isTrusted(subject: string, given = {}): boolean {
    const [{ Condition }] = roleOf(given);
    const { "token.actions.githubusercontent.com:sub": patterns } = Condition.StringLike;
    return [patterns].flat().some((pattern: string) => {
      const parts = pattern.split("*").map((part) => part.replaceAll(/[^\w@:/-]/g, "\\$&"));
      return new RegExp(`^${parts.join(".*")}$`).test(subject);
    });
  }

  it("L14: trusts one branch or environment of one repository, by GitHub's old and new subjects", () => {
    const [one, ...others] = roleOf();
    expect(others).toEqual([]);
    expect(one).toMatchObject({
      Effect: "Allow",
      Principal: { Federated: "<GitHubProvider>" },
      Action: "sts:AssumeRoleWithWebIdentity",
      Condition: {
        StringEquals: { "token.actions.githubusercontent.com:aud": "sts.amazonaws.com" },
      },
    });
    const environment = { GitHubSubject: "environment:production" };
    const [main, production] = ["ref:refs/heads/main", "environment:production"];
    for (const repository of ["acme/content", "acme@123/content@456"]) {
      expect(isTrusted(`repo:${repository}:${main}`)).toBe(true);
      expect(isTrusted(`repo:${repository}:${production}`)).toBe(false);
      expect(isTrusted(`repo:${repository}:${production}`, environment)).toBe(true);
      expect(isTrusted(`repo:${repository}:pull_request`)).toBe(false);
      // L15: of a stack of previews.
      const pulls = { GitHubSubject: "pull_request" };
      expect(isTrusted(`repo:${repository}:pull_request`, pulls)).toBe(true);
      expect(isTrusted(`repo:${repository}:${main}x`)).toBe(false);
    }
    for (const other of ["acme/content2", "acme2@1/content@2", "acme@1/content2@2", "x/acme"]) {
      expect(isTrusted(`repo:${other}:${main}`), other).toBe(false);
    }
  });

  it("L14: with ids trusts the repository that has them, and no other that gets its name", () => {
    const ids = { GitHubRepository: "acme@123/content@456" };
    expect(isTrusted("repo:acme@123/content@456:ref:refs/heads/main", ids)).toBe(true);
    for (const other of ["acme/content", "acme@124/content@456", "acme@123/content@4567"]) {
      expect(isTrusted(`repo:${other}:ref:refs/heads/main`, ids), other).toBe(false);
    }
  });

  it("L14: a stack that could not be created leaves nothing in the way, and takes a provider that is there", () => {
    const OidcProviderArn =
      "arn:aws:iam::123456789012:oidc-provider/token.actions.githubusercontent.com";
    expect(roleOf({ OidcProviderArn })[0].Principal).toEqual({ Federated: OidcProviderArn });
    const { Resources } = stack(variant);
    expect(Resources.GitHubProvider.Condition).toBe("MakesProvider");
    for (const name of ["Bucket", "LogBucket", "GitHubProvider"]) {
      const { DeletionPolicy, UpdateReplacePolicy } = Resources[name];
      expect([DeletionPolicy, UpdateReplacePolicy]).toEqual(["RetainExceptOnCreate", "Retain"]);
    }
  });

  it("L14b: without a repository there is no role and no provider, only the policy", () => {
    const { Resources, Outputs } = stack(variant, { GitHubRepository: "" });
    expect(Object.keys(Resources).filter((name) => /Role|Provider/.test(name))).toEqual([]);
    expect(Outputs.Role).toBeUndefined();
    expect(Outputs.Policy.Value).toBe("<DeployPolicy>");
  });

  it("L14b: outputs have the names of the variables and inputs of docs/ci.md", () => {
    const { Outputs } = stack(variant);
    const rows = [...documentText("docs/ci.md").matchAll(/^\| `([A-Z][a-z]+)`(.*?) \|/gm)];
    const other = variant.kvs ? "in place" : "releases";
    const named = rows.flatMap(([, name = "", note = ""]) => (note.includes(other) ? [] : name));
    expect(Object.keys(Outputs)).toEqual(expect.arrayContaining(named));
    expect(named.length).toBe(5);
    expect([Outputs.Region.Value, Outputs.Role.Value]).toEqual(["eu-west-1", "<DeployRole.Arn>"]);
  });

  it("L14: permits the actions of a deploy, and nothing else", () => {
    const { DeployRole, DeployPolicy } = stack(variant).Resources;
    const { Policies, ManagedPolicyArns } = DeployRole.Properties;
    expect([Policies, ManagedPolicyArns]).toEqual([undefined, ["<DeployPolicy>"]]);
    const kvs = ["DescribeKeyValueStore", "ListKeys", "UpdateKeys"];
    const edge = variant.kvs
      ? [kvs.map((action) => `cloudfront-keyvaluestore:${action}`), "<Pointers.Arn>"]
      : [["cloudfront:CreateInvalidation"], DISTRIBUTION];
    const permitted = statements(DeployPolicy);
    expect(permitted.map((one: Record<string, unknown>) => [one.Action, one.Resource])).toEqual([
      [["s3:ListBucket"], "<Bucket.Arn>"],
      [["s3:GetObject", "s3:PutObject", "s3:DeleteObject"], "<Bucket.Arn>/*"],
      edge,
    ]);
  });
});

describe.each(VARIANTS)("the template: its text (%s)", (_, variant) => {
  const text = templateYaml(variant);

  it("has no condition or placeholder left, and keeps its reasons", () => {
    expect(text).not.toMatch(/#if|#end|\{\{|\}\} *$/m);
    expect(text).toMatch(/# Without ListBucket a missing object would be a 403/);
    const option = variant.kvs ? "--kvs" : "--distribution";
    expect(text).toMatch(new RegExp(`^#.*\n(#.*\n)*# {3}svc deploy <Target>.* ${option} `));
  });

  it("is shorter than CloudFormation's limit for a template in the request", () => {
    expect(Buffer.byteLength(text)).toBeLessThan(51_200);
  });
});
