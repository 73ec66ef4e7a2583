import { checkStored } from "../../../src/publish/check-stored.ts";
import { publish } from "../../../src/publish/publish.ts";
import { SvcError } from "../../../src/workspace/errors.ts";
import type { Problem } from "../../../src/workspace/problem.ts";
import type { TestBed } from "../test-bed.ts";

/** The result of a publish or a check, and how many entries it rendered. */
export interface Outcome {
  readonly versionId?: string;
  /** Of the error. */
  readonly code?: string;
  readonly problems: readonly Problem[] | undefined;
  readonly served: number;
}

/** Publishes the workspace `w`. Null: without a fingerprint of the program. */
export function published(
  { store, out }: Pick<TestBed, "store" | "out">,
  program: string | null = "p",
): Outcome {
  return counted((onProgress) => {
    const how = { strict: false, now: new Date(), onProgress, ...(program && { program }) };
    const { versionId, problems } = publish(store, store.workspace("w"), out, how);
    return { versionId, problems };
  });
}

/** Checks the workspace `w` as `svc check` does. */
export function checked({ store }: TestBed): Outcome {
  return counted((onProgress) => {
    const how = { program: "p", canWrite: true, onProgress };
    const problems = store.write(() => checkStored(store, store.workspace("w"), how));
    return { problems };
  });
}

type OnProgress = (done: number, total: number, what: string) => void;

function counted(work: (onProgress: OnProgress) => Omit<Outcome, "served">): Outcome {
  let served = 0;
  const onProgress: OnProgress = (_done, total, what) => {
    if (what === "entries served") served = total;
  };
  try {
    return { ...work(onProgress), served };
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    return { code: error.code, problems: error.problems as readonly Problem[], served };
  }
}
