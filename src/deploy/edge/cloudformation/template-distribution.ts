import type { JsonObject, JsonValue } from "../../../workspace/json.ts";
import { attribute, either, NO_VALUE, ref, sub, type TemplateSection } from "./template-section.ts";

/** The ids of the distribution's origins. */
export const BUCKET_ORIGIN = "bucket";
export const PREVIEW_ORIGIN = "preview";

/** What answers for the bucket's own: the status to the viewer, and the object, by S3's status. */
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
        "All of them, so that the edge function sees them and answers 405: CloudFront itself would\nrefuse with a 403. The function lets nothing but GET and HEAD through.",
      [`${CONFIG}/CacheBehaviors`]:
        "Assets have the hash of their bytes in the address: viewers may keep them, as stored.",
      [`${CONFIG}/CustomErrorResponses`]:
        "The deploy puts these two problem documents beside the releases. A 403 means that the bucket\ndoes not let CloudFront in, which is no fault of the viewer's.",
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
