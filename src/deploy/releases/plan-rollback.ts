import type { Work } from "../concurrent-work.ts";
import { refuseIncomplete } from "./deploy-release.ts";
import { findRelease, readRelease } from "./find-release.ts";
import type { LivePlan, Places } from "./plan-release.ts";
import { planFlip } from "./pointers.ts";

/**
 * Looks for the release to go back to, and checks that all of it is there.
 *
 * @param asked as `findRelease` takes it.
 * @throws SvcError what `findRelease` throws, `release-incomplete`, `release-differs`.
 */
export async function planRollback(
  places: Places,
  work: Work,
  asked: Parameters<typeof findRelease>[2],
): Promise<LivePlan> {
  const { release: name } = await findRelease(places, work, asked);
  const release = await readRelease(places.objects, name);
  await refuseIncomplete(places.objects, release, work);
  const pointers = await places.pointers.read();
  return { releases: [release], pointers, flip: planFlip(pointers, [release]) };
}
