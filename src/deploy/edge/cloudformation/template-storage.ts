import { projectFolder } from "../../../documents/address.ts";
import type { JsonObject, JsonValue } from "../../../workspace/json.ts";
import { RELEASES } from "../../releases/keys.ts";
import { ASSETS, ERROR_DOCUMENTS } from "./template-distribution.ts";
import { attribute, either, ref, sub, type TemplateSection } from "./template-section.ts";

/** The ARN of the objects that the deploy writes. */
export const OBJECTS: JsonValue = objects("*");

/** The distribution's ARN, by which a policy excludes other distributions. */
export const DISTRIBUTION_ARN: JsonValue = sub(
  "arn:{AWS::Partition}:cloudfront::{AWS::AccountId}:distribution/{Distribution}",
);

/** L11: the keys that the edge functions and the error responses lead to, below the prefix. */
export function servedKeys({ kvs }: { kvs: boolean }): string[] {
  const documents = kvs ? `${RELEASES}*` : projectFolder("*");
  return [documents, ASSETS.slice(1), ...ERROR_DOCUMENTS.map(({ path }) => path.slice(1))];
}

/** In days. */
const KEEP_REPLACED = 30;
const KEEP_LOGS = 90;

/** The private bucket and its policy, and a bucket for its access logs. */
export function storage(options: { kvs: boolean }): TemplateSection {
  return {
    resources: {
      Bucket: {
        ...privateBucket(
          {
            VersioningConfiguration: { Status: "Enabled" },
            LoggingConfiguration: { DestinationBucketName: ref("LogBucket"), LogFilePrefix: "s3/" },
          },
          [
            {
              Id: "remove-replaced-objects",
              Status: "Enabled",
              NoncurrentVersionExpiration: { NoncurrentDays: KEEP_REPLACED },
              ExpiredObjectDeleteMarker: true,
            },
          ],
        ),
        DependsOn: "LogBucketPolicy",
      },
      BucketPolicy: policy("Bucket", [
        forDistribution("ReadObjects", "s3:GetObject", servedKeys(options).map(objects)),
        forDistribution("TellMissingObjects", "s3:ListBucket", attribute("Bucket", "Arn")),
      ]),
      LogBucket: privateBucket({}, [
        { Id: "remove-old-logs", Status: "Enabled", ExpirationInDays: KEEP_LOGS },
      ]),
      LogBucketPolicy: policy("LogBucket", [
        {
          Sid: "WriteLogs",
          Effect: "Allow",
          Principal: { Service: "logging.s3.amazonaws.com" },
          Action: "s3:PutObject",
          Resource: sub("{LogBucket.Arn}/s3/*"),
          Condition: { StringEquals: { "aws:SourceAccount": ref("AWS::AccountId") } },
        },
      ]),
    },
    comments: {
      "Resources/Bucket/DeletionPolicy":
        "Published content outlives the stack; an empty bucket can be deleted by hand.",
      "Resources/Bucket/Properties/OwnershipControls":
        "No ACLs: the bucket policy and the deploy role grant all access.",
      "Resources/Bucket/Properties/VersioningConfiguration": `What is removed or replaced by mistake can be restored for ${KEEP_REPLACED} days.`,
      "Resources/Bucket/Properties/LoggingConfiguration": `Each request to the bucket, for ${KEEP_LOGS} days. CloudFront answers most readers itself.`,
      "Resources/BucketPolicy/Properties/PolicyDocument":
        "Without ListBucket a missing object would be a 403, which the distribution turns into a 503.\nThe edge function passes on only the paths of documents and assets, so no viewer can list it.\nCloudFront can read what is served, and nothing else that is kept in the bucket.",
    },
  };
}

function privateBucket(more: JsonObject, lifecycle: readonly JsonObject[]): JsonObject {
  return {
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
      ...more,
      LifecycleConfiguration: {
        Rules: [
          {
            Id: "abort-incomplete-uploads",
            Status: "Enabled",
            AbortIncompleteMultipartUpload: { DaysAfterInitiation: 1 },
          },
          ...lifecycle,
        ],
      },
    },
  };
}

/** A bucket's policy, which also refuses requests without TLS. */
function policy(bucket: string, statements: readonly JsonValue[]): JsonObject {
  const plain = {
    Sid: "RefusePlainHttp",
    Effect: "Deny",
    Principal: "*",
    Action: "s3:*",
    Resource: [attribute(bucket, "Arn"), sub(`{${bucket}.Arn}/*`)],
    Condition: { Bool: { "aws:SecureTransport": "false" } },
  };
  return {
    Type: "AWS::S3::BucketPolicy",
    Properties: {
      Bucket: ref(bucket),
      PolicyDocument: { Version: "2012-10-17", Statement: [...statements, plain] },
    },
  };
}

function objects(keys: string): JsonValue {
  return either("HasPrefix", sub(`{Bucket.Arn}/{Prefix}/${keys}`), sub(`{Bucket.Arn}/${keys}`));
}

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
