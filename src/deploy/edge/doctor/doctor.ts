import { bucketGroup } from "./doctor-bucket.ts";
import { type CheckGroup, type CheckResult, runGroup } from "./doctor-check.ts";
import { distributionGroup } from "./doctor-distribution.ts";
import { kvsGroup, pointersOf } from "./doctor-kvs.ts";
import { roleGroup } from "./doctor-role.ts";
import type { AwsClients, DoctorSetup } from "./doctor-setup.ts";
import { urlGroup } from "./doctor-url.ts";

/** `ok` while no check failed: one that was skipped says nothing either way. */
export interface Diagnosis {
  readonly ok: boolean;
  readonly checks: readonly CheckResult[];
}

/** Looks at a live set-up, changing nothing. The checks come in a fixed order, all of them. */
export async function diagnose(setup: DoctorSetup, clients: AwsClients): Promise<Diagnosis> {
  const pointers = pointersOf(clients.keyValues, setup.kvs ?? "");
  const run = <Source>(group: CheckGroup<Source>) => runGroup(group);
  const results = await Promise.all([
    run(bucketGroup(clients.s3, setup)),
    run(distributionGroup(clients.cloudFront, setup)),
    run(kvsGroup(clients.keyValues, setup, pointers)),
    run(urlGroup(setup, pointers)),
    run(roleGroup(clients.iam, setup)),
  ]);
  const checks = results.flat();
  return { ok: checks.every(({ status }) => status !== "failed"), checks };
}
