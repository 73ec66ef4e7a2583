import { type Mutant, mutantsOf } from "./mutant.ts";

/** Of the hosts of published files: nginx and CloudFront's functions. */
export const EDGE: readonly Mutant[] = [
  ...mutantsOf("src/deploy/edge/nginx/nginx-config.ts", "test/edge/nginx.test.ts", [
    "H3: nginx logs preview tokens",
    '        "access_log off;",\n',
    "",
  ]),
  ...mutantsOf(
    "src/deploy/edge/nginx/nginx-config.ts",
    "test/edge/same-answers.test.ts",
    [
      "H3: nginx serves published content for a token",
      "`if ($svc_preview) {",
      "`if ($svc_no_uri) {",
    ],
    [
      "H1: nginx serves assets without their headers",
      'addHeaders({ "Cache-Control": IMMUTABLE, ...FILE_HEADERS }),',
      "addHeaders(FILE_HEADERS),",
    ],
  ),
  ...mutantsOf(
    "src/deploy/edge/function/cloudfront/request-function.js",
    ["test/deploy/edge/function/request-function.test.ts", "test/edge/edge-function.test.ts"],
    [
      "H3: CloudFront accepts one of two tokens",
      "if (tokens.length !== 1 || !tokens[0]) return false;",
      "if (!tokens[0]) return false;",
    ],
    [
      "H3: CloudFront accepts expired tokens",
      "TIME.test(expires) && Number(expires) > Date.now()",
      "TIME.test(expires)",
    ],
    [
      "L2: CloudFront ignores the pointer of a project",
      "if (!isPublished) return problem(request, NOT_PUBLISHED[target.kind]);",
      'if (!isPublished) return problem(request, "not-found");',
    ],
  ),
  ...mutantsOf(
    "src/deploy/edge/function/cloudfront/in-place-request-function.js",
    "test/edge/same-answers.test.ts",
    [
      "H3: CloudFront serves published content for a token",
      "if (target.tokens.length > 0)",
      "if (target.tokens.length > 99)",
    ],
  ),
  ...mutantsOf(
    "src/deploy/edge/function/cloudfront/read-request.js",
    "test/edge/same-answers.test.ts",
    [
      "H1: CloudFront joins segments by an encoded slash",
      'request.uri.split("/").map((part) => decodeURIComponent(part))',
      'decodeURIComponent(request.uri).split("/")',
    ],
    [
      "H3: CloudFront does not decode the name of preview_token",
      'if (decode(name) !== "preview_token") return;',
      'if (name !== "preview_token") return;',
    ],
  ),
  ...mutantsOf(
    "src/deploy/edge/cloudformation/template-storage.ts",
    "test/deploy/edge/cloudformation/template.test.ts",
    [
      "L11: CloudFront may read everything in the bucket",
      "servedKeys(options).map(objects)",
      'objects("*")',
    ],
    [
      "L11: what is replaced is lost",
      'VersioningConfiguration: { Status: "Enabled" }',
      'VersioningConfiguration: { Status: "Suspended" }',
    ],
    [
      "L11: every account may write logs",
      'Condition: { StringEquals: { "aws:SourceAccount": ref("AWS::AccountId") } },',
      "",
    ],
  ),
  ...mutantsOf("src/deploy/edge/doctor/bucket-group.ts", "test/deploy/edge/doctor/doctor.test.ts", [
    "L11: the doctor accepts that CloudFront reads everything",
    ".filter((resource) => !served.some((name) => covers(name, resource)));",
    ".filter((resource) => !served.some((name) => covers(resource, name)));",
  ]),
];
