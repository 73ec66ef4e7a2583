import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { CelEngine, SchemaValidator, TemplateFile } from "@aws/cloudformation-validate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { templateDocument, templateYaml } from "../../src/deploy/edge/template.ts";
import { temporaryFolder } from "../support/test-bed.ts";

let engine: InstanceType<typeof CelEngine>;
let schemas: SchemaValidator;

beforeAll(() => {
  engine = new CelEngine();
  schemas = new SchemaValidator();
});

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

describe("CloudFormation's published resource schemas", () => {
  it.each(VARIANTS)("accept the template without a warning (%s)", (_, variant) => {
    expect(findings(templateYaml(variant))).toEqual([]);
    expect(findings(JSON.stringify(templateDocument(variant)))).toEqual([]);
  });

  it.each([
    ["a misspelt property", "BlockPublicAcls:", "BlockPublicACLs:", "Bucket"],
    ["a wrong ownership", "BucketOwnerEnforced", "BucketOwnerEnforce", "Bucket"],
    ["a wrong encryption", "SSEAlgorithm: AES256", "SSEAlgorithm: AES255", "Bucket"],
    ["a wrong signing", "SigningBehavior: always", "SigningBehavior: ever", "OriginAccessControl"],
    ["a required property left out", "SigningBehavior: always", "", "OriginAccessControl"],
    ["a wrong type", "MinTTL: 0", "MinTTL: none", "CachePolicy"],
    ["a resource that is not there", "Ref: CachePolicy", "Ref: CachPolicy", "Distribution"],
    ["an attribute that is not there", "RegionalDomainName", "RegionDomain", "Distribution"],
  ])("report %s", (_, right, wrong, resource) => {
    const text = templateYaml({ kvs: true, preview: false });
    expect(text).toContain(right);
    expect(findings(text.replace(right, wrong)).join("\n")).toContain(` ${resource}: `);
  });
});

describe("CloudFront's API", () => {
  /** Its documented values, of which the resource schemas have none. */
  const ENUMS: readonly [name: string, values: string][] = [
    ["ViewerProtocolPolicy", "allow-all https-only redirect-to-https"],
    ["Runtime", "cloudfront-js-1.0 cloudfront-js-2.0"],
    ["EventType", "viewer-request viewer-response origin-request origin-response"],
    ["HttpVersion", "http1.1 http2 http3 http2and3"],
    ["SslSupportMethod", "sni-only vip static-ip"],
    ["MinimumProtocolVersion", "TLSv1.2_2018 TLSv1.2_2019 TLSv1.2_2021 TLSv1.3_2025"],
    ["OriginProtocolPolicy", "http-only match-viewer https-only"],
    ["OriginSSLProtocols", "SSLv3 TLSv1 TLSv1.1 TLSv1.2"],
    ["QueryStringBehavior", "none whitelist allExcept all"],
    ["CookieBehavior", "none whitelist allExcept all"],
    ["HeaderBehavior", "none whitelist"],
  ];

  it.each(ENUMS)("knows the template's %s", (name, values) => {
    const text = JSON.stringify(templateDocument({ kvs: true, preview: true }));
    const used = [...text.matchAll(new RegExp(`"${name}":\\[?"([^"]*)"`, "g"))];
    expect(used.length).toBeGreaterThan(0);
    for (const [, value] of used) expect(values.split(" ")).toContain(value);
  });
});
