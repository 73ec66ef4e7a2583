import {
  ALLOWED_METHODS,
  COMMON_HEADERS,
  PREFLIGHT_HEADERS,
} from "../../../http/published-headers.ts";
import type { JsonObject, JsonValue } from "../../../workspace/json.ts";
import { sub, type TemplateSection } from "./template-section.ts";

/** Seconds: a day for what says nothing of its own, a year for what says immutable. */
const TTL = { MinTTL: 0, DefaultTTL: 86400, MaxTTL: 31536000 } as const;

const LIST = /\s*,\s*/;

/** H1 and nosniff, on whatever the bucket or the preview origin answers. */
function commonHeaders(): JsonObject {
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
        ...commonHeaders(),
        SecurityHeadersConfig: { ContentTypeOptions: { Override: true }, ...security },
      },
    },
  };
}

/** What the edge keeps, and the headers that it adds. */
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
      "More than 0 would keep previews, whose no-store says that nothing may.",
    "Resources/CachePolicy/Properties/CachePolicyConfig/ParametersInCacheKeyAndForwardedToOrigin/QueryStringsConfig":
      "In the key, so that a preview and what is published are never taken for each other.",
    "Resources/DocumentHeaders/Properties":
      "No Cache-Control here: a policy cannot except previews and the edge's own answers (no-store).",
    "Resources/AssetHeaders/Properties":
      "S3 cannot store a Content-Security-Policy. The sandbox keeps an uploaded page or picture from\nrunning scripts in the origin of the API.",
  },
};
