import {
  ALLOWED_METHODS,
  COMMON_HEADERS,
  PREFLIGHT_HEADERS,
} from "../../../http/published-headers.ts";
import type { JsonObject, JsonValue } from "../../../workspace/json.ts";
import { sub, type TemplateSection } from "./template-section.ts";

/** Seconds: a day without Cache-Control, at most a year. */
const TTL = { MinTTL: 0, DefaultTTL: 86400, MaxTTL: 31536000 } as const;

const LIST = /\s*,\s*/;

/** H1: CORS, for responses of the bucket and of the preview origin. */
function cors(): JsonObject {
  return {
    CorsConfig: {
      AccessControlAllowCredentials: false,
      AccessControlAllowHeaders: { Items: [PREFLIGHT_HEADERS["Access-Control-Allow-Headers"]] },
      AccessControlAllowMethods: { Items: ALLOWED_METHODS.split(LIST) },
      AccessControlAllowOrigins: { Items: [COMMON_HEADERS["Access-Control-Allow-Origin"]] },
      AccessControlExposeHeaders: {
        Items: COMMON_HEADERS["Access-Control-Expose-Headers"].split(LIST),
      },
      AccessControlMaxAgeSec: PREFLIGHT_HEADERS["Access-Control-Max-Age"],
      OriginOverride: true,
    },
  };
}

function responseHeaders(name: string, comment: string, security: JsonObject): JsonValue {
  return {
    Type: "AWS::CloudFront::ResponseHeadersPolicy",
    Properties: {
      ResponseHeadersPolicyConfig: {
        Name: sub(`{AWS::StackName}-${name}`),
        Comment: comment,
        ...cors(),
        SecurityHeadersConfig: { ContentTypeOptions: { Override: true }, ...security },
      },
    },
  };
}

/** What the edge caches, and the headers that it adds. */
export const POLICIES: TemplateSection = {
  resources: {
    CachePolicy: {
      Type: "AWS::CloudFront::CachePolicy",
      Properties: {
        CachePolicyConfig: {
          Name: sub("{AWS::StackName}-documents"),
          Comment: "svc: by address and preview_token",
          ...TTL,
          ParametersInCacheKeyAndForwardedToOrigin: {
            CookiesConfig: { CookieBehavior: "none" },
            HeadersConfig: { HeaderBehavior: "none" },
            QueryStringsConfig: {
              QueryStringBehavior: "whitelist",
              QueryStrings: ["preview_token"],
            },
            EnableAcceptEncodingGzip: true,
            EnableAcceptEncodingBrotli: true,
          },
        },
      },
    },
    DocumentHeaders: responseHeaders("documents", "svc: CORS and nosniff", {}),
    AssetHeaders: responseHeaders("assets", "svc: CORS, nosniff and a sandbox", {
      ContentSecurityPolicy: { ContentSecurityPolicy: "sandbox", Override: true },
    }),
  },
  comments: {
    "Resources/CachePolicy/Properties/CachePolicyConfig/MinTTL":
      "More than 0 would cache previews in spite of their no-store.",
    "Resources/CachePolicy/Properties/CachePolicyConfig/ParametersInCacheKeyAndForwardedToOrigin/QueryStringsConfig":
      "In the cache key, so that previews and published documents never share an entry.",
    "Resources/DocumentHeaders/Properties":
      "No Cache-Control here: it would also replace the no-store of previews and of the edge function.",
    "Resources/AssetHeaders/Properties":
      "S3 cannot store a Content-Security-Policy. The sandbox prevents uploaded pages and pictures\nfrom running scripts in the origin of the API.",
  },
};
