import { cpSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { measureEleventy } from "./eleventy.ts";
import type { Measured } from "./measure.ts";
import { Trial } from "./trial.ts";

/** The edits after which a publish is compared with rewriting all files. */
const SMALL_EDITS = ["title", "link", "add", "remove", "asset", "hub"] as const;
const LARGE_EDITS = ["field", "block"] as const;

export type Step =
  | ("bareImport" | "import" | "importAgain" | "barePublish" | "eleventy" | "bareRewrite")
  | ("publish" | "publishAgain" | "check" | "checkAgain" | "diff")
  | ((typeof SMALL_EDITS)[number] | (typeof LARGE_EDITS)[number]);

/** One measurement of everything. */
export interface Round {
  readonly steps: Readonly<Partial<Record<Step, Measured>>>;
  /** Sizes of the bare loop's database and of the store, in bytes. */
  readonly bare: number;
  readonly imported: number;
  readonly published: number;
  /** Before and after publishing the hub's title. */
  readonly hub?: { readonly before: number; readonly after: number };
}

export interface RoundOptions {
  readonly eleventy?: string | undefined;
  /** Only what needs little memory and no edit. */
  readonly isShort: boolean;
}

/** Measures everything once, starting with an empty store. */
export function measureRound(
  workspace: string,
  folder: string,
  { eleventy, isShort }: RoundOptions,
): Round {
  const trial = new Trial(workspace, folder);
  const { store, out } = trial;
  const [bareStore, bareOut] = [join(folder, "bare.db"), join(folder, "bare-out")];
  const steps: Partial<Record<Step, Measured>> = {};
  try {
    steps.bareImport = trial.script("bare-import.ts", workspace, bareStore);
    const bare = statSync(bareStore).size;
    rmSync(bareStore);
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
    if (isShort) return { steps, bare, imported, published };
    cpSync(join(out, "api"), join(bareOut, "api"), { recursive: true });
    steps.bareRewrite = trial.script("bare-rewrite.ts", bareOut);
    rmSync(bareOut, { recursive: true });
    return { steps, bare, imported, published, hub: measureEdits(trial, steps) };
  } finally {
    trial.remove();
  }
}

function measureEdits(
  trial: Trial,
  steps: Partial<Record<Step, Measured>>,
): { before: number; after: number } {
  const hub = { before: 0, after: 0 };
  for (const edit of [...SMALL_EDITS, ...LARGE_EDITS]) {
    trial.edit(edit);
    if (edit === "title") [steps.diff] = trial.onCopy("diff");
    if (edit === "hub") hub.before = trial.size;
    steps[edit] = trial.publish();
    if (edit === "hub") hub.after = trial.size;
  }
  return hub;
}
