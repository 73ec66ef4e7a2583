import {
  GetBucketOwnershipControlsCommand,
  GetBucketPolicyCommand,
  GetPublicAccessBlockCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import { type Statement, statementsOf } from "../cloudformation/policy-document.ts";
import { ERROR_DOCUMENTS } from "../cloudformation/template-distribution.ts";
import { servedKeys } from "../cloudformation/template-storage.ts";
import { type Check, type CheckGroup, type CheckOutcome, failed, ok, verdict } from "./check.ts";
import type { DoctorSetup } from "./doctor-setup.ts";
import { once } from "./once.ts";

interface BucketSource {
  readonly s3: S3Client;
  readonly bucket: string;
  readonly prefix: string;
  /** Whether the bucket has releases (true), is deployed in place (false), or may be either. */
  readonly modes: readonly boolean[];
  readonly distribution: string | undefined;
  readonly policy: () => Promise<readonly Statement[]>;
}

const SEE_TEMPLATE = "see the bucket policy of svc cdn template";

/** Checks that the bucket is private, and that the distribution can read it. */
export function bucketGroup(s3: S3Client, setup: DoctorSetup): CheckGroup<BucketSource> {
  const { bucket = "", prefix, distribution } = setup;
  return {
    id: "bucket",
    title: "the bucket exists",
    missing: setup.bucket === undefined ? "the target s3://bucket" : undefined,
    open: async () => {
      await s3.send(new HeadBucketCommand({ Bucket: bucket }));
      const policy = once(() => bucketPolicy(s3, bucket));
      const modes = setup.kvs === undefined ? [true, false] : [true];
      return { source: { s3, bucket, prefix, modes, distribution, policy }, outcome: ok(bucket) };
    },
    checks: [PRIVATE, OWNERSHIP, READS, ONLY, LISTS, CLOSED, TLS, ERRORS],
  };
}

const PRIVATE: Check<BucketSource> = {
  id: "bucket-private",
  title: "all four settings of Block Public Access are on",
  async run({ s3, bucket }) {
    const found = await unlessAbsent("NoSuchPublicAccessBlockConfiguration", () =>
      s3.send(new GetPublicAccessBlockCommand({ Bucket: bucket })),
    );
    const block = found?.PublicAccessBlockConfiguration;
    const settings = [
      ...(["BlockPublicAcls", "BlockPublicPolicy"] as const),
      ...(["IgnorePublicAcls", "RestrictPublicBuckets"] as const),
    ];
    const off = settings.filter((name) => block?.[name] !== true).map((name) => `${name} is off`);
    return verdict(off, "all on", "turn on all settings of Block Public Access for this bucket");
  },
};

const OWNERSHIP: Check<BucketSource> = {
  id: "bucket-ownership",
  title: "ACLs of the bucket are disabled",
  async run({ s3, bucket }) {
    const found = await unlessAbsent("OwnershipControlsNotFoundError", () =>
      s3.send(new GetBucketOwnershipControlsCommand({ Bucket: bucket })),
    );
    const [rule] = found?.OwnershipControls?.Rules ?? [];
    const ownership = rule?.ObjectOwnership ?? "not set";
    const faults = ownership === "BucketOwnerEnforced" ? [] : [`object ownership is ${ownership}`];
    return verdict(faults, ownership, "set object ownership to BucketOwnerEnforced");
  },
};

const READS: Check<BucketSource> = {
  id: "bucket-read",
  title: "the distribution may read the objects",
  async run(source) {
    const found = source.modes.map((kvs) =>
      checkGrants(source, "s3:GetObject", readNames(source, kvs)),
    );
    const outcomes = await Promise.all(found);
    return outcomes.find(({ status }) => status === "ok") ?? (outcomes[0] as CheckOutcome);
  },
};

const LISTS: Check<BucketSource> = {
  id: "bucket-list",
  title: "the distribution may list the bucket, so that a missing object is a 404",
  async run(source) {
    return checkGrants(source, "s3:ListBucket", [source.bucket]);
  },
};

const ONLY: Check<BucketSource> = {
  id: "bucket-only",
  title: "the distribution may read nothing but what is served",
  async run(source) {
    const served = source.modes.flatMap((kvs) => readNames(source, kvs));
    const wide = (await source.policy())
      .filter((one) => isForCloudFront(one) && one.actions.includes("s3:GetObject"))
      .flatMap(({ resources }) => resources.map(nameOf))
      .filter((resource) => !served.some((name) => covers(name, resource)));
    const faults = wide.map((resource) => `it may read ${resource}`);
    return verdict(faults, "nothing else", `print and deploy the template again: ${SEE_TEMPLATE}`);
  },
};

/** The names of the objects that must be readable, `bucket/key`; a final `*` stands for any rest. */
function readNames({ bucket, prefix }: BucketSource, kvs: boolean): string[] {
  return servedKeys({ kvs }).map((key) => [bucket, prefix, key].filter(Boolean).join("/"));
}

function nameOf(arn: string): string {
  return arn.replace(/^arn:[^:]*:s3:::/, "");
}

function covers(granted: string, name: string): boolean {
  return granted.endsWith("*") ? name.startsWith(granted.slice(0, -1)) : granted === name;
}

/** Whether CloudFront has the action on each of these resources. */
async function checkGrants(source: BucketSource, action: string, names: readonly string[]) {
  const outcomes = await Promise.all(names.map((name) => checkGrant(source, action, name)));
  return outcomes.find(({ status }) => status !== "ok") ?? (outcomes[0] as CheckOutcome);
}

async function checkGrant(
  source: BucketSource,
  action: string,
  name: string,
): Promise<CheckOutcome> {
  const statements = (await source.policy()).filter(isForCloudFront);
  const granted = statements.filter(
    ({ actions, resources }) =>
      actions.includes(action) && resources.some((resource) => covers(nameOf(resource), name)),
  );
  const { distribution } = source;
  const isThis = (arn: string) =>
    distribution === undefined
      ? /:distribution\/[A-Z0-9]+$/.test(arn)
      : arn.endsWith(`:distribution/${distribution}`);
  if (granted.some((statement) => sourceArns(statement).some(isThis))) return ok(action);
  const detail =
    granted.length > 0
      ? `the bucket policy grants ${action} on ${name} to another distribution, or to any`
      : `the bucket policy does not grant ${action} on ${name} to CloudFront`;
  return failed(detail, `grant it with AWS:SourceArn of this distribution: ${SEE_TEMPLATE}`);
}

const CLOSED: Check<BucketSource> = {
  id: "bucket-closed",
  title: "the bucket policy grants access to one distribution only",
  async run({ policy }) {
    const open = (await policy()).filter((statement) => {
      const { allows, principals, isInverted } = statement;
      if (!allows) return false;
      const isPublic = (principals.AWS ?? []).includes("*") || isInverted;
      return isPublic || (isForCloudFront(statement) && sourceArns(statement).length === 0);
    });
    const faults = open.map(({ actions }) => `anyone may ${actions.join(", ")}`);
    return verdict(faults, "no other grants", `remove that statement: ${SEE_TEMPLATE}`);
  },
};

const TLS: Check<BucketSource> = {
  id: "bucket-tls",
  title: "the bucket refuses requests without TLS",
  async run({ policy, bucket }) {
    const refuses = (await policy()).some(
      ({ allows, principals, actions, resources, conditions }) =>
        !allows &&
        (principals.AWS ?? []).includes("*") &&
        actions.includes("s3:*") &&
        resources.some((resource) => resource.endsWith(`:::${bucket}/*`)) &&
        conditions.get("bool aws:securetransport")?.[0] === "false",
    );
    const faults = refuses ? [] : ["no statement denies aws:SecureTransport false"];
    return verdict(faults, "denied", `add the statement: ${SEE_TEMPLATE}`);
  },
};

const ERRORS: Check<BucketSource> = {
  id: "bucket-errors",
  title: "the bucket has both problem documents",
  async run({ s3, bucket, prefix }) {
    const faults: string[] = [];
    for (const { path } of ERROR_DOCUMENTS) {
      const Key = `${prefix}${path}`.replace(/^\//, "");
      const found = await unlessAbsent("NotFound", () =>
        s3.send(new HeadObjectCommand({ Bucket: bucket, Key })),
      );
      if (found === undefined) faults.push(`${Key} is missing`);
    }
    return verdict(faults, "both exist", "run svc deploy, which uploads them");
  },
};

function isForCloudFront({ allows, principals }: Statement): boolean {
  return allows && (principals.Service ?? []).includes("cloudfront.amazonaws.com");
}

function sourceArns({ conditions }: Statement): readonly string[] {
  const operators = ["stringequals", "arnequals", "arnlike", "stringlike"];
  return operators.flatMap((operator) => conditions.get(`${operator} aws:sourcearn`) ?? []);
}

async function bucketPolicy(s3: S3Client, bucket: string): Promise<Statement[]> {
  const found = await unlessAbsent("NoSuchBucketPolicy", () =>
    s3.send(new GetBucketPolicyCommand({ Bucket: bucket })),
  );
  return found?.Policy === undefined ? [] : statementsOf(found.Policy);
}

/** The result of a request; undefined when it fails with an error of this name. */
async function unlessAbsent<T>(
  errorName: string,
  request: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await request();
  } catch (error) {
    if (error instanceof Error && error.name === errorName) return undefined;
    throw error;
  }
}
