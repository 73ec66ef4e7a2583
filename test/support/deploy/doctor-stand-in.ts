import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { cloudFormationTemplate } from "../../../src/deploy/edge/cloudformation/template.ts";
import { stackOf } from "./stack.ts";

const ACCOUNT = "123456789012";
export const KVS = `arn:aws:cloudfront::${ACCOUNT}:key-value-store/0a1b2c3d-0000-4000-8000-000000000000`;

/** The attributes of the created stack's resources. */
const ATTRIBUTES: Readonly<Record<string, string>> = {
  Bucket: "bucket",
  "Bucket.Arn": "arn:aws:s3:::bucket",
  "Bucket.RegionalDomainName": "bucket.s3.eu-west-1.amazonaws.com",
  Distribution: "E123",
  "Pointers.Arn": KVS,
  "EdgeFunction.FunctionARN": `arn:aws:cloudfront::${ACCOUNT}:function/content-request`,
  "ResponseFunction.FunctionARN": `arn:aws:cloudfront::${ACCOUNT}:function/content-response`,
  GitHubProvider: `arn:aws:iam::${ACCOUNT}:oidc-provider/token.actions.githubusercontent.com`,
};

/** The resources of a stack of svc's template; `any`, so that tests can damage each part. */
// biome-ignore lint/suspicious/noExplicitAny: see above
export type Resources = any;

/** The state of the stand-in; a test damages one part of it. */
export interface AwsState {
  readonly resources: Resources;
  readonly objects: Set<string>;
  readonly keys: Map<string, string>;
  kvsStatus: string;
  readonly attached: string[];
  /** Paths, or actions of IAM, that get AccessDenied. */
  readonly denied: Set<string>;
}

export function awsState(variant = { kvs: true, preview: true }, given = {}): AwsState {
  const { document } = cloudFormationTemplate(variant);
  const parameters = {
    GitHubRepository: "acme/content",
    PreviewDomainName: "preview.example.com",
    ...given,
  };
  const { Resources } = stackOf(document, parameters);
  const text = JSON.stringify(Resources).replaceAll(
    /<([A-Za-z.]+)>/g,
    (_, name) => ATTRIBUTES[name] ?? name,
  );
  return {
    resources: JSON.parse(text),
    objects: new Set(["404.json", "503.json"]),
    keys: new Map([["p:site", `shop/${"0".repeat(32)}-${"a".repeat(12)}`]]),
    kvsStatus: "READY",
    attached: [],
    denied: new Set(),
  };
}

/** Serves until the test ends. */
export async function served(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

interface Answer {
  readonly status?: number;
  readonly type?: string;
  readonly body: string;
}

/** Responds to the doctor's requests as the APIs of CloudFront, S3, KeyValueStores and IAM do. */
export function awsListener(state: AwsState): RequestListener {
  return async (request, response) => {
    let form = "";
    for await (const chunk of request) form += chunk;
    const url = new URL(request.url ?? "/", "http://aws");
    const path = decodeURIComponent(url.pathname);
    const action = new URLSearchParams(form).get("Action") ?? undefined;
    const query = [...url.searchParams.keys()].filter((name) => name !== "x-id")[0] ?? "";
    const isDenied = [action ?? path, query].some((name) => state.denied.has(name));
    const found = isDenied ? denial(path) : answer(state, path, query, action, form);
    const { status = 200, type = "text/xml", body } = found ?? missing("NoSuchThing");
    response.writeHead(status, { "Content-Type": type, "Content-Length": Buffer.byteLength(body) });
    response.end(request.method === "HEAD" ? undefined : body);
  };
}

function answer(
  state: AwsState,
  path: string,
  query: string,
  action: string | undefined,
  form: string,
): Answer | undefined {
  if (action !== undefined) return iam(state, action, new URLSearchParams(form));
  if (path.startsWith("/2020-05-31/")) return cloudFront(state, path.split("/").slice(2));
  if (path.startsWith("/key-value-stores/")) return keyValues(state, path);
  return s3(state, path, query);
}

function cloudFront({ resources }: AwsState, [kind, id, part]: string[]): Answer | undefined {
  const properties = resources[id ?? ""]?.Properties;
  switch (kind) {
    case "distribution":
      return id === "E123"
        ? { body: xml("DistributionConfig", resources.Distribution.Properties.DistributionConfig) }
        : missing("NoSuchDistribution");
    case "cache-policy":
      return { body: xml("CachePolicyConfig", properties.CachePolicyConfig) };
    case "response-headers-policy":
      return { body: xml("ResponseHeadersPolicyConfig", properties.ResponseHeadersPolicyConfig) };
    case "origin-access-control":
      return {
        body: xml(
          "OriginAccessControlConfig",
          resources.OriginAccessControl.Properties.OriginAccessControlConfig,
        ),
      };
    case "function": {
      const name = id === "content-request" ? "EdgeFunction" : "ResponseFunction";
      const { FunctionCode, FunctionConfig } = resources[name].Properties;
      return part === "describe"
        ? { body: xml("FunctionSummary", { Name: id, FunctionConfig }) }
        : { type: "application/octet-stream", body: FunctionCode };
    }
  }
  return undefined;
}

function keyValues({ keys, kvsStatus }: AwsState, path: string): Answer {
  const type = "application/json";
  const facts = { ItemCount: keys.size, TotalSizeInBytes: 1, KvsARN: KVS };
  const times = { Created: 1.7e9, LastModified: 1.7e9 };
  if (!path.endsWith("/keys")) {
    return { type, body: JSON.stringify({ ...facts, ...times, Status: kvsStatus }) };
  }
  const Items = [...keys].map(([Key, Value]) => ({ Key, Value }));
  return { type, body: JSON.stringify({ Items }) };
}

function s3({ resources, objects }: AwsState, path: string, query: string): Answer | undefined {
  const { Properties } = resources.Bucket;
  const [, bucket, ...key] = path.split("/");
  if (bucket !== "bucket") return missing("NoSuchBucket");
  if (key.join("/") !== "") {
    return objects.has(key.join("/")) ? { body: "{}" } : missing("NoSuchKey");
  }
  switch (query) {
    case "publicAccessBlock": {
      const block = Properties.PublicAccessBlockConfiguration;
      return block
        ? { body: xml("PublicAccessBlockConfiguration", block) }
        : missing("NoSuchPublicAccessBlockConfiguration");
    }
    case "ownershipControls": {
      const [rule] = Properties.OwnershipControls?.Rules ?? [];
      return rule
        ? { body: `<OwnershipControls>${xml("Rule", rule)}</OwnershipControls>` }
        : missing("OwnershipControlsNotFoundError");
    }
    case "policy": {
      const policy = resources.BucketPolicy?.Properties.PolicyDocument;
      return policy
        ? { type: "application/json", body: JSON.stringify(policy) }
        : missing("NoSuchBucketPolicy");
    }
  }
  return { body: "" };
}

function iam({ resources, attached }: AwsState, action: string, form: URLSearchParams): Answer {
  if (form.get("RoleName") !== "deploy") return missing("NoSuchEntity", true);
  const { AssumeRolePolicyDocument, Policies } = resources.DeployRole.Properties;
  const encoded = (policy: object) => encodeURIComponent(JSON.stringify(policy));
  const results: Record<string, () => string> = {
    GetRole: () =>
      `<Role><Arn>arn:aws:iam::${ACCOUNT}:role/deploy</Arn><AssumeRolePolicyDocument>${encoded(AssumeRolePolicyDocument)}</AssumeRolePolicyDocument></Role>`,
    ListRolePolicies: () =>
      `<PolicyNames><member>svc-deploy</member></PolicyNames><IsTruncated>false</IsTruncated>`,
    GetRolePolicy: () => `<PolicyDocument>${encoded(Policies[0].PolicyDocument)}</PolicyDocument>`,
    ListAttachedRolePolicies: () =>
      `<AttachedPolicies>${attached.map((name) => `<member><PolicyName>${name}</PolicyName></member>`).join("")}</AttachedPolicies>`,
  };
  const body = results[action]?.() ?? "";
  return {
    body: `<${action}Response><${action}Result>${body}</${action}Result></${action}Response>`,
  };
}

function missing(code: string, isOfService = code === "NoSuchDistribution"): Answer {
  return { status: 404, body: errorXml(code, isOfService) };
}

function denial(path: string): Answer {
  return { status: 403, body: errorXml("AccessDenied", !path.startsWith("/bucket")) };
}

/** S3 has `Error` at the root, the others one level down. */
function errorXml(code: string, isOfService: boolean): string {
  const error = `<Error><Code>${code}</Code><Message>${code} of the stand-in</Message></Error>`;
  return isOfService ? `<ErrorResponse>${error}</ErrorResponse>` : error;
}

/** The element name of a list's items in CloudFront's API. */
const MEMBERS: Readonly<Record<string, string>> = {
  AllowedMethods: "Method",
  QueryStrings: "Name",
  AccessControlAllowOrigins: "Origin",
  AccessControlAllowMethods: "Method",
  AccessControlAllowHeaders: "Header",
  AccessControlExposeHeaders: "Header",
  CustomHeadersConfig: "ResponseHeadersPolicyCustomHeader",
};

/** A value of the template as XML of CloudFront's API, in which lists have a `Quantity`. */
function xml(name: string, value: Resources): string {
  const items = Array.isArray(value) ? value : value?.Items;
  if (Array.isArray(items)) {
    const member = MEMBERS[name] ?? name.replace(/s$/, "");
    const inner = items.map((item) => xml(member, item)).join("");
    return `<${name}><Quantity>${items.length}</Quantity><Items>${inner}</Items></${name}>`;
  }
  if (typeof value === "object") {
    const inner = Object.entries(value).map(([key, member]) => xml(key, member));
    return `<${name}>${inner.join("")}</${name}>`;
  }
  const text = String(value).replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return `<${name}>${text}</${name}>`;
}
