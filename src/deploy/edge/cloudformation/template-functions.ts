import type { JsonValue } from "../../../workspace/json.ts";
import { edgeFunction } from "../function/edge-function.ts";
import { edgeResponseFunction } from "../function/response-function.ts";
import { PREVIEW_ORIGIN } from "./template-distribution.ts";
import { attribute, sub, type TemplateSection } from "./template-section.ts";

export const RUNTIME = "cloudfront-js-2.0";

/** The functions at the edge, and the store of pointers that one of them reads. */
export function functions(options: { kvs: boolean; preview: boolean }): TemplateSection {
  const { kvs } = options;
  return {
    resources: {
      ...(kvs && {
        Pointers: {
          Type: "AWS::CloudFront::KeyValueStore",
          Properties: {
            Name: sub("{AWS::StackName}-pointers"),
            Comment: "svc: which release a project is served from, and preview tokens as hashes",
          },
        },
      }),
      EdgeFunction: functionResource("request", edgeSource(options), {
        ...(kvs && {
          KeyValueStoreAssociations: [{ KeyValueStoreARN: attribute("Pointers", "Arn") }],
        }),
      }),
      ...(kvs && { ResponseFunction: functionResource("response", edgeResponseFunction(), {}) }),
    },
    comments: {
      "Resources/EdgeFunction": "As svc cdn function prints it.",
      ...(kvs && {
        "Resources/ResponseFunction":
          "Releases are stored as immutable, for the edge; viewers are told to ask again. Assets and\nanswers of 400 and above do not pass here.",
      }),
    },
  };
}

/** The source that stands at the edge of such a set-up. */
export function edgeSource({ kvs, preview }: { kvs: boolean; preview: boolean }): string {
  return edgeFunction({ kvs, ...(preview && { preview: PREVIEW_ORIGIN }) });
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
