import { type Command, InvalidArgumentError, Option } from "commander";
import { openCdn } from "../../../deploy/aws/cloudfront-cdn.ts";
import { openKeyValueStore } from "../../../deploy/aws/cloudfront-key-value-store.ts";
import { openObjectStore } from "../../../deploy/aws/s3-object-store.ts";
import type { Work } from "../../../deploy/concurrent-work.ts";
import { KVS_ARN } from "../../../deploy/key-value-store.ts";
import type { Places } from "../../../deploy/releases/plan-release.ts";
import { parseTarget } from "../../../deploy/target.ts";
import { SvcError, UsageError } from "../../../workspace/errors.ts";
import type { SharedOptions } from "../../command.ts";
import type { Output } from "../../output/output.ts";
import { stopSignal } from "../../stop-signal.ts";

/** The options of everything that goes to a bucket. */
export interface BucketOptions extends SharedOptions {
  readonly kvs?: string;
  readonly endpoint?: string;
  readonly concurrency: number;
  readonly workspace?: string;
}

export function kvsOption(): Option {
  return new Option("--kvs <arn>", "the CloudFront KeyValueStore that says what is live")
    .env("SVC_DEPLOY_KVS")
    .argParser(toKvs);
}

function toKvs(text: string): string {
  if (KVS_ARN.test(text)) return text;
  throw new InvalidArgumentError("it reads arn:aws:cloudfront::<12 digits>:key-value-store/<id>");
}

export function endpointOption(): Option {
  return new Option("--endpoint <url>", "an S3-compatible store that is not AWS's own")
    .env("SVC_DEPLOY_ENDPOINT")
    .argParser(toEndpoint);
}

/** The target that is given, or set for the deploys of a project. */
export function targetText(given: string | undefined): string | undefined {
  return given ?? (process.env.SVC_DEPLOY_TARGET || undefined);
}

/** Adds the options of a bucket. */
export function withBucket(given: Command): Command {
  return given
    .addOption(kvsOption())
    .addOption(endpointOption())
    .option("--concurrency <n>", "requests under way at once", toCount, 16)
    .option("--workspace <id>", "one workspace; else every one of the folder or bucket");
}

function toEndpoint(text: string): string {
  if (/^https?:$/.test(URL.canParse(text) ? new URL(text).protocol : "")) return text;
  throw new InvalidArgumentError("an endpoint begins with http:// or https://");
}

/** A positive whole number. */
export function toCount(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("a positive whole number is expected");
}

/** Milliseconds that a request which is under way has to end after Ctrl-C. */
const GRACE = 4_000;
/** The same for the claim, which is marked as stopped when all others have ended. */
const LAST_WORDS = 5_000;

/** What a command works with. */
export interface Bucket {
  readonly target: ReturnType<typeof parseTarget>;
  readonly objects: Places["objects"];
  /** The same bucket, for the claim of a deploy in place. */
  readonly claims: Places["objects"];
  readonly work: Work;
  /** Of the requests themselves, which may end in their own time after Ctrl-C. */
  readonly signal: AbortSignal;
}

/**
 * Opens the bucket that a target names. Ctrl-C lets what is under way end, and nothing new begin.
 *
 * @throws UsageError for no target, or none that can be.
 */
export function openBucket(
  given: string | undefined,
  options: BucketOptions,
  output: Output,
): Bucket {
  const text = targetText(given);
  if (text === undefined) {
    throw new UsageError(
      "a target is missing",
      "name it, as s3://bucket, or set SVC_DEPLOY_TARGET",
    );
  }
  const target = parseTarget(text);
  const [soft, hard] = [new AbortController(), new AbortController()];
  const last = new AbortController();
  void stopSignal().then(() => {
    const reason = new SvcError("stopped", "stopped before it was done", {
      hint: "run the same command again: it goes on from here",
    });
    soft.abort(reason);
    setTimeout(() => hard.abort(reason), GRACE).unref();
    setTimeout(() => last.abort(reason), LAST_WORDS).unref();
  });
  const { concurrency, endpoint } = options;
  const { signal } = hard;
  const store = { concurrency, signal, ...(endpoint && { endpoint }) };
  const objects = openObjectStore(target, store);
  const claims = openObjectStore(target, { ...store, signal: last.signal });
  const work = { concurrency, signal: soft.signal, onProgress: output.progress };
  return { target, objects, claims, work, signal };
}

/** The bucket with the pointers that say what is live in it. */
export function placesOf({ objects, signal }: Bucket, { kvs }: BucketOptions): Places {
  if (kvs !== undefined) return { objects, pointers: openKeyValueStore(kvs, { signal }) };
  throw new UsageError(
    "--kvs is missing",
    "only releases can be listed, rolled back and pruned: --kvs <arn> says where their pointers are; " +
      "without it, svc rollback and svc deploy bring an earlier version back",
  );
}

/** The CDN of the account. */
export function cdnOf({ signal }: Bucket) {
  return openCdn({ signal });
}

/**
 * A target and a release, either of which may be left out.
 *
 * @throws UsageError for a release that is empty, and for one too many.
 */
export function targetAndRelease(
  args: readonly (string | undefined)[],
): [target: string | undefined, release: string | undefined] {
  const given = args.filter((text) => text !== undefined);
  const targets = given.filter((text) => text.startsWith("s3:"));
  const releases = given.filter((text) => !text.startsWith("s3:"));
  if (targets.length > 1 || releases.length > 1 || releases[0] === "") {
    throw new UsageError(
      "one target and one release at most are expected",
      "svc deploy list shows the releases",
    );
  }
  return [targets[0], releases[0]];
}

/** What stands before the name of a subcommand would be lost without a word. */
export function refuseOptionsBefore(parent: Command, subcommand: Command): void {
  const given = parent.options.find(
    (option) => parent.getOptionValueSource(option.attributeName()) === "cli",
  );
  if (given === undefined) return;
  throw new UsageError(
    `${given.long} stands before "${subcommand.name()}"`,
    `options stand behind it: svc ${parent.name()} ${subcommand.name()} … ${given.long}`,
  );
}
