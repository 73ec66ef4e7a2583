import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { cloudFormationTemplate } from "../../../../src/deploy/edge/cloudformation/template.ts";
import {
  templateJson,
  templateYaml,
} from "../../../../src/deploy/edge/cloudformation/template-text.ts";
import { printRequestFunction } from "../../../../src/deploy/edge/function/print-request-function.ts";
import { printResponseFunction } from "../../../../src/deploy/edge/function/print-response-function.ts";
import { stackOf } from "../../../support/deploy/stack.ts";

const VARIANTS = [
  ["releases", { kvs: true, preview: false }],
  ["releases and previews", { kvs: true, preview: true }],
  ["in place", { kvs: false, preview: false }],
] as const;

const REPOSITORY = { GitHubRepository: "acme/content" };

function stack(variant: { kvs: boolean; preview: boolean }, given = {}) {
  return stackOf(cloudFormationTemplate(variant).document, { ...REPOSITORY, ...given });
}

const RELEASES = VARIANTS[0][1];
const PREVIEWS = VARIANTS[1][1];
const IN_PLACE = VARIANTS[2][1];

const config = (made: ReturnType<typeof stackOf>) =>
  made.Resources.Distribution.Properties.DistributionConfig;

const forDistribution = {
  StringEquals: {
    "AWS:SourceArn": "arn:aws:cloudfront::123456789012:distribution/<Distribution>",
  },
};

/** The keys that CloudFront may read. */
const READABLE = new Map([
  [true, ["r/*", "assets/*", "404.json", "503.json"]],
  [false, ["api/v1/projects/*", "assets/*", "404.json", "503.json"]],
]);

const readable = (variant: { kvs: boolean }, prefix = "") =>
  READABLE.get(variant.kvs)?.map((key) => `<Bucket.Arn>/${prefix}${key}`);

const refusePlainHttp = (bucket: string) => ({
  Sid: "RefusePlainHttp",
  Effect: "Deny",
  Principal: "*",
  Action: "s3:*",
  Resource: [`<${bucket}.Arn>`, `<${bucket}.Arn>/*`],
  Condition: { Bool: { "aws:SecureTransport": "false" } },
});

describe.each(VARIANTS)("the template: the buckets (%s)", (_, variant) => {
  const { Bucket, BucketPolicy, LogBucket, LogBucketPolicy } = stack(variant).Resources;

  it.each([
    ["Bucket", Bucket],
    ["LogBucket", LogBucket],
  ])("are private, without ACLs, encrypted, and outlive the stack: %s", (_name, bucket) => {
    expect(bucket.Properties).toMatchObject({
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
      OwnershipControls: { Rules: [{ ObjectOwnership: "BucketOwnerEnforced" }] },
      BucketEncryption: {
        ServerSideEncryptionConfiguration: [
          { ServerSideEncryptionByDefault: { SSEAlgorithm: "AES256" } },
        ],
      },
    });
    expect(bucket.Properties.LifecycleConfiguration.Rules[0]).toEqual({
      Id: "abort-incomplete-uploads",
      Status: "Enabled",
      AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 },
    });
    expect(bucket.DeletionPolicy).toBe("Retain");
    expect(bucket.UpdateReplacePolicy).toBe("Retain");
  });

  it("L11: what is replaced or removed is kept for 30 days", () => {
    expect(Bucket.Properties.VersioningConfiguration).toEqual({ Status: "Enabled" });
    expect(Bucket.Properties.LifecycleConfiguration.Rules[1]).toEqual({
      Id: "remove-replaced-objects",
      Status: "Enabled",
      NoncurrentVersionExpiration: { NoncurrentDays: 30 },
      ExpiredObjectDeleteMarker: true,
    });
  });

  it("L11: requests are logged to a bucket to which only S3 of this account may write", () => {
    expect(Bucket.DependsOn).toBe("LogBucketPolicy");
    expect(Bucket.Properties.LoggingConfiguration).toEqual({
      DestinationBucketName: "<LogBucket>",
      LogFilePrefix: "s3/",
    });
    expect(LogBucket.Properties.LifecycleConfiguration.Rules[1]).toEqual({
      Id: "remove-old-logs",
      Status: "Enabled",
      ExpirationInDays: 90,
    });
    expect(LogBucketPolicy.Properties.Bucket).toBe("<LogBucket>");
    expect(LogBucketPolicy.Properties.PolicyDocument.Statement).toEqual([
      {
        Sid: "WriteLogs",
        Effect: "Allow",
        Principal: { Service: "logging.s3.amazonaws.com" },
        Action: "s3:PutObject",
        Resource: "<LogBucket.Arn>/s3/*",
        Condition: { StringEquals: { "aws:SourceAccount": "123456789012" } },
      },
      refusePlainHttp("LogBucket"),
    ]);
  });

  it("L11: only this distribution reads, only what is served; TLS is required", () => {
    const Principal = { Service: "cloudfront.amazonaws.com" };
    const allow = { Effect: "Allow", Principal, Condition: forDistribution };
    expect(BucketPolicy.Properties.Bucket).toBe("<Bucket>");
    expect(BucketPolicy.Properties.PolicyDocument.Statement).toEqual([
      { Sid: "ReadObjects", Action: "s3:GetObject", Resource: readable(variant), ...allow },
      { Sid: "TellMissingObjects", Action: "s3:ListBucket", Resource: "<Bucket.Arn>", ...allow },
      refusePlainHttp("Bucket"),
    ]);
  });

  it("is read through an origin access control that signs every request", () => {
    const made = stack(variant);
    expect(made.Resources.OriginAccessControl.Properties.OriginAccessControlConfig).toEqual({
      Name: "content-bucket",
      OriginAccessControlOriginType: "s3",
      SigningBehavior: "always",
      SigningProtocol: "sigv4",
    });
    expect(config(made).Origins[0]).toEqual({
      Id: "bucket",
      DomainName: "<Bucket.RegionalDomainName>",
      OriginPath: "",
      OriginAccessControlId: "<OriginAccessControl.Id>",
      S3OriginConfig: { OriginAccessIdentity: "" },
    });
  });

  it("may be shared: a prefix limits what CloudFront reads and the deploy writes", () => {
    const made = stack(variant, { Prefix: "site/live" });
    expect(config(made).Origins[0].OriginPath).toBe("/site/live");
    const below = "<Bucket.Arn>/site/live/*";
    expect(made.Resources.BucketPolicy.Properties.PolicyDocument.Statement[0].Resource).toEqual(
      readable(variant, "site/live/"),
    );
    const { Policies } = made.Resources.DeployRole.Properties;
    expect(Policies[0].PolicyDocument.Statement[1].Resource).toBe(below);
    expect(made.Outputs.Target.Value).toBe("s3://<Bucket>/site/live");
  });
});

describe.each(VARIANTS)("the template: the distribution (%s)", (_, variant) => {
  const made = stack(variant);
  const { DefaultCacheBehavior, CacheBehaviors, CustomErrorResponses } = config(made);
  const behaviors = [DefaultCacheBehavior, ...CacheBehaviors];

  it("H2: caches by path and preview_token, with a Min TTL of 0, and compresses with gzip and Brotli", () => {
    expect(made.Resources.CachePolicy.Properties.CachePolicyConfig).toMatchObject({
      MinTTL: 0,
      DefaultTTL: 86400,
      MaxTTL: 31536000,
      ParametersInCacheKeyAndForwardedToOrigin: {
        CookiesConfig: { CookieBehavior: "none" },
        HeadersConfig: { HeaderBehavior: "none" },
        QueryStringsConfig: { QueryStringBehavior: "whitelist", QueryStrings: ["preview_token"] },
        EnableAcceptEncodingGzip: true,
        EnableAcceptEncodingBrotli: true,
      },
    });
    for (const behavior of behaviors) {
      expect(behavior).toMatchObject({ CachePolicyId: "<CachePolicy>", Compress: true });
    }
  });

  it("H1: passes every method to the edge function, which answers 405, and redirects to https", () => {
    for (const behavior of behaviors) {
      expect(behavior.AllowedMethods).toHaveLength(7);
      expect(behavior.CachedMethods).toEqual(["GET", "HEAD"]);
      expect(behavior.ViewerProtocolPolicy).toBe("redirect-to-https");
      expect(behavior.FunctionAssociations[0]).toEqual({
        EventType: "viewer-request",
        FunctionARN: "<EdgeFunction.FunctionARN>",
      });
    }
  });

  it("H4: answers S3's 404 with the 404 document, and its 403 with the 503 document", () => {
    expect(CustomErrorResponses).toEqual([
      { ErrorCode: 404, ResponseCode: 404, ResponsePagePath: "/404.json", ErrorCachingMinTTL: 5 },
      { ErrorCode: 403, ResponseCode: 503, ResponsePagePath: "/503.json", ErrorCachingMinTTL: 1 },
    ]);
  });

  it("H1: adds CORS and nosniff, and a sandbox to assets, but no Cache-Control", () => {
    const { DocumentHeaders, AssetHeaders } = made.Resources;
    const documents = DocumentHeaders.Properties.ResponseHeadersPolicyConfig;
    const assets = AssetHeaders.Properties.ResponseHeadersPolicyConfig;
    expect(documents.CorsConfig).toEqual({
      AccessControlAllowCredentials: false,
      AccessControlAllowHeaders: { Items: ["*"] },
      AccessControlAllowMethods: { Items: ["GET", "HEAD", "OPTIONS"] },
      AccessControlAllowOrigins: { Items: ["*"] },
      AccessControlExposeHeaders: { Items: ["ETag", "X-Svc-Problems"] },
      AccessControlMaxAgeSec: 86400,
      OriginOverride: true,
    });
    expect(assets.CorsConfig).toEqual(documents.CorsConfig);
    expect(documents.SecurityHeadersConfig).toEqual({ ContentTypeOptions: { Override: true } });
    expect(assets.SecurityHeadersConfig).toEqual({
      ContentTypeOptions: { Override: true },
      ContentSecurityPolicy: { ContentSecurityPolicy: "sandbox", Override: true },
    });
    expect(JSON.stringify([documents, assets])).not.toContain("Cache-Control");
    expect(DefaultCacheBehavior.ResponseHeadersPolicyId).toBe("<DocumentHeaders>");
    expect(CacheBehaviors).toHaveLength(1);
    expect(CacheBehaviors[0]).toMatchObject({
      PathPattern: "/assets/*",
      ResponseHeadersPolicyId: "<AssetHeaders>",
    });
    expect(CacheBehaviors[0].FunctionAssociations).toHaveLength(1);
  });

  it("has custom host names with a certificate, else CloudFront's", () => {
    expect(config(made)).not.toHaveProperty("Aliases");
    expect(config(made)).not.toHaveProperty("ViewerCertificate");
    expect(made.Outputs.BaseUrl.Value).toBe("https://<Distribution.DomainName>/api/v1");
    const CertificateArn = "arn:aws:acm:us-east-1:123456789012:certificate/c";
    const own = stack(variant, { Aliases: ["api.example.com"], CertificateArn });
    expect(config(own)).toMatchObject({
      Aliases: ["api.example.com"],
      ViewerCertificate: {
        AcmCertificateArn: CertificateArn,
        SslSupportMethod: "sni-only",
        MinimumProtocolVersion: "TLSv1.2_2021",
      },
    });
    expect(own.Outputs.BaseUrl.Value).toBe("https://api.example.com/api/v1");
  });
});

describe("the template: functions", () => {
  it.each(VARIANTS)("are identical to those of svc cdn function (%s)", (_, variant) => {
    const { EdgeFunction, ResponseFunction } = stack(variant).Resources;
    const code = printRequestFunction({ kvs: variant.kvs });
    expect(EdgeFunction.Properties.FunctionCode).toBe(code);
    expect(EdgeFunction.Properties.AutoPublish).toBe(true);
    expect(EdgeFunction.Properties.FunctionConfig.Runtime).toBe("cloudfront-js-2.0");
    const response = ResponseFunction?.Properties.FunctionCode;
    expect(response).toBe(variant.kvs ? printResponseFunction() : undefined);
  });

  it("use the KeyValueStore of the stack, which has none in place", () => {
    const { EdgeFunction, Pointers } = stack(RELEASES).Resources;
    expect(Pointers.Type).toBe("AWS::CloudFront::KeyValueStore");
    expect(EdgeFunction.Properties.FunctionConfig.KeyValueStoreAssociations).toEqual([
      { KeyValueStoreARN: "<Pointers.Arn>" },
    ]);
    expect(JSON.stringify(stack(IN_PLACE))).not.toMatch(/Pointers|KeyValueStore/);
  });

  it("H2: releases run the response function, which sets the header for viewers", () => {
    const { FunctionAssociations } = config(stack(RELEASES)).DefaultCacheBehavior;
    expect(FunctionAssociations[1]).toEqual({
      EventType: "viewer-response",
      FunctionARN: "<ResponseFunction.FunctionARN>",
    });
    const inPlace = config(stack(IN_PLACE)).DefaultCacheBehavior;
    expect(inPlace.FunctionAssociations).toHaveLength(1);
  });

  it("H3: previews have their own origin, reached by https only", () => {
    const { Origins } = config(stack(PREVIEWS, { PreviewDomainName: "preview.example.com" }));
    expect(Origins[1]).toEqual({
      Id: "preview",
      DomainName: "preview.example.com",
      CustomOriginConfig: { OriginProtocolPolicy: "https-only", OriginSSLProtocols: ["TLSv1.2"] },
    });
    expect(config(stack(RELEASES)).Origins).toHaveLength(1);
  });
});

describe("the template: the deploy role", () => {
  it.each(VARIANTS)("trusts one branch or environment of one repository (%s)", (_, variant) => {
    const trust = (given = {}) =>
      stack(variant, given).Resources.DeployRole.Properties.AssumeRolePolicyDocument.Statement;
    const statement = (provider: string, subject: string) => ({
      Effect: "Allow",
      Principal: { Federated: provider },
      Action: "sts:AssumeRoleWithWebIdentity",
      Condition: {
        StringEquals: {
          "token.actions.githubusercontent.com:aud": "sts.amazonaws.com",
          "token.actions.githubusercontent.com:sub": `repo:acme/content:${subject}`,
        },
      },
    });
    expect(trust()).toEqual([statement("<GitHubProvider>", "ref:refs/heads/main")]);
    const OidcProviderArn =
      "arn:aws:iam::123456789012:oidc-provider/token.actions.githubusercontent.com";
    expect(trust({ OidcProviderArn, GitHubSubject: "environment:production" })).toEqual([
      statement(OidcProviderArn, "environment:production"),
    ]);
    const { GitHubProvider } = stack(variant).Resources;
    expect(GitHubProvider).toMatchObject({ Condition: "MakesProvider", DeletionPolicy: "Retain" });
    expect(GitHubProvider.Properties).toEqual({
      Url: "https://token.actions.githubusercontent.com",
      ClientIdList: ["sts.amazonaws.com"],
    });
  });

  const bucket = [
    { Sid: "List", Effect: "Allow", Action: ["s3:ListBucket"], Resource: "<Bucket.Arn>" },
    {
      Sid: "Objects",
      Effect: "Allow",
      Action: ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"],
      Resource: "<Bucket.Arn>/*",
    },
  ];
  const kvs = "cloudfront-keyvaluestore";
  const pointers = {
    Sid: "Pointers",
    Effect: "Allow",
    Action: [
      ...[`${kvs}:DescribeKeyValueStore`, `${kvs}:ListKeys`, `${kvs}:GetKey`],
      ...[`${kvs}:PutKey`, `${kvs}:DeleteKey`, `${kvs}:UpdateKeys`],
    ],
    Resource: "<Pointers.Arn>",
  };
  const invalidate = {
    Sid: "Invalidate",
    Effect: "Allow",
    Action: ["cloudfront:CreateInvalidation", "cloudfront:GetInvalidation"],
    Resource: "arn:aws:cloudfront::123456789012:distribution/<Distribution>",
  };

  it.each([
    ["releases", RELEASES, [...bucket, pointers]],
    ["in place", IN_PLACE, [...bucket, invalidate]],
  ])("permits the actions of a deploy, and nothing else (%s)", (_, variant, statements) => {
    const { Policies, ManagedPolicyArns } = stack(variant).Resources.DeployRole.Properties;
    expect(ManagedPolicyArns).toBeUndefined();
    expect(Policies).toHaveLength(1);
    expect(Policies[0].PolicyDocument.Statement).toEqual(statements);
  });
});

describe("the template: its text", () => {
  it.each(VARIANTS)("is the same as YAML and as JSON (%s)", (_, variant) => {
    const template = cloudFormationTemplate(variant);
    const document = JSON.parse(JSON.stringify(template.document));
    expect(parse(templateYaml(template), { version: "1.1" })).toEqual(document);
    expect(JSON.parse(templateJson(template))).toEqual(document);
    // CloudFormation's limit for a template in the request.
    expect(Buffer.byteLength(templateYaml(template))).toBeLessThan(51_200);
  });

  it("shows the functions as text, with comments that give reasons", () => {
    const text = templateYaml(cloudFormationTemplate(RELEASES));
    const indented = printRequestFunction({ kvs: true })
      .trimEnd()
      .replaceAll(/^(?=.)/gm, "        ");
    expect(text).toContain(`FunctionCode: |\n${indented}`);
    expect(text).toMatch(/# Without ListBucket a missing object would be a 403/);
    expect(text).toMatch(/^#.*\n(#.*\n)*# {3}svc deploy s3:\/\/<bucket>/);
  });

  it("has the command that deploys to the stack", () => {
    const command = (variant: typeof RELEASES | typeof IN_PLACE, given = {}) =>
      stack(variant, given).Outputs.DeployCommand.Value;
    expect(command(RELEASES, { Prefix: "site" })).toBe(
      "svc deploy s3://<Bucket>/site --kvs <Pointers.Arn> --url https://<Distribution.DomainName>/api/v1",
    );
    expect(command(IN_PLACE)).toBe(
      "svc deploy s3://<Bucket> --distribution <Distribution> --url https://<Distribution.DomainName>/api/v1",
    );
    expect(Object.keys(stack(RELEASES).Outputs)).toEqual([
      ...["BucketName", "Target", "KeyValueStoreArn", "DistributionId", "DistributionDomainName"],
      ...["BaseUrl", "DeployRoleArn", "DeployCommand"],
    ]);
  });
});
