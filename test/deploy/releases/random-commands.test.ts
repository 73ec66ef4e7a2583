import fc from "fast-check";
import { beforeEach, expect, it } from "vitest";
import { drawnOf, numbers, randomRuns } from "../../support/random-runs.ts";
import {
  alone,
  beside,
  commands,
  HOUR,
  kill,
  MINUTE,
  resending,
  run,
  sleep,
} from "../model/commands.ts";
import type { ReleaseCommand } from "../model/release-rules.ts";
import { releaseWorlds } from "../model/release-world.ts";
import type { WorkspaceId } from "../model/versions.ts";
import { MemoryReleaseBed } from "./memory-release-bed.ts";

let worlds: Awaited<ReturnType<typeof releaseWorlds>>;
beforeEach(async () => {
  worlds = await releaseWorlds();
});

const settled = (all: Parameters<typeof run<ReleaseCommand, never>>[1], bed?: MemoryReleaseBed) =>
  run(worlds.worldOf(bed), all, (world) => world.settle());

it("L1, L2, L3, L3a, L4, L4a, L4b: whatever commands run, are killed, or run at the same time", {
  timeout: 20 * MINUTE,
}, async () => {
  const property = fc.asyncProperty(
    commands(worlds.worldOf().commands(), [0, 0, 6 * MINUTE, HOUR]),
    fc.boolean(),
    (steps, isNew) => settled(steps, isNew ? new MemoryReleaseBed() : undefined),
  );
  await fc.assert(property, { numRuns: randomRuns(400) });
  expect.hasAssertions();
});

/** A command by its words: `deploy w 8 --hold`. */
function of(text: string): ReleaseCommand {
  const [act = "", ...words] = text.split(" ");
  const ids = words.filter((word): word is WorkspaceId => /^[wv]$/.test(word));
  const number = words.find((word) => /^\d$/.test(word));
  const version = number === undefined ? undefined : Number(number);
  const parts = { act: act as ReleaseCommand["act"], of: ids, version };
  return worlds.worldOf().command({ ...parts, hold: words.includes("--hold") });
}

const steps = (text: string) =>
  text
    .split(", ")
    .map((one) => (one.startsWith("sleep") ? sleep(Number(one.slice(6)) * 60) : alone(of(one))));

it.each([
  ["a pinned release stays", "pin w 0, prune, unpin w 0, prune"],
  ["what was live last stays", "deploy w 0, prune, rollback w, resume w"],
  [
    "one of two workspaces",
    "deploy v 0, sleep 25, deploy v 3, deploy v 4, prune w, sleep 25, prune",
  ],
  ["assets that another shows stay", "deploy v 1, sleep 25, prune, deploy v 2, sleep 25, prune"],
  ["assets that are shown again stay", "deploy w 8, prune, sleep 25, prune"],
  [
    "rolled back, held, and resumed",
    "rollback w, deploy w 8, deploy w 8 --hold, rollback w, resume w, deploy w 2",
  ],
])("L3, L3a, L4: %s", async (_what, text) => {
  await settled(steps(text));
  expect.hasAssertions();
});

it("L4: what is younger than 24 hours stays", async () => {
  const many = Array.from({ length: 8 }, (_, n) => `deploy w ${n}`).join(", ");
  const text = `${many}, prune, sleep 23, prune, sleep 1, prune`;
  await settled(steps(text), new MemoryReleaseBed());
  expect.hasAssertions();
});

it("L4: what a killed deploy has left stays for a day", async () => {
  for (const at of drawnOf(numbers(1, 24).filter((one) => one % 2 === 1))) {
    const killed = (text: string, turn: number) => kill(of(text), turn, "lost");
    const again = [...steps("sleep 13"), killed("deploy w 8", at + 2)];
    const left = [killed("deploy w 8", at), ...again, ...steps("sleep 13, prune, sleep 13, prune")];
    const neverLive = [killed("deploy v 1", at), ...steps("prune")];
    for (const all of [left, neverLive]) await settled(all);
  }
  expect.hasAssertions();
});

it("L1, L2: a response that is lost, after which the request is sent again, changes nothing", async () => {
  const commands = ["deploy w 8", "rollback w", "pin w 0"];
  const all = commands.flatMap((text) => numbers(1, 24).map((at) => resending(of(text), at)));
  for (const one of drawnOf(all)) await run(worlds.worldOf(), [one]);
  expect.hasAssertions();
});

it("L3a: a rollback at any request of a deploy stays, also one to what is live", async () => {
  const all = [6, 7].flatMap((version) =>
    numbers(0, 47).map((turns) => {
      const slices = [turns, 1_000].map((one) => ({ turns: one, pause: 0 }));
      return beside(of("deploy w 8"), of(`rollback w ${version}`), slices);
    }),
  );
  for (const both of drawnOf(all)) await run(worlds.worldOf(), [both]);
  expect.hasAssertions();
});
