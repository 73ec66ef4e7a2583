import { publish } from "../../../src/publish/publish.ts";
import { SvcError } from "../../../src/workspace/errors.ts";
import type { Problem } from "../../../src/workspace/problem.ts";
import type { TestBed } from "../test-bed.ts";
import { inStore } from "./draft-source.ts";

/** The result of a publish or a check, and how many entries it rendered. */
export interface Outcome {
  readonly versionId?: string;
  /** Of the error. */
  readonly code?: string;
  readonly problems: readonly Problem[] | undefined;
  readonly rendered: number;
}

/** Publishes the workspace `w`. Undefined: without a fingerprint of the program. */
export function published(
  { store, out }: Pick<TestBed, "store" | "out">,
  program?: string,
): Outcome {
  return counted((onProgress) => {
    const how = { strict: false, now: new Date(), onProgress, program };
    const { versionId, problems } = publish(inStore(store, "w"), out, how);
    return { versionId, problems };
  });
}

/** Checks the workspace `w` as `svc check` does. */
export function checked({ store }: Pick<TestBed, "store">, program?: string): Outcome {
  return counted((onProgress) => ({
    problems: inStore(store, "w").check({ at: Date.now(), program, onProgress }),
  }));
}

type OnProgress = (done: number, total: number, what: string) => void;

function counted(work: (onProgress: OnProgress) => Omit<Outcome, "rendered">): Outcome {
  let rendered = 0;
  const onProgress: OnProgress = (done, _total, what) => {
    if (what === "entries rendered") rendered = done;
  };
  try {
    return { ...work(onProgress), rendered };
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    return { code: error.code, problems: draftProblems(error), rendered };
  }
}

/** The problems for which a draft was refused; undefined for another refusal. */
export function draftProblems({ problems }: SvcError): readonly Problem[] | undefined {
  return problems?.kind === "draft" ? problems.list : undefined;
}
