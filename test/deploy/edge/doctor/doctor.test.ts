import { lookup } from "node:dns";
import { Agent } from "node:http";
import { CloudFrontKeyValueStoreClient } from "@aws-sdk/client-cloudfront-keyvaluestore";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Diagnosis, diagnose } from "../../../../src/deploy/edge/doctor/diagnose.ts";
import { awsClients, type DoctorSetup } from "../../../../src/deploy/edge/doctor/doctor-setup.ts";
import {
  type AwsState,
  awsListener,
  awsState,
  KVS,
  type Resources,
  served,
} from "../../../support/deploy/doctor-stand-in.ts";
import {
  publishedSite,
  redirecting,
  type SiteFault,
} from "../../../support/deploy/published-site.ts";

beforeEach(() => {
  vi.stubEnv("AWS_ACCESS_KEY_ID", "AKIDEXAMPLE");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "secret");
  vi.stubEnv("AWS_REGION", "eu-west-1");
});

afterEach(() => {
  vi.unstubAllEnvs();
});

const ALL = { bucket: "bucket", prefix: "", distribution: "E123", kvs: KVS, role: "deploy" };

/** The diagnosis of a set-up; one http server has the site, another one redirects to https. */
async function diagnosis(
  state: AwsState,
  more: { fault?: SiteFault; setup?: DoctorSetup; hasUrl?: boolean } = {},
): Promise<Diagnosis> {
  const endpoint = await served(awsListener(state));
  for (const service of ["CLOUDFRONT", "IAM"]) {
    vi.stubEnv(`AWS_ENDPOINT_URL_${service}`, endpoint);
  }
  const url =
    more.hasUrl === false
      ? {}
      : {
          host: await served(publishedSite(more.fault)),
          plainHost: await served(redirecting),
        };
  const { keyValues: _, ...clients } = awsClients(endpoint);
  return diagnose(
    { ...(more.setup ?? ALL), ...url },
    { ...clients, keyValues: kvsClient(endpoint) },
  );
}

/** The SDK prepends the account id to the endpoint's host, which must still resolve. */
function kvsClient(endpoint: string): CloudFrontKeyValueStoreClient {
  const httpAgent = new Agent({
    lookup: (_, options, done) => lookup("127.0.0.1", options, done),
  });
  return new CloudFrontKeyValueStoreClient({
    endpoint: endpoint.replace("127.0.0.1", "localhost"),
    region: "us-east-1",
    requestHandler: { httpAgent },
  });
}

const withStatus = ({ checks }: Diagnosis, status: string) =>
  checks.filter((check) => check.status === status).map(({ id }) => id);

describe("svc cdn doctor: a stack of svc cdn template", () => {
  it("is all ok", async () => {
    const found = await diagnosis(awsState());
    expect(found.checks.filter(({ status }) => status !== "ok")).toEqual([]);
    expect(found.ok).toBe(true);
    expect(new Set(found.checks.map(({ id }) => id)).size).toBe(found.checks.length);
  });

  it("is all ok below a prefix", async () => {
    const state = awsState(undefined, { Prefix: "a/b" });
    state.objects.clear();
    state.objects.add("a/b/404.json").add("a/b/503.json");
    const found = await diagnosis(state, { setup: { ...ALL, prefix: "a/b" }, hasUrl: false });
    expect(withStatus(found, "failed")).toEqual([]);
    expect(found.checks.find(({ id }) => id === "origin-path")?.status).toBe("ok");
  });

  it("is all ok in place, without a KeyValueStore", async () => {
    const { kvs: _, ...setup } = ALL;
    const state = awsState({ kvs: false, preview: false });
    const found = await diagnosis(state, { setup: { ...setup, project: "site" } });
    expect(withStatus(found, "failed")).toEqual([]);
    expect(withStatus(found, "skipped")).toEqual([
      ...["preview-origin", "function-store", "kvs", "kvs-pointers"],
    ]);
  });
});

const config = (made: Resources) => made.Distribution.Properties.DistributionConfig;
const statements = (made: Resources) => made.BucketPolicy.Properties.PolicyDocument.Statement;
const permitted = (made: Resources) =>
  made.DeployRole.Properties.Policies[0].PolicyDocument.Statement;
const trusted = (made: Resources) =>
  made.DeployRole.Properties.AssumeRolePolicyDocument.Statement[0];
const cacheKey = (made: Resources) =>
  made.CachePolicy.Properties.CachePolicyConfig.ParametersInCacheKeyAndForwardedToOrigin;
const headers = (made: Resources) => made.DocumentHeaders.Properties.ResponseHeadersPolicyConfig;
const SUB = "token.actions.githubusercontent.com:sub";

type Broken = readonly [
  id: string,
  how: string,
  damage: (made: Resources, state: AwsState) => unknown,
];

const BROKEN: readonly Broken[] = [
  [
    "bucket-private",
    "not all public access is blocked",
    (made) => {
      made.Bucket.Properties.PublicAccessBlockConfiguration.BlockPublicPolicy = false;
    },
  ],
  [
    "bucket-private",
    "no configuration",
    (made) => {
      delete made.Bucket.Properties.PublicAccessBlockConfiguration;
    },
  ],
  [
    "bucket-ownership",
    "ACLs are enabled",
    (made) => {
      made.Bucket.Properties.OwnershipControls.Rules[0].ObjectOwnership = "ObjectWriter";
    },
  ],
  ["bucket-read", "nothing is granted", (made) => statements(made).splice(0, 1)],
  [
    "bucket-read",
    "another distribution",
    (made) => {
      statements(made)[0].Condition.StringEquals["AWS:SourceArn"] += "X";
    },
  ],
  [
    "bucket-read",
    "another folder",
    (made) => {
      statements(made)[0].Resource = "arn:aws:s3:::bucket/other/*";
    },
  ],
  [
    "bucket-read",
    "no problem documents",
    (made) => {
      statements(made)[0].Resource.splice(3, 1);
    },
  ],
  [
    "bucket-only",
    "everything in the bucket",
    (made) => {
      statements(made)[0].Resource = "arn:aws:s3:::bucket/*";
    },
  ],
  ["bucket-list", "nothing is granted", (made) => statements(made).splice(1, 1)],
  [
    "bucket-closed",
    "public read access",
    (made) =>
      statements(made).push({
        Effect: "Allow",
        Principal: "*",
        Action: "s3:GetObject",
        Resource: "arn:aws:s3:::bucket/*",
      }),
  ],
  [
    "bucket-closed",
    "any distribution may read",
    (made) => {
      statements(made).push({ ...statements(made)[0], Condition: {} });
    },
  ],
  ["bucket-tls", "nothing is denied", (made) => statements(made).splice(2, 1)],
  ["bucket-errors", "503.json is missing", (_, { objects }) => objects.delete("503.json")],
  [
    "distribution",
    "it is disabled",
    (made) => {
      config(made).Enabled = false;
    },
  ],
  [
    "origin-access",
    "no access control",
    (made) => {
      config(made).Origins[0].OriginAccessControlId = "";
    },
  ],
  [
    "origin-access",
    "another bucket",
    (made) => {
      config(made).Origins[0].DomainName = "other.s3.eu-west-1.amazonaws.com";
    },
  ],
  [
    "origin-access",
    "it does not sign",
    (made) => {
      made.OriginAccessControl.Properties.OriginAccessControlConfig.SigningBehavior = "never";
    },
  ],
  [
    "origin-path",
    "another folder",
    (made) => {
      config(made).Origins[0].OriginPath = "/other";
    },
  ],
  [
    "preview-origin",
    "tokens without encryption",
    (made) => {
      config(made).Origins[1].CustomOriginConfig.OriginProtocolPolicy = "match-viewer";
    },
  ],
  [
    "https",
    "http is served",
    (made) => {
      config(made).CacheBehaviors[0].ViewerProtocolPolicy = "allow-all";
    },
  ],
  [
    "methods",
    "three of seven",
    (made) => config(made).DefaultCacheBehavior.AllowedMethods.splice(3),
  ],
  [
    "compression",
    "it is off",
    (made) => {
      config(made).DefaultCacheBehavior.Compress = false;
    },
  ],
  [
    "compression",
    "no Brotli",
    (made) => {
      cacheKey(made).EnableAcceptEncodingBrotli = false;
    },
  ],
  [
    "cache-policy",
    "Min TTL of a second",
    (made) => {
      made.CachePolicy.Properties.CachePolicyConfig.MinTTL = 1;
    },
  ],
  [
    "cache-policy",
    "preview_token is not in the key",
    (made) => {
      cacheKey(made).QueryStringsConfig = { QueryStringBehavior: "none" };
    },
  ],
  [
    "cache-policy",
    "another query is in the key",
    (made) => cacheKey(made).QueryStringsConfig.QueryStrings.push("x"),
  ],
  [
    "cache-policy",
    "headers are in the key",
    (made) => {
      cacheKey(made).HeadersConfig.HeaderBehavior = "whitelist";
    },
  ],
  [
    "cache-policy",
    "cookies are in the key",
    (made) => {
      cacheKey(made).CookiesConfig.CookieBehavior = "all";
    },
  ],
  [
    "headers",
    "no policy",
    (made) => {
      delete config(made).DefaultCacheBehavior.ResponseHeadersPolicyId;
    },
  ],
  [
    "headers",
    "one origin only",
    (made) => {
      headers(made).CorsConfig.AccessControlAllowOrigins.Items = ["https://example.com"];
    },
  ],
  [
    "headers",
    "no nosniff",
    (made) => {
      headers(made).SecurityHeadersConfig = {};
    },
  ],
  [
    "headers",
    "Cache-Control for all",
    (made) => {
      const item = { Header: "cache-control", Value: "max-age=30", Override: true };
      headers(made).CustomHeadersConfig = [item];
    },
  ],
  ["assets", "no behavior", (made) => config(made).CacheBehaviors.splice(0)],
  [
    "assets",
    "no sandbox",
    (made) => {
      config(made).CacheBehaviors[0].ResponseHeadersPolicyId = "DocumentHeaders";
    },
  ],
  [
    "assets",
    "not cached by viewers",
    (made) =>
      config(made).CacheBehaviors[0].FunctionAssociations.push(
        config(made).DefaultCacheBehavior.FunctionAssociations[1],
      ),
  ],
  ["error-404", "the response of S3", (made) => config(made).CustomErrorResponses.splice(0, 1)],
  [
    "error-403",
    "as 403",
    (made) => {
      config(made).CustomErrorResponses[1].ResponseCode = 403;
    },
  ],
  [
    "edge-function",
    "an older version",
    (made) => {
      made.EdgeFunction.Properties.FunctionCode += "// older";
    },
  ],
  [
    "edge-function",
    "not before assets",
    (made) => config(made).CacheBehaviors[0].FunctionAssociations.splice(0),
  ],
  [
    "response-function",
    "none",
    (made) => config(made).DefaultCacheBehavior.FunctionAssociations.splice(1),
  ],
  [
    "response-function",
    "an older version",
    (made) => {
      made.ResponseFunction.Properties.FunctionCode += "// older";
    },
  ],
  [
    "function-store",
    "another store",
    (made) => {
      made.EdgeFunction.Properties.FunctionConfig.KeyValueStoreAssociations[0].KeyValueStoreARN +=
        "X";
    },
  ],
  [
    "kvs",
    "it is not ready",
    (_, state) => {
      state.kvsStatus = "PROVISIONING";
    },
  ],
  ["kvs-pointers", "none", (_, { keys }) => keys.clear()],
  ["kvs-pointers", "an invalid one", (_, { keys }) => keys.set("p:site", "../x")],
  [
    "role-trust",
    "every branch",
    (made) => {
      trusted(made).Condition.StringEquals[SUB] = "repo:acme/content:*";
    },
  ],
  [
    "role-trust",
    "pull requests",
    (made) => {
      trusted(made).Condition.StringEquals[SUB] = "repo:acme/content:pull_request";
    },
  ],
  ["role-trust", "no sub", (made) => delete trusted(made).Condition.StringEquals[SUB]],
  [
    "role-trust",
    "any audience",
    (made) => {
      delete trusted(made).Condition.StringEquals["token.actions.githubusercontent.com:aud"];
    },
  ],
  [
    "role-trust",
    "an account",
    (made) => {
      trusted(made).Principal.AWS = "arn:aws:iam::123456789012:root";
    },
  ],
  ["role-actions", "all of S3", (made) => permitted(made)[1].Action.push("s3:*")],
  [
    "role-actions",
    "NotAction",
    (made) => {
      permitted(made).push({
        Effect: "Allow",
        NotAction: "iam:*",
        Resource: "arn:aws:s3:::bucket",
      });
    },
  ],
  [
    "role-resources",
    "everything",
    (made) => {
      permitted(made)[0].Resource = "*";
    },
  ],
  [
    "role-resources",
    "every bucket",
    (made) => {
      permitted(made)[1].Resource = "arn:aws:s3:::*/*";
    },
  ],
  ["role-attached", "a managed policy", (_, { attached }) => attached.push("AdministratorAccess")],
  ["role-enough", "no deletes", (made) => permitted(made)[1].Action.pop()],
];

describe("svc cdn doctor: a single fault", () => {
  it.each(BROKEN)("%s: %s", async (id, _, damage) => {
    const state = awsState();
    damage(state.resources, state);
    const found = await diagnosis(state, { hasUrl: false });
    expect(found.ok).toBe(false);
    expect(withStatus(found, "failed")).toContain(id);
    const { detail, hint } = found.checks.find((check) => check.id === id) ?? {};
    expect(detail).not.toBe("");
    expect(hint).toMatch(/\w+/);
  });

  const SITES: readonly [id: string, fault: SiteFault][] = [
    ["url-not-found", "no problem documents"],
    ["url-token", "serves published to a bad token"],
    ["url-token", "caches refusals"],
    ["url-method", "answers POST"],
    ["url-options", "no preflight"],
    ["url-headers", "no CORS"],
    ["url-document", "immutable"],
    ["url-document", "no ETag"],
    ["url-not-modified", "immutable when unchanged"],
    ["url-not-modified", "never unchanged"],
    ["url-compression", "not compressed"],
    ["url-hidden", "shows the bucket"],
    ["url-hidden", "shows releases"],
  ];

  it.each(SITES)("%s: the site %s", async (id, fault) => {
    const found = await diagnosis(awsState(), { fault });
    expect(withStatus(found, "failed")).toContain(id);
  });

  it("url-https: http is served, or --url is not an https address", async () => {
    const host = await served(publishedSite());
    for (const plainHost of [{ plainHost: host }, {}]) {
      const found = await diagnose({ prefix: "", host, ...plainHost }, awsClients(undefined));
      expect(withStatus(found, "failed")).toEqual(["url-https"]);
    }
  });

  it("every check has a test", async () => {
    const { checks } = await diagnose({ prefix: "" }, awsClients(undefined));
    const opened = ["bucket", "role", "url", "url-https"];
    const tested = new Set([...BROKEN, ...SITES].map(([id]) => id).concat(opened));
    expect(checks.map(({ id }) => id).filter((id) => !tested.has(id))).toEqual([]);
  });
});

describe("L9: svc cdn doctor: what cannot be checked", () => {
  it("is skipped when its argument is not given, with the name of the argument", async () => {
    const found = await diagnose({ prefix: "" }, awsClients(undefined));
    expect(found.ok).toBe(true);
    expect(found.checks.every(({ status }) => status === "skipped")).toBe(true);
    const reasons = new Set(found.checks.map(({ detail }) => detail));
    expect([...reasons].sort()).toEqual([
      ...["--distribution is not given", "--kvs is not given", "--role is not given"],
      ...["--url is not given", "the target s3://bucket is not given"],
    ]);
  });

  it("is skipped when AWS denies access, with the reason", async () => {
    const state = awsState();
    for (const name of ["policy", "GetRole", "/2020-05-31/cache-policy/CachePolicy/config"]) {
      state.denied.add(name);
    }
    const found = await diagnosis(state, { hasUrl: false });
    expect(withStatus(found, "failed")).toEqual([]);
    expect(withStatus(found, "skipped")).toEqual(
      expect.arrayContaining([
        "bucket-read",
        "bucket-closed",
        "cache-policy",
        "role",
        "role-trust",
      ]),
    );
    const policy = found.checks.find(({ id }) => id === "bucket-read");
    expect(policy?.detail).toMatch(/^not permitted: .*AccessDenied/);
  });

  it("fails when it does not exist, and the checks that need it are skipped", async () => {
    const setup = { bucket: "nowhere", prefix: "", distribution: "E999", role: "nobody" };
    const found = await diagnosis(awsState(), { setup, hasUrl: false });
    expect(withStatus(found, "failed")).toEqual(["bucket", "distribution", "role"]);
    expect(withStatus(found, "ok")).toEqual([]);
  });

  it("fails when the host does not respond", async () => {
    const host = "http://127.0.0.1:1";
    const found = await diagnose({ prefix: "", host, plainHost: host }, awsClients(undefined));
    expect(found.checks.find(({ id }) => id === "url")).toMatchObject({ status: "failed" });
    expect(withStatus(found, "ok")).toEqual([]);
  });
});
