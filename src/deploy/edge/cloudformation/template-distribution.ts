import type { JsonObject, JsonValue } from "../../../workspace/json.ts";
import { PREVIEW_ORIGIN } from "../function/constants.ts";
import { attribute, either, NO_VALUE, ref, sub, type TemplateSection } from "./template-section.ts";

/** The id of the distribution's origin for published content. */
const BUCKET_ORIGIN = "bucket";

/** Custom error responses: the status and the object that replace a status of S3. */
export const ERROR_DOCUMENTS = [
  { from: 404, to: 404, path: "/404.json", seconds: 5 },
  { from: 403, to: 503, path: "/503.json", seconds: 1 },
] as const;

export const ASSETS = "/assets/*";

const METHODS = ["GET", "HEAD", "OPTIONS", "PUT", "PATCH", "POST", "DELETE"];

/** The distribution in front of the bucket. */
export function distribution(options: { kvs: boolean; preview: boolean }): TemplateSection {
  return {
    resources: {
      OriginAccessControl: {
        Type: "AWS::CloudFront::OriginAccessControl",
        Properties: {
          OriginAccessControlConfig: {
            Name: sub("{AWS::StackName}-bucket"),
            OriginAccessControlOriginType: "s3",
            SigningBehavior: "always",
            SigningProtocol: "sigv4",
          },
        },
      },
      Distribution: {
        Type: "AWS::CloudFront::Distribution",
        Properties: { DistributionConfig: distributionConfig(options) },
      },
    },
    comments: {
      [`${CONFIG}/DefaultCacheBehavior/AllowedMethods`]:
        "All methods, so that the edge function answers 405: CloudFront itself would answer 403.\nThe function passes on only GET and HEAD.",
      [`${CONFIG}/CacheBehaviors`]:
        "The URL of an asset contains a hash of its bytes: viewers may cache it as immutable.",
      [`${CONFIG}/CustomErrorResponses`]:
        "svc deploy uploads these two problem documents. A 403 means that the bucket policy denies\nCloudFront access, which is a server error.",
    },
  };
}

const CONFIG = "Resources/Distribution/Properties/DistributionConfig";

function distributionConfig({ kvs, preview }: { kvs: boolean; preview: boolean }): JsonObject {
  const onRequest = {
    EventType: "viewer-request",
    FunctionARN: attribute("EdgeFunction", "FunctionARN"),
  };
  const onResponse = {
    EventType: "viewer-response",
    FunctionARN: attribute("ResponseFunction", "FunctionARN"),
  };
  return {
    Comment: sub("svc: {AWS::StackName}"),
    Enabled: true,
    HttpVersion: "http2and3",
    IPV6Enabled: true,
    Aliases: either("HasAliases", ref("Aliases"), NO_VALUE),
    ViewerCertificate: either(
      "HasAliases",
      {
        AcmCertificateArn: ref("CertificateArn"),
        SslSupportMethod: "sni-only",
        MinimumProtocolVersion: "TLSv1.2_2021",
      },
      NO_VALUE,
    ),
    Origins: [bucketOrigin(), ...(preview ? [previewOrigin()] : [])],
    DefaultCacheBehavior: behavior("DocumentHeaders", kvs ? [onRequest, onResponse] : [onRequest]),
    CacheBehaviors: [{ PathPattern: ASSETS, ...behavior("AssetHeaders", [onRequest]) }],
    CustomErrorResponses: ERROR_DOCUMENTS.map(({ from, to, path, seconds }) => ({
      ErrorCode: from,
      ResponseCode: to,
      ResponsePagePath: path,
      ErrorCachingMinTTL: seconds,
    })),
  };
}

function bucketOrigin(): JsonObject {
  return {
    Id: BUCKET_ORIGIN,
    DomainName: attribute("Bucket", "RegionalDomainName"),
    OriginPath: either("HasPrefix", sub("/{Prefix}"), ""),
    OriginAccessControlId: attribute("OriginAccessControl", "Id"),
    S3OriginConfig: { OriginAccessIdentity: "" },
  };
}

function previewOrigin(): JsonObject {
  return {
    Id: PREVIEW_ORIGIN,
    DomainName: ref("PreviewDomainName"),
    CustomOriginConfig: { OriginProtocolPolicy: "https-only", OriginSSLProtocols: ["TLSv1.2"] },
  };
}

function behavior(headers: string, functions: readonly JsonValue[]): JsonObject {
  return {
    TargetOriginId: BUCKET_ORIGIN,
    ViewerProtocolPolicy: "redirect-to-https",
    AllowedMethods: METHODS,
    CachedMethods: ["GET", "HEAD"],
    Compress: true,
    CachePolicyId: ref("CachePolicy"),
    ResponseHeadersPolicyId: ref(headers),
    FunctionAssociations: functions,
  };
}
