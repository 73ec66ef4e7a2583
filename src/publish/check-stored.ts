import { checkDraft } from "../documents/check-draft.ts";
import { leftOutOf } from "../documents/hidden-entries.ts";
import type { ServeOptions } from "../documents/serve-stale.ts";
import type { Problem } from "../workspace/problem.ts";
import type { WorkspaceRow } from "../workspace/workspace-row.ts";
import { cacheRendering, lastOutcome, openRendering, type RenderingHow } from "./open-rendering.ts";
import type { VersionStore } from "./version-store.ts";

export interface CheckStoredOptions extends ServeOptions, RenderingHow {
  /** Whether it runs in a write transaction, so that the rendering can be cached. */
  readonly canWrite: boolean;
}

/** Every problem of a draft (P1). Call it in a transaction. */
export function checkStored(
  store: VersionStore,
  workspace: WorkspaceRow,
  { canWrite, ...options }: CheckStoredOptions,
): readonly Problem[] {
  const last = lastOutcome(store, workspace, options);
  if (last !== undefined) return last.problems;
  const rendering = openRendering(store, workspace, options, canWrite);
  const problems = checkDraft(rendering, options);
  const outcome = { problems, leftOut: leftOutOf(rendering.table.hidden) };
  if (canWrite) cacheRendering(store, workspace, options, rendering, outcome);
  return problems;
}
