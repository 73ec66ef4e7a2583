import type { JsonObject } from "../../../workspace/json.ts";
import { distribution } from "./template-distribution.ts";
import { functions } from "./template-functions.ts";
import { outputs } from "./template-outputs.ts";
import { parameters, rules } from "./template-parameters.ts";
import { POLICIES } from "./template-policies.ts";
import { deployRole } from "./template-role.ts";
import type { TemplateSection } from "./template-section.ts";
import { storage } from "./template-storage.ts";

export interface TemplateOptions {
  /** Whether deploys make releases, with pointers in a KeyValueStore, or write in place. */
  readonly kvs: boolean;
  /** Adds an origin for previews; only with `kvs`, which holds the tokens. */
  readonly preview: boolean;
}

export interface Template {
  readonly document: JsonObject;
  /** By path (`Resources/Bucket/Properties`); the empty path is the head of the file. */
  readonly comments: Readonly<Record<string, string>>;
}

/** A CloudFormation template of everything that a deploy to S3 and CloudFront needs. */
export function cloudFormationTemplate(options: TemplateOptions): Template {
  const sections: readonly TemplateSection[] = [
    storage(options),
    distribution(options),
    POLICIES,
    functions(options),
    deployRole(options),
  ];
  const document = {
    AWSTemplateFormatVersion: "2010-09-09",
    Description: options.kvs
      ? "svc: a content API in releases, on S3 and CloudFront"
      : "svc: a content API written in place, on S3 and CloudFront",
    Parameters: parameters(options),
    Conditions: {
      HasPrefix: { "Fn::Not": [{ "Fn::Equals": [{ Ref: "Prefix" }, ""] }] },
      HasAliases: { "Fn::Not": [{ "Fn::Equals": [{ Ref: "CertificateArn" }, ""] }] },
      MakesProvider: { "Fn::Equals": [{ Ref: "OidcProviderArn" }, ""] },
    },
    Rules: rules(),
    Resources: Object.assign({}, ...sections.map(({ resources }) => resources)),
    Outputs: outputs(options),
  };
  const comments = Object.assign({}, ...sections.map((section) => section.comments));
  return { document, comments: { "": head(options), ...comments } };
}

function head({ kvs }: TemplateOptions): string {
  return `Printed by svc cdn template. To update the functions after an update of svc, print it again and
deploy the stack again. The name of the stack may have at most 50 characters: other names contain it.
The stack may be in any region, which becomes the bucket's; a certificate must be in us-east-1.
  aws cloudformation deploy --stack-name content --template-file template.yaml \\
    --capabilities CAPABILITY_IAM --parameter-overrides GitHubRepository=owner/name
Then deploy with the outputs of the stack (DeployCommand is this command, filled in):
  svc deploy s3://<bucket>[/<prefix>] ${kvs ? "--kvs <KeyValueStoreArn>" : "--distribution <DistributionId>"} --url <BaseUrl>`;
}
