import { bucketGroup } from "./bucket-group.ts";
import { type CheckResult, runGroup } from "./check.ts";
import { distributionGroup } from "./distribution-group.ts";
import type { AwsClients, DoctorSetup } from "./doctor-setup.ts";
import { kvsGroup, pointersOf } from "./kvs-group.ts";
import { roleGroup } from "./role-group.ts";
import { urlGroup } from "./url-group.ts";

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
