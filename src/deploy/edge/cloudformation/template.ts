import type { JsonObject } from "../../../workspace/json.ts";
import { distribution } from "./template-distribution.ts";
import { functions } from "./template-functions.ts";
import { outputs } from "./template-outputs.ts";
import { parameters, rules } from "./template-parameters.ts";
import { POLICIES } from "./template-policies.ts";
import { deployRole } from "./template-role.ts";
import type { TemplateSection } from "./template-section.ts";
import { STORAGE } from "./template-storage.ts";

export interface TemplateOptions {
  /** Releases and a KeyValueStore that points at the live ones; false: a bucket written in place. */
  readonly kvs: boolean;
  /** With a preview origin, whose host the stack asks for; only with `kvs`, which holds tokens. */
  readonly preview: boolean;
}

export interface Template {
  readonly document: JsonObject;
  /** By path, as `Resources/Bucket/Properties`; the empty path stands for the whole. */
  readonly comments: Readonly<Record<string, string>>;
}

/** A CloudFormation template of all that a deploy to S3 and CloudFront needs. */
export function cloudFormationTemplate(options: TemplateOptions): Template {
  const sections: readonly TemplateSection[] = [
    STORAGE,
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
  return `Printed by svc cdn template; printing it again after an update of svc and deploying the stack again
brings the functions up to date. A stack's name may have 50 characters: other names are made of it.
The bucket stands in the stack's region, any will do; a certificate must be in us-east-1.
  aws cloudformation deploy --stack-name content --template-file template.yaml \\
    --capabilities CAPABILITY_IAM --parameter-overrides GitHubRepository=owner/name
Then, with the stack's outputs (DeployCommand is this line, filled in):
  svc deploy s3://<bucket>[/<prefix>] ${kvs ? "--kvs <KeyValueStoreArn>" : "--distribution <DistributionId>"} --url <BaseUrl>`;
}
