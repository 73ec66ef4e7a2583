import { setTimeout as sleep } from "node:timers/promises";
import type { TestBucket } from "./s3-test-bucket.ts";

const MANIFEST = ".svc-deploy.json";

/** The manifest of a bucket that is deployed to in place. */
// biome-ignore lint/suspicious/noExplicitAny: tests access it without types
export async function manifestOf(bucket: TestBucket): Promise<any> {
  return JSON.parse((await bucket.object(MANIFEST)).text);
}

/** Changes the lease in the manifest; adds one of a process of another machine if it has none. */
export async function writeLease(bucket: TestBucket, changes: object): Promise<void> {
  const manifest = await manifestOf(bucket);
  const { claim = ELSEWHERE } = manifest;
  await bucket.put(MANIFEST, JSON.stringify({ ...manifest, claim: { ...claim, ...changes } }));
}

/** A process of another machine. */
export const OTHER_PROCESS = { host: "ci-7", pid: 12, place: "another-boot pid:[1]" };

const ELSEWHERE = {
  deploy: "00000000-0000-4000-8000-000000000000",
  by: OTHER_PROCESS,
  beat: 0,
  isStopped: false,
  workspaces: ["w"],
  touches: [],
};

/** Writes heartbeats of a lease until the signal is aborted, more often than a deploy would. */
export async function keepHeartbeat(bucket: TestBucket, signal: AbortSignal): Promise<void> {
  for (let beat = 1; !signal.aborted; beat += 1) {
    await writeLease(bucket, { beat });
    await sleep(2_000, undefined, { signal }).catch(() => {});
  }
}
