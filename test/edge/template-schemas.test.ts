import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { CelEngine, SchemaValidator, TemplateFile } from "@aws/cloudformation-validate";
import {
  CachePolicyCookieBehavior,
  CachePolicyHeaderBehavior,
  CachePolicyQueryStringBehavior,
  EventType,
  FunctionRuntime,
  HttpVersion,
  MinimumProtocolVersion,
  OriginProtocolPolicy,
  SSLSupportMethod,
  SslProtocol,
  ViewerProtocolPolicy,
} from "@aws-sdk/client-cloudfront";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cloudFormationTemplate } from "../../src/deploy/edge/cloudformation/template.ts";
import { templateJson, templateYaml } from "../../src/deploy/edge/cloudformation/template-text.ts";
import { temporaryFolder } from "../support/test-bed.ts";

let engine: InstanceType<typeof CelEngine>;
let schemas: SchemaValidator;

beforeAll(() => {
  engine = new CelEngine();
  schemas = new SchemaValidator();
}, 60_000);

afterAll(() => {
  engine.free();
  schemas.free();
});

/** What CloudFormation's resource schemas and the linter's rules report of a template. */
function findings(text: string): string[] {
  const path = join(temporaryFolder(), "template.yaml");
  writeFileSync(path, text);
  const file = new TemplateFile(path);
  const { status, diagnostics } = engine.validateStandard(file);
  expect(status).toBe("OK");
  return [...diagnostics, ...schemas.validate(file)]
    .filter(({ severity }) => !["INFO", "DEBUG"].includes(severity))
    .map(({ severity, entity, message }) => `${severity} ${entity?.logicalId}: ${message}`);
}

const VARIANTS = [
  ["releases", { kvs: true, preview: false }],
  ["releases and previews", { kvs: true, preview: true }],
  ["in place", { kvs: false, preview: false }],
] as const;

describe("CloudFormation's published resource schemas", { timeout: 60_000 }, () => {
  it.each(VARIANTS)("accept the template without a warning (%s)", (_, variant) => {
    const template = cloudFormationTemplate(variant);
    expect(findings(templateYaml(template))).toEqual([]);
    expect(findings(templateJson(template))).toEqual([]);
  });

  it.each([
    ["a misspelt property", "BlockPublicAcls:", "BlockPublicACLs:", "Bucket"],
    ["a wrong ownership", "BucketOwnerEnforced", "BucketOwnerEnforce", "Bucket"],
    ["a wrong encryption", "SSEAlgorithm: AES256", "SSEAlgorithm: AES255", "Bucket"],
    ["a wrong signing", "SigningBehavior: always", "SigningBehavior: ever", "OriginAccessControl"],
    ["a required property left out", "SigningBehavior: always", "", "OriginAccessControl"],
    ["a wrong type", "MinTTL: 0", "MinTTL: none", "CachePolicy"],
    ["a resource that is not there", "Ref: CachePolicy", "Ref: CachPolicy", "Distribution"],
    ["an attribute that is not there", "- RegionalDomainName", "- RegionDomain", "Distribution"],
  ])("report %s", (_, right, wrong, resource) => {
    const text = templateYaml(cloudFormationTemplate({ kvs: true, preview: false }));
    expect(text).toContain(right);
    expect(findings(text.replace(right, wrong)).join("\n")).toContain(` ${resource}: `);
  });
});

describe("CloudFront's API", () => {
  /** Enumerations of the SDK that the resource schemas do not have. */
  const ENUMS: readonly [name: string, values: Readonly<Record<string, string>>][] = [
    ["ViewerProtocolPolicy", ViewerProtocolPolicy],
    ["Runtime", FunctionRuntime],
    ["EventType", EventType],
    ["HttpVersion", HttpVersion],
    ["SslSupportMethod", SSLSupportMethod],
    ["MinimumProtocolVersion", MinimumProtocolVersion],
    ["OriginProtocolPolicy", OriginProtocolPolicy],
    ["OriginSSLProtocols", SslProtocol],
    ["QueryStringBehavior", CachePolicyQueryStringBehavior],
    ["CookieBehavior", CachePolicyCookieBehavior],
    ["HeaderBehavior", CachePolicyHeaderBehavior],
  ];

  it.each(ENUMS)("knows the template's %s", (name, values) => {
    const text = JSON.stringify(cloudFormationTemplate({ kvs: true, preview: true }).document);
    const used = [...text.matchAll(new RegExp(`"${name}":\\[?"([^"]*)"`, "g"))];
    expect(used.length).toBeGreaterThan(0);
    for (const [, value] of used) expect(Object.values(values)).toContain(value);
  });
});
