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
import { type Check, type CheckGroup, failed, ok, verdict } from "./doctor-check.ts";
import type { DoctorSetup } from "./doctor-setup.ts";

interface BucketSource {
  readonly s3: S3Client;
  readonly bucket: string;
  readonly prefix: string;
  readonly distribution: string | undefined;
  readonly policy: () => Promise<readonly Statement[]>;
}

const AS_TEMPLATE = "set it as svc cdn template has it";

/** That the bucket is private, and read by the distribution. */
export function bucketGroup(s3: S3Client, setup: DoctorSetup): CheckGroup<BucketSource> {
  const { bucket = "", prefix, distribution } = setup;
  return {
    id: "bucket",
    title: "the bucket is there",
    missing: setup.bucket === undefined ? "the target s3://bucket" : undefined,
    open: async () => {
      await s3.send(new HeadBucketCommand({ Bucket: bucket }));
      const policy = once(() => bucketPolicy(s3, bucket));
      return { source: { s3, bucket, prefix, distribution, policy }, finding: ok(bucket) };
    },
    checks: [PRIVATE, OWNERSHIP, READS, LISTS, CLOSED, TLS, ERRORS],
  };
}

const PRIVATE: Check<BucketSource> = {
  id: "bucket-private",
  title: "public access to the bucket is blocked in all four ways",
  async run({ s3, bucket }) {
    const found = await unlessAbsent("NoSuchPublicAccessBlockConfiguration", () =>
      s3.send(new GetPublicAccessBlockCommand({ Bucket: bucket })),
    );
    const block = found?.PublicAccessBlockConfiguration;
    const ways = [
      ...(["BlockPublicAcls", "BlockPublicPolicy"] as const),
      ...(["IgnorePublicAcls", "RestrictPublicBuckets"] as const),
    ];
    const off = ways.filter((way) => block?.[way] !== true).map((way) => `${way} is off`);
    return verdict(off, "all on", "turn on all of Block public access for this bucket");
  },
};

const OWNERSHIP: Check<BucketSource> = {
  id: "bucket-ownership",
  title: "ACLs of the bucket count for nothing",
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
    return given(source, "s3:GetObject", [
      `${source.bucket}/*`,
      ...(source.prefix ? [`${source.bucket}/${source.prefix}/*`] : []),
    ]);
  },
};

const LISTS: Check<BucketSource> = {
  id: "bucket-list",
  title: "the distribution may list the bucket, so that a missing object is a 404",
  async run(source) {
    return given(source, "s3:ListBucket", [source.bucket]);
  },
};

async function given(source: BucketSource, action: string, names: readonly string[]) {
  const statements = (await source.policy()).filter(isForCloudFront);
  const granted = statements.filter(
    ({ actions, resources }) =>
      actions.includes(action) &&
      resources.some((resource) => names.includes(resource.replace(/^arn:[^:]*:s3:::/, ""))),
  );
  const { distribution } = source;
  const isThis = (arn: string) =>
    distribution === undefined
      ? /:distribution\/[A-Z0-9]+$/.test(arn)
      : arn.endsWith(`:distribution/${distribution}`);
  if (granted.some((statement) => sourceArns(statement).some(isThis))) return ok(action);
  const what = granted.length > 0 ? "to another distribution, or to any" : "to CloudFront";
  const detail =
    granted.length > 0
      ? `the bucket policy gives ${action} ${what}`
      : `the bucket policy does not give ${action} ${what}`;
  return failed(detail, `give it with AWS:SourceArn of this distribution: ${AS_TEMPLATE}`);
}

const CLOSED: Check<BucketSource> = {
  id: "bucket-closed",
  title: "the bucket policy lets nobody in but one distribution",
  async run({ policy }) {
    const open = (await policy()).filter((statement) => {
      const { allows, principals, isInverted } = statement;
      if (!allows) return false;
      const anybody = (principals.AWS ?? []).includes("*") || isInverted;
      return anybody || (isForCloudFront(statement) && sourceArns(statement).length === 0);
    });
    const faults = open.map(({ actions }) => `anybody is given ${actions.join(", ")}`);
    return verdict(faults, "closed", `remove that statement: ${AS_TEMPLATE}`);
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
    return verdict(faults, "denied", `add the statement: ${AS_TEMPLATE}`);
  },
};

const ERRORS: Check<BucketSource> = {
  id: "bucket-errors",
  title: "the bucket holds the two problem documents",
  async run({ s3, bucket, prefix }) {
    const faults: string[] = [];
    for (const { path } of ERROR_DOCUMENTS) {
      const Key = `${prefix}${path}`.replace(/^\//, "");
      const found = await unlessAbsent("NotFound", () =>
        s3.send(new HeadObjectCommand({ Bucket: bucket, Key })),
      );
      if (found === undefined) faults.push(`${Key} is missing`);
    }
    return verdict(faults, "both are there", "run svc deploy, which puts them there");
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

/** What is asked for; undefined when S3 answers by this name that it is not there. */
async function unlessAbsent<T>(name: string, ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof Error && error.name === name) return undefined;
    throw error;
  }
}

/** Asks at most once. */
export function once<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined;
  return () => {
    answer ??= ask();
    return answer;
  };
}
