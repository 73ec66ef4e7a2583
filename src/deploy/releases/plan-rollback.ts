import type { Work } from "../concurrent-work.ts";
import { assertComplete } from "./deploy-release.ts";
import { findRelease, readRelease } from "./find-release.ts";
import type { LivePlan, ReleaseStores } from "./plan-release.ts";
import { planPointerUpdate } from "./pointers.ts";

/**
 * Finds the release to go back to, and checks that it is complete.
 *
 * @throws SvcError what `findRelease` throws, `release-incomplete`, `release-differs`.
 */
export async function planRollback(
  stores: ReleaseStores,
  work: Work,
  wanted: Parameters<typeof findRelease>[2],
): Promise<LivePlan> {
  const { release: name } = await findRelease(stores, work, wanted);
  const release = await readRelease(stores.objects, name);
  await assertComplete(stores.objects, release, work);
  const pointers = await stores.pointers.read();
  return { releases: [release], pointers, pointerUpdate: planPointerUpdate(pointers, [release]) };
}
