import type { JsonObject } from "../../../workspace/json.ts";

/** The parameters of the stack. */
export function parameters({ preview }: { preview: boolean }): JsonObject {
  return {
    Prefix: {
      Type: "String",
      Default: "",
      AllowedPattern: "^([A-Za-z0-9_-][A-Za-z0-9_.-]*(/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*)?$",
      Description: "The folder of the bucket to deploy to, as in s3://bucket/prefix; may be empty",
    },
    Aliases: {
      Type: "CommaDelimitedList",
      Default: "",
      Description: "The distribution's own host names; needs CertificateArn",
    },
    CertificateArn: {
      Type: "String",
      Default: "",
      AllowedPattern: "^(arn:[a-z-]+:acm:us-east-1:[0-9]{12}:certificate/[A-Za-z0-9-]+)?$",
      Description: "A certificate of ACM in us-east-1 for these names",
    },
    ...(preview && {
      PreviewDomainName: {
        Type: "String",
        AllowedPattern: "^[A-Za-z0-9-]+([.][A-Za-z0-9-]+)+$",
        Description: "The host of svc preview, reached by https only",
      },
    }),
    GitHubRepository: {
      Type: "String",
      AllowedPattern: "^[A-Za-z0-9-]+/[A-Za-z0-9_.-]+$",
      Description: "owner/name of the repository whose workflow deploys",
    },
    GitHubSubject: {
      Type: "String",
      Default: "ref:refs/heads/main",
      AllowedPattern: "^(ref:refs/heads/[^*?:]+|environment:[^*?:]+)$",
      Description: "Its branch (ref:refs/heads/main) or environment (environment:production)",
    },
    OidcProviderArn: {
      Type: "String",
      Default: "",
      AllowedPattern:
        "^(arn:[a-z-]+:iam::[0-9]{12}:oidc-provider/token[.]actions[.]githubusercontent[.]com)?$",
      Description: "The account's OIDC provider for GitHub; if empty, the stack creates it",
    },
  };
}

/** What CloudFormation checks before it creates resources. */
export function rules(): JsonObject {
  const noAliases = { "Fn::Contains": [{ Ref: "Aliases" }, ""] };
  const noCertificate = { "Fn::Equals": [{ Ref: "CertificateArn" }, ""] };
  return {
    AliasesNeedCertificate: {
      Assertions: [
        {
          Assert: {
            "Fn::Or": [
              { "Fn::And": [noAliases, noCertificate] },
              { "Fn::And": [{ "Fn::Not": [noAliases] }, { "Fn::Not": [noCertificate] }] },
            ],
          },
          AssertDescription: "Aliases and CertificateArn are given together, or neither",
        },
      ],
    },
  };
}
