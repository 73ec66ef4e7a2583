import { setTimeout as sleep } from "node:timers/promises";
import type { TestBucket } from "./s3-test-bucket.ts";

const MANIFEST = ".svc-deploy.json";

/** What a bucket's manifest says. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into it freely
export async function manifestOf(bucket: TestBucket): Promise<any> {
  return JSON.parse((await bucket.object(MANIFEST)).text);
}

/** Changes the claim in the manifest; a claim of a process elsewhere is added where none is. */
export async function writeClaim(bucket: TestBucket, changes: object): Promise<void> {
  const manifest = await manifestOf(bucket);
  const { claim = ELSEWHERE } = manifest;
  await bucket.put(MANIFEST, JSON.stringify({ ...manifest, claim: { ...claim, ...changes } }));
}

/** A process of which nothing can be known here. */
export const OTHER_PROCESS = { host: "ci-7", pid: 12, place: "another-boot pid:[1]" };

const ELSEWHERE = {
  deploy: "00000000-0000-4000-8000-000000000000",
  by: OTHER_PROCESS,
  beat: 0,
  isStopped: false,
  workspaces: ["w"],
  touches: [],
};

/** Lets a claim beat until the signal ends that, more often than a deploy would. */
export async function beatOn(bucket: TestBucket, signal: AbortSignal): Promise<void> {
  for (let beat = 1; !signal.aborted; beat += 1) {
    await writeClaim(bucket, { beat });
    await sleep(2_000, undefined, { signal }).catch(() => {});
  }
}
