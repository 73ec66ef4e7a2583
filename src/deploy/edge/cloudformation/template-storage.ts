import type { JsonValue } from "../../../workspace/json.ts";
import { attribute, either, ref, sub, type TemplateSection } from "./template-section.ts";

/** The ARN of the objects that the deploy writes and CloudFront reads. */
export const OBJECTS: JsonValue = either(
  "HasPrefix",
  sub("{Bucket.Arn}/{Prefix}/*"),
  sub("{Bucket.Arn}/*"),
);

/** The distribution's ARN, by which a policy excludes other distributions. */
export const DISTRIBUTION_ARN: JsonValue = sub(
  "arn:{AWS::Partition}:cloudfront::{AWS::AccountId}:distribution/{Distribution}",
);

/** The private bucket and its policy. */
export const STORAGE: TemplateSection = {
  resources: {
    Bucket: {
      Type: "AWS::S3::Bucket",
      DeletionPolicy: "Retain",
      UpdateReplacePolicy: "Retain",
      Properties: {
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
        LifecycleConfiguration: {
          Rules: [
            {
              Id: "abort-incomplete-uploads",
              Status: "Enabled",
              AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 },
            },
          ],
        },
      },
    },
    BucketPolicy: {
      Type: "AWS::S3::BucketPolicy",
      Properties: {
        Bucket: ref("Bucket"),
        PolicyDocument: {
          Version: "2012-10-17",
          Statement: [
            forDistribution("ReadObjects", "s3:GetObject", OBJECTS),
            forDistribution("TellMissingObjects", "s3:ListBucket", attribute("Bucket", "Arn")),
            {
              Sid: "RefusePlainHttp",
              Effect: "Deny",
              Principal: "*",
              Action: "s3:*",
              Resource: [attribute("Bucket", "Arn"), sub("{Bucket.Arn}/*")],
              Condition: { Bool: { "aws:SecureTransport": "false" } },
            },
          ],
        },
      },
    },
  },
  comments: {
    "Resources/Bucket/DeletionPolicy":
      "Published content outlives the stack; an empty bucket can be deleted by hand.",
    "Resources/Bucket/Properties":
      "Not versioned: releases are never overwritten, and svc's store has every version.",
    "Resources/Bucket/Properties/OwnershipControls":
      "No ACLs: the bucket policy and the deploy role grant all access.",
    "Resources/BucketPolicy/Properties/PolicyDocument":
      "Without ListBucket a missing object would be a 403, which the distribution turns into a 503.\nThe edge function passes on only the paths of documents and assets, so no viewer can list it.",
  },
};

function forDistribution(sid: string, action: string, resource: JsonValue): JsonValue {
  return {
    Sid: sid,
    Effect: "Allow",
    Principal: { Service: "cloudfront.amazonaws.com" },
    Action: action,
    Resource: resource,
    Condition: { StringEquals: { "AWS:SourceArn": DISTRIBUTION_ARN } },
  };
}
