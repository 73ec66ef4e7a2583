import type { FileCounts } from "./apply-plan.ts";
import type { Frozen } from "./freeze-version.ts";
import type { VersionStore } from "./version-store.ts";

export interface Published extends Frozen {
  readonly workspaceId: string;
  readonly files: FileCounts;
}

/** R2: a temporary store has no earlier version, so `out` decides. */
export function isPublished(
  { isTemporary }: VersionStore,
  { published, versionId }: Frozen,
  replaced: string | undefined,
): boolean {
  return isTemporary ? versionId !== replaced : published;
}
