import { expect } from "vitest";
import type { ReleaseStores } from "../../../src/deploy/releases/list-releases.ts";
import { SvcError } from "../../../src/workspace/errors.ts";

/** What a process does with the stores that it sees. */
export type Act = (stores: ReleaseStores) => Promise<unknown>;

/** How an act ends: "done", or the code of the refusal, which says what to do. */
export async function endOf(ran: Promise<unknown>): Promise<string> {
  try {
    await ran;
    return "done";
  } catch (error) {
    if (error instanceof SvcError && error.hint) return error.code;
    throw error;
  }
}

/**
 * Carries out a request of a process, when it may.
 *
 * @param what such as `put <key>`, `update`.
 */
type Around = <T>(request: () => Promise<T>, what: string) => Promise<T>;

/** The stores as one process sees them: a write is on its way when its turn comes. */
function observed({ objects, pointers }: ReleaseStores, around: Around): ReleaseStores {
  async function* all<T>(listing: () => AsyncIterable<T>, what: string): AsyncIterable<T> {
    yield* await around(async () => {
      const listed: T[] = [];
      for await (const one of listing()) listed.push(one);
      return listed;
    }, what);
  }
  return {
    objects: {
      ...objects,
      get: (key) => around(() => objects.get(key), `get ${key}`),
      head: (key) => around(() => objects.head(key), `head ${key}`),
      put: async (key, body, headers, given) => {
        const { beforeAttempt, ...condition } = given ?? {};
        await beforeAttempt?.();
        const put = () => objects.put(key, body, headers, given && (condition as typeof given));
        return around(put, `put ${key}`);
      },
      // Not all at once: a process may end between them.
      delete: async (keys, ...more) => {
        const parts = [keys.slice(0, 1), keys.slice(1)].filter(({ length }) => length > 0);
        const failed: Awaited<ReturnType<typeof objects.delete>>[] = [];
        for (const part of parts)
          failed.push(
            await around(() => objects.delete(part, ...more), `delete ${part.join("\n")}`),
          );
        return failed.flat();
      },
      list: (prefix) => all(() => objects.list(prefix), `list ${prefix}`),
      folders: (prefix) => all(() => objects.folders(prefix), `folders ${prefix}`),
    },
    pointers: {
      arn: pointers.arn,
      read: () => around(() => pointers.read(), "read"),
      update: (...args) => around(() => pointers.update(...args), "update"),
    },
  };
}

/** Stores, and what is requested of them, in order. */
export function recorded(stores: ReleaseStores) {
  const requests: string[] = [];
  const around: Around = (request, what) => {
    requests.push(what);
    return request();
  };
  const writes = () => requests.filter((one) => /^(?:put|delete|update)/.test(one));
  return { stores: observed(stores, around), requests, writes };
}

/** What changes a command; of a dry run, that it only reports. */
export interface How {
  readonly dryRun?: true;
  readonly maxDeletes?: number;
}

/**
 * What a command says that it will do, and how that ends: nothing is written. L4, L5: nor where it would
 * remove more than `--max-deletes`.
 *
 * @param removes the number of what is removed, unless the command is refused.
 */
export async function foretold<Report>(
  stores: ReleaseStores,
  run: (stores: ReleaseStores, how: How) => Promise<Report>,
  removes: (report: Report) => number,
): Promise<[end: string, Report | undefined]> {
  const { stores: seen, writes } = recorded(stores);
  let report: Report | undefined;
  const end = await endOf(
    run(seen, { dryRun: true }).then((value) => {
      report = value;
    }),
  );
  const count = report === undefined ? 0 : removes(report);
  if (count > 0) expect(await endOf(run(seen, { maxDeletes: count - 1 }))).toBe("too-many-deletes");
  expect(writes()).toEqual([]);
  return [end, report];
}

/** An act of which the response to the request number `at` is lost: it is sent again. */
export function resent(act: Act, at: number): Act {
  return async (stores) => {
    let count = 0;
    const around: Around = async (request) => {
      count += 1;
      if (count === at) await request();
      return request();
    };
    return act(observed(stores, around));
  };
}

/**
 * What becomes of the request at which a process is killed; "late": it is carried out later; "fails": it is
 * lost, and the process goes on.
 */
export type Fate = "lost" | "done" | "late" | "fails";

/**
 * Runs an act in a process that is killed at its request number `at`, and sends no more.
 *
 * @returns how it ended before; else what carries out the request that is still under way.
 */
export async function killed(
  act: Act,
  stores: ReleaseStores,
  at: number,
  fate: Fate,
): Promise<string | (() => Promise<unknown>)> {
  const sent: Promise<unknown>[] = [];
  let late: () => Promise<unknown> = async () => {};
  const around: Around = async <T>(request: () => Promise<T>) => {
    const count = sent.length + 1;
    if (count === at && fate === "late") late = request;
    const isDead = count > at && fate !== "fails";
    const isSent = count === at ? fate === "done" : !isDead;
    const answer = isSent ? request() : Promise.resolve();
    sent.push(answer);
    await answer;
    if (count === at || isDead) throw new Error("killed");
    return answer as Promise<T>;
  };
  const ended = await endOf(act(observed(stores, around))).catch((error) => {
    if (sent.length < at) throw error;
    return "killed";
  });
  await Promise.allSettled(sent);
  return sent.length < at ? ended : late;
}

/** One process goes on for this number of turns, two to a request; then the clock passes, and it is the other's turn. */
export interface Slice {
  readonly turns: number;
  /** Milliseconds. */
  readonly pause: number;
}

/** Runs two acts at the same time, in an order given by slices, and then the first to its end. */
export async function race(
  acts: readonly [Act, Act],
  stores: ReleaseStores,
  slices: readonly Slice[],
  pass: (milliseconds: number) => void,
): Promise<readonly string[]> {
  const processes = acts.map((act) => new Turns(act, stores));
  for (const [at, { turns, pause }] of slices.entries()) {
    await processes[at % 2]?.advance(turns);
    pass(pause);
  }
  for (const process of processes) await process.advance(Number.POSITIVE_INFINITY);
  return Promise.all(processes.map(({ end }) => end));
}

/** A process that waits for a turn before and after each of its requests. */
class Turns {
  readonly end: Promise<string>;
  readonly #waiting: (() => void)[] = [];
  #isOver = false;
  #arrived = () => {};

  constructor(act: Act, stores: ReleaseStores) {
    const turn = () =>
      new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
        this.#arrived();
      });
    const around: Around = async (request) => {
      await turn();
      const response = await request();
      await turn();
      return response;
    };
    this.end = endOf(act(observed(stores, around))).finally(() => {
      this.#isOver = true;
      this.#arrived();
    });
    // Awaited at the end.
    this.end.catch(() => {});
  }

  /** Gives it this number of turns; it ends in a pause, with no request under way. */
  async advance(turns: number): Promise<void> {
    for (let left = turns; left > 0 && (await this.#waits()); left -= 1) this.#waiting.shift()?.();
    await this.#waits();
  }

  /** Whether it waits for a turn; false: it has ended. */
  async #waits(): Promise<boolean> {
    while (this.#waiting.length === 0 && !this.#isOver) {
      await new Promise<void>((resolve) => {
        this.#arrived = resolve;
      });
    }
    return !this.#isOver;
  }
}
