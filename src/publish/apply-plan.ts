import { OutFolder } from "./out-folder.ts";
import type { PlannedFile } from "./plan-out.ts";
import type { OnProgress } from "./version-store.ts";

/** How many files of `out/` a plan touches, the manifest included. */
export interface FileCounts {
  readonly written: number;
  readonly unchanged: number;
  readonly removed: number;
}

export function countPlan(plan: readonly PlannedFile[]): FileCounts {
  const count = (action: PlannedFile["action"]) =>
    plan.filter((planned) => planned.action === action).length;
  return { written: count("write"), unchanged: count("unchanged"), removed: count("remove") };
}

/** F3: does what is planned, in order, each file replaced whole. */
export function applyPlan(
  plan: readonly PlannedFile[],
  out: string,
  onProgress: OnProgress,
): FileCounts {
  const folder = new OutFolder(out);
  for (const [index, planned] of plan.entries()) {
    if (planned.action === "write") folder.replace(planned.path, planned.bytes());
    else if (planned.action === "remove") folder.remove(planned.path);
    onProgress(index + 1, plan.length, "files written");
  }
  return countPlan(plan);
}
