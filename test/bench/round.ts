import { rmSync } from "node:fs";
import { join } from "node:path";
import { measureEleventy } from "./eleventy.ts";
import type { Measured } from "./measure.ts";
import { Trial } from "./trial.ts";

/** The edits after which a store is published again. */
const EDITS = ["title", "hub", "add", "field", "block"] as const;

export type Step =
  | ("barePublish" | "eleventy" | "publishFolder" | "checkFolder")
  | ("import" | "importAgain" | "publish" | "publishAgain" | "check" | "checkAgain" | "diff")
  | (typeof EDITS)[number];

/** One measurement of everything. */
export interface Round {
  readonly steps: Readonly<Partial<Record<Step, Measured>>>;
  /** Sizes of the store, in bytes. */
  readonly imported: number;
  readonly published: number;
}

export interface RoundOptions {
  readonly eleventy?: string | undefined;
  /** Only what needs little memory and no edit. */
  readonly isShort: boolean;
}

/** Measures everything once, starting with nothing published. */
export function measureRound(
  workspace: string,
  folder: string,
  { eleventy, isShort }: RoundOptions,
): Round {
  const trial = new Trial(workspace, folder);
  const { store } = trial;
  const bareOut = join(folder, "bare-out");
  const steps: Partial<Record<Step, Measured>> = {};
  try {
    steps.publishFolder = trial.ofFolder("publish");
    steps.checkFolder = trial.ofFolder("check");
    steps.import = trial.import();
    const imported = trial.size;
    steps.importAgain = trial.import();
    if (!isShort) {
      steps.barePublish = trial.script("bare-publish.ts", store, bareOut);
      rmSync(bareOut, { recursive: true });
      if (eleventy !== undefined) {
        const paths = { store, out: bareOut, compiled: join(folder, "../compiled") };
        steps.eleventy = measureEleventy(eleventy, paths);
        rmSync(bareOut, { recursive: true });
      }
    }
    [steps.check, steps.checkAgain] = trial.onCopy("check", "check");
    steps.publish = trial.publish();
    const published = trial.size;
    steps.publishAgain = trial.publish();
    if (isShort) return { steps, imported, published };
    for (const edit of EDITS) {
      trial.edit(edit);
      if (edit === "title") [steps.diff] = trial.onCopy("diff");
      steps[edit] = trial.publish();
    }
    return { steps, imported, published };
  } finally {
    trial.remove();
  }
}
