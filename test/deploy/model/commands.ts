import fc from "fast-check";
import { onTestFinished, vi } from "vitest";
import type { ReleaseStores } from "../../../src/deploy/releases/list-releases.ts";
import { type Act, type Fate, killed, race, resent, type Slice } from "./processes.ts";

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

/** A command of svc deploy, with a name for reports. */
export interface Command {
  readonly name: string;
  readonly run: Act;
  /** L6: takes over from a deploy that was killed, after its last request. */
  readonly force?: boolean;
  /** A request is sent again. */
  readonly isResent?: boolean;
}

/** Stores that commands are run on, and what must hold of them. */
export interface World<One extends Command> {
  readonly stores: ReleaseStores;
  pass(milliseconds: number): void;
  /** Runs a command that no other disturbs: it does exactly what its rule says. */
  alone(command: One): Promise<void>;
  /**
   * Runs commands in a way of which the end is not known: what is live is whole all the same.
   *
   * @param run how each ends; undefined: it was killed.
   */
  disturbed(
    commands: readonly One[],
    run: () => Promise<readonly (string | undefined)[]>,
  ): Promise<void>;
}

/** The requests of killed processes that are still under way. */
const underWay = new WeakMap<object, () => Promise<unknown>>();

async function arrive(world: object): Promise<void> {
  const late = underWay.get(world);
  underWay.delete(world);
  // Nobody waits for the answer any more.
  await late?.().catch(() => {});
}

type Step<One extends Command> = fc.AsyncCommand<object, World<One>>;

function step<One extends Command>(
  name: string,
  run: (world: World<One>) => Promise<void>,
): Step<One> {
  return { check: () => true, toString: () => name, run: (_model, world) => run(world) };
}

export const alone = <One extends Command>(command: One): Step<One> =>
  step(command.name, async (world) => {
    if (command.force) await arrive(world);
    await world.alone(command);
    await arrive(world);
  });

/** The response to the request number `at` is lost: it is sent again, which changes nothing. */
export const resending = <One extends Command>(command: One, at: number): Step<One> =>
  alone({
    ...command,
    name: `${command.name}, ${at} twice`,
    run: resent(command.run, at),
    isResent: true,
  });

export const sleep = <One extends Command>(minutes: number): Step<One> =>
  step(`sleep ${minutes} min`, async (world) => {
    // S3 carries out no request that was signed more than 15 minutes ago.
    await arrive(world);
    world.pass(minutes * MINUTE);
  });

export const kill = <One extends Command>(command: One, at: number, fate: Fate): Step<One> =>
  step(`kill ${command.name} at request ${at} (${fate})`, async (world) => {
    await arrive(world);
    await world.disturbed([command], async () => {
      const ended = await killed(command.run, world.stores, at, fate);
      if (typeof ended === "string") return [ended];
      underWay.set(world, ended);
      return [fate === "fails" ? "failed" : undefined];
    });
  });

export const beside = <One extends Command>(
  one: One,
  other: One,
  slices: readonly Slice[],
): Step<One> => {
  const order = slices.map(({ turns, pause }) => `${turns}+${pause / 1000}s`).join(" ");
  return step(`${one.name} beside ${other.name} (${order})`, async (world) => {
    await arrive(world);
    const pass = (milliseconds: number) => world.pass(milliseconds);
    await world.disturbed([one, other], () =>
      race([one.run, other.run], world.stores, slices, pass),
    );
  });
};

/**
 * Any commands one after the other, killed at any request, and at the same time as others; and the clock passes.
 *
 * @param pauses milliseconds for which a process may be suspended while another runs.
 */
export function commands<One extends Command>(
  command: fc.Arbitrary<One>,
  pauses: readonly number[],
): fc.Arbitrary<Iterable<Step<One>>> {
  const pause = fc.constantFrom(...pauses);
  // A deploy has some 20 requests, a prune 80.
  const turns = fc.oneof(fc.nat(40), fc.nat(160));
  const slices = fc.array(fc.record({ turns, pause }), { minLength: 1, maxLength: 4 });
  const fate = fc.constantFrom<Fate[]>("lost", "done", "late", "fails");
  const at = (max: number) => fc.integer({ min: 1, max });
  const any = [
    command.map(alone),
    fc.constantFrom(1, 6, 31, 13 * 60, 25 * 60).map((minutes) => sleep<One>(minutes)),
    fc.tuple(command, fc.oneof(at(20), at(80)), fate).map((all) => kill(...all)),
    fc.tuple(command, command, slices).map((all) => beside(...all)),
  ];
  // Most are short: of what is left undone, the next one or two may break something.
  return fc.oneof(
    { weight: 4, arbitrary: fc.commands(any, { maxCommands: 4, size: "max" }) },
    { weight: 1, arbitrary: fc.commands(any, { maxCommands: 20, size: "max" }) },
  );
}

/** Runs commands in a world that is made anew, and then, where it is given, what must always be possible. */
export async function run<One extends Command, Real extends World<One>>(
  world: Real,
  steps: Iterable<Step<One>>,
  end: (world: Real) => Promise<void> = async () => {},
): Promise<void> {
  await fc.asyncModelRun(() => ({ model: {}, real: world }), steps);
  await arrive(world);
  await end(world);
}

/** Time passes in `pass` alone, until the test ends. */
export function stoppedClock(): (milliseconds: number) => void {
  vi.useFakeTimers({ toFake: ["Date", "setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  return (milliseconds) => void vi.setSystemTime(Date.now() + milliseconds);
}
