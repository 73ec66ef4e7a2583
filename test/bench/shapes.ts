import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Measured } from "./measure.ts";
import { count, growthGoal, growthLine, say, secondsOf } from "./table.ts";
import { Trial } from "./trial.ts";
import { makeWorkspaceOf } from "./workspaces.ts";

/** Options of the generator for workspaces that are extreme in one way. */
const SHAPES = [
  ["--dangling", "0.6"],
  ["--hubs", "0.95"],
  ["--chains", "0.9"],
  ["--projects", "1"],
  ["--projects", "2000"],
] as const;

const STEPS = {
  folder: "svc publish <folder>",
  publish: "svc publish of a store, first",
  check: "svc check, first",
  title: "publish, one title changed",
  again: "publish, nothing changed",
};

type Times = Record<keyof typeof STEPS, Measured>;

/** Prints how times grow from one size to the next, for each shape; the goal for 10 times as many is 12. */
export function measureShapes(folder: string, sizes: readonly number[], rounds: number): void {
  for (const shape of SHAPES) {
    say(`\n${shape.join(" ")}; medians of ${rounds}`);
    let before: { experiences: number; times: readonly Times[] } | undefined;
    for (const experiences of sizes) {
      const workspace = join(folder, "workspace");
      makeWorkspaceOf(experiences, workspace, shape);
      const times = Array.from({ length: rounds }, () => measureOnce(workspace, folder));
      rmSync(workspace, { recursive: true });
      if (before !== undefined) {
        const goal = growthGoal(experiences / before.experiences);
        say(`${count(before.experiences)} to ${count(experiences)} experiences, goal ${goal}`);
        for (const step of Object.keys(STEPS) as (keyof Times)[]) {
          const of = (all: readonly Times[]) => secondsOf(all.map((one) => one[step]));
          say(growthLine(STEPS[step], of(before.times), of(times), goal));
        }
      }
      before = { experiences, times };
    }
  }
}

function measureOnce(workspace: string, place: string): Times {
  const trial = new Trial(workspace, join(place, "trial"));
  try {
    const folder = trial.ofFolder("publish");
    trial.import();
    const [check] = trial.onCopy("check");
    const publish = trial.publish();
    const again = trial.publish();
    trial.edit("title");
    return { folder, publish, check, again, title: trial.publish() };
  } finally {
    trial.remove();
  }
}
