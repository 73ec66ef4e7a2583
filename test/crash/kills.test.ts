import { watch } from "node:fs";
import { basename, dirname } from "node:path";
import { expect, it } from "vitest";
import { SEED } from "../support/random-runs.ts";
import { Random } from "../support/workspaces/random.ts";
import { COMMANDS, Folders, type Planned } from "./commands.ts";
import type { Command, CrashBed, Ended } from "./crash-bed.ts";

const KILLS = Number(process.env.SVC_CRASH_KILLS ?? 1000);

const folders = new Folders();

/** From the start, in milliseconds. */
interface Times {
  readonly decided: number;
  readonly ended: number;
}

/** Runs a command, and kills it: by the times of an earlier run, mostly while it changes files. */
async function runUntil(
  bed: CrashBed,
  command: Command,
  { decision }: Planned,
  times: Times | undefined,
  random: Random,
): Promise<Ended & { times: Times }> {
  const startedAt = performance.now();
  const isLate = random.chance(0.75);
  const { child, ended } = bed.start(command);
  const kill = (after: number) => setTimeout(() => child.kill("SIGKILL"), after);
  let timer: NodeJS.Timeout | undefined;
  if (times && !isLate) timer = kill(times.decided * (0.5 + random.next() / 2));
  let decided: number | undefined;
  const watcher = watch(dirname(bed.path(decision)), (_event, name) => {
    if (decided !== undefined || !name?.startsWith(basename(decision))) return;
    decided = performance.now() - startedAt;
    if (times && isLate) timer = kill((times.ended - times.decided) * random.next());
  });
  const end = await ended;
  clearTimeout(timer);
  watcher.close();
  const now = performance.now() - startedAt;
  return { ...end, times: { decided: decided ?? now, ended: now } };
}

it(`F5, R5, G3, M3: killed at any moment, also in a row, svc leaves old or new files and stores; the next command completes it: ${KILLS} kills`, async () => {
  const random = new Random(SEED);
  const times = new Map<string, Times>();
  const counts = { before: 0, writing: 0, after: 0 };
  const log: string[] = [`SVC_RANDOM_SEED=${SEED}`];
  const bed = folders.bed();
  let area: string | undefined;
  try {
    while (counts.before + counts.writing + counts.after < KILLS) {
      const name = random.weighted(weightsOf(area));
      const planned = COMMANDS[name] as Planned;
      const command = planned.plan(bed, folders, random);
      if (command === undefined) continue;
      log.push(`svc ${command.args.join(" ")}${area === undefined ? "" : " (after a kill)"}`);
      const [before, after] = [bed.state(), bed.after(command)];
      const { status, stderr, ...run } = await runUntil(
        bed,
        command,
        planned,
        times.get(name),
        random,
      );
      if (status === null) {
        const phase = bed.expectOldOrNew(before, after);
        counts[phase] += 1;
        log.push(`  killed ${phase}`);
      } else {
        expect(status, stderr + JSON.stringify(run.value)).toBe(0);
        expect(bed.state()).toEqual(after);
        times.set(name, run.times);
      }
      // A migration that was decided is refused by other commands, and the same is no other state.
      area = random.chance(0.4) && planned.area !== "content" ? planned.area : undefined;
      if (area === undefined) bed.complete(command, after);
    }
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${log.join("\n")}`, { cause: error });
  }
  console.log(log[0], JSON.stringify(counts));
});

/** Of the commands that can run now. */
function weightsOf(area: string | undefined): Record<string, number> {
  const possible = Object.entries(COMMANDS).filter(
    ([, one]) => area === undefined || one.area === area,
  );
  return Object.fromEntries(possible.map(([name, { weight }]) => [name, weight]));
}
