import { bucketGroup } from "./doctor-bucket.ts";
import { type CheckResult, runGroup } from "./doctor-check.ts";
import { distributionGroup } from "./doctor-distribution.ts";
import { kvsGroup, pointersOf } from "./doctor-kvs.ts";
import { roleGroup } from "./doctor-role.ts";
import type { AwsClients, DoctorSetup } from "./doctor-setup.ts";
import { urlGroup } from "./doctor-url.ts";

/** `ok` when no check failed; skipped checks do not count. */
export interface Diagnosis {
  readonly ok: boolean;
  readonly checks: readonly CheckResult[];
}

/** Checks a live set-up without changing it. Returns all checks, in a fixed order. */
export async function diagnose(setup: DoctorSetup, clients: AwsClients): Promise<Diagnosis> {
  const pointers = pointersOf(clients.keyValues, setup.kvs ?? "");
  const results = await Promise.all([
    runGroup(bucketGroup(clients.s3, setup)),
    runGroup(distributionGroup(clients.cloudFront, setup)),
    runGroup(kvsGroup(clients.keyValues, setup, pointers)),
    runGroup(urlGroup(setup, pointers)),
    runGroup(roleGroup(clients.iam, setup)),
  ]);
  const checks = results.flat();
  return { ok: checks.every(({ status }) => status !== "failed"), checks };
}
