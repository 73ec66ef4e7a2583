import type { JsonValue } from "../../../workspace/json.ts";
import { attribute, either, ref, sub, type TemplateSection } from "./template-section.ts";
import { DISTRIBUTION_ARN, OBJECTS } from "./template-storage.ts";

export const GITHUB = "token.actions.githubusercontent.com";
export const AUDIENCE = "sts.amazonaws.com";

/** The actions that a deploy needs, by resource. */
export const DEPLOY_ACTIONS = {
  bucket: ["s3:ListBucket"],
  objects: ["s3:GetObject", "s3:PutObject", "s3:DeleteObject"],
  pointers: [
    "cloudfront-keyvaluestore:DescribeKeyValueStore",
    "cloudfront-keyvaluestore:ListKeys",
    "cloudfront-keyvaluestore:GetKey",
    "cloudfront-keyvaluestore:PutKey",
    "cloudfront-keyvaluestore:DeleteKey",
    "cloudfront-keyvaluestore:UpdateKeys",
  ],
  distribution: ["cloudfront:CreateInvalidation", "cloudfront:GetInvalidation"],
} as const;

/** The role that a GitHub workflow assumes to deploy, without stored credentials. */
export function deployRole({ kvs }: { kvs: boolean }): TemplateSection {
  return {
    resources: {
      GitHubProvider: {
        Type: "AWS::IAM::OIDCProvider",
        Condition: "MakesProvider",
        DeletionPolicy: "Retain",
        UpdateReplacePolicy: "Retain",
        Properties: { Url: `https://${GITHUB}`, ClientIdList: [AUDIENCE] },
      },
      DeployRole: {
        Type: "AWS::IAM::Role",
        Properties: {
          Description: "svc deploy",
          AssumeRolePolicyDocument: { Version: "2012-10-17", Statement: [trust()] },
          Policies: [
            {
              PolicyName: "svc-deploy",
              PolicyDocument: { Version: "2012-10-17", Statement: permissions(kvs) },
            },
          ],
        },
      },
    },
    comments: {
      "Resources/GitHubProvider":
        "An account has one OIDC provider for GitHub: it is retained because other roles may use it.",
      "Resources/DeployRole": "Permits the actions of svc deploy only.",
      "Resources/DeployRole/Properties/AssumeRolePolicyDocument":
        "This repository and this branch or environment only; no pull request, no other branch.",
    },
  };
}

function trust(): JsonValue {
  return {
    Effect: "Allow",
    Principal: {
      Federated: either("MakesProvider", ref("GitHubProvider"), ref("OidcProviderArn")),
    },
    Action: "sts:AssumeRoleWithWebIdentity",
    Condition: {
      StringEquals: {
        [`${GITHUB}:aud`]: AUDIENCE,
        [`${GITHUB}:sub`]: sub(`repo:{GitHubRepository}:{GitHubSubject}`),
      },
    },
  };
}

function permissions(kvs: boolean): JsonValue[] {
  const { bucket, objects, pointers, distribution } = DEPLOY_ACTIONS;
  return [
    // No condition on s3:prefix: a GET of a missing object has no prefix, and would be a 403.
    allow("List", bucket, attribute("Bucket", "Arn")),
    allow("Objects", objects, OBJECTS),
    kvs
      ? allow("Pointers", pointers, attribute("Pointers", "Arn"))
      : allow("Invalidate", distribution, DISTRIBUTION_ARN),
  ];
}

function allow(sid: string, actions: readonly string[], resource: JsonValue): JsonValue {
  return { Sid: sid, Effect: "Allow", Action: actions, Resource: resource };
}
