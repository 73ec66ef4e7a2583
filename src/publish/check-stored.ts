import { checkDraft } from "../documents/check-draft.ts";
import type { ServeOptions } from "../documents/serve-stale.ts";
import type { Problem } from "../workspace/problem.ts";
import type { WorkspaceRow } from "../workspace/workspace-row.ts";
import { cacheRendering, lastOutcome, openRendering } from "./open-rendering.ts";
import type { VersionStore } from "./version-store.ts";

export interface CheckStoredOptions extends ServeOptions {
  /** The fingerprint of the program; absent: the rendering cache is not used. */
  readonly program?: string | undefined;
  /** Whether it runs in a write transaction, so that the rendering can be cached. */
  readonly canWrite: boolean;
}

/** Every problem of a draft (P1). Call it in a transaction. */
export function checkStored(
  store: VersionStore,
  workspace: WorkspaceRow,
  { program, canWrite, ...options }: CheckStoredOptions,
): readonly Problem[] {
  const last = lastOutcome(store, workspace, program);
  if (last !== undefined) return last.problems;
  const rendering = openRendering(store, workspace, program, canWrite);
  const problems = checkDraft(rendering, options);
  if (canWrite) cacheRendering(store, workspace, program, rendering, { problems });
  return problems;
}
