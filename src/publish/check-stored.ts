import { checkDraft } from "../documents/check-draft.ts";
import type { ServeOptions } from "../documents/serve-stale.ts";
import type { Problem } from "../workspace/problem.ts";
import type { WorkspaceRow } from "../workspace/workspace-row.ts";
import { keepRendering, lastOutcome, openRendering } from "./open-rendering.ts";
import type { VersionStore } from "./version-store.ts";

export interface CheckStoredOptions extends ServeOptions {
  readonly program: string;
  /** Whether what was rendered is kept for the next time: within a write transaction only. */
  readonly isKept: boolean;
}

/** Every problem of a draft of the store (P1). Call it in one transaction. */
export function checkStored(
  store: VersionStore,
  workspace: WorkspaceRow,
  { program, isKept, ...options }: CheckStoredOptions,
): readonly Problem[] {
  const last = lastOutcome(store, workspace, program);
  if (last !== undefined) return last.problems;
  const rendering = openRendering(store, workspace, program, isKept);
  const problems = checkDraft(rendering, options);
  if (isKept) keepRendering(store, workspace, program, rendering, { problems });
  return problems;
}
