import type { JsonValue } from "../../../workspace/json.ts";
import { printRequestFunction } from "../function/print-request-function.ts";
import { printResponseFunction } from "../function/print-response-function.ts";
import { attribute, sub, type TemplateSection } from "./template-section.ts";

export const RUNTIME = "cloudfront-js-2.0";

/** The edge functions, and the KeyValueStore that the request function reads. */
export function functions({ kvs }: { kvs: boolean }): TemplateSection {
  return {
    resources: {
      ...(kvs && {
        Pointers: {
          Type: "AWS::CloudFront::KeyValueStore",
          Properties: {
            Name: sub("{AWS::StackName}-pointers"),
            Comment: "svc: the live release of each project, and hashes of preview tokens",
          },
        },
      }),
      EdgeFunction: functionResource("request", printRequestFunction({ kvs }), {
        ...(kvs && {
          KeyValueStoreAssociations: [{ KeyValueStoreARN: attribute("Pointers", "Arn") }],
        }),
      }),
      ...(kvs && { ResponseFunction: functionResource("response", printResponseFunction(), {}) }),
    },
    comments: {
      "Resources/EdgeFunction": "The output of svc cdn function.",
      ...(kvs && {
        "Resources/ResponseFunction":
          "Releases are stored as immutable, for the edge; this gives viewers a short max-age. It does not\nrun for assets and for responses of 400 and above.",
      }),
    },
  };
}

function functionResource(name: string, code: string, more: Readonly<Record<string, JsonValue>>) {
  return {
    Type: "AWS::CloudFront::Function",
    Properties: {
      Name: sub(`{AWS::StackName}-${name}`),
      AutoPublish: true,
      FunctionConfig: { Comment: `svc: viewer ${name}`, Runtime: RUNTIME, ...more },
      FunctionCode: code,
    },
  };
}
