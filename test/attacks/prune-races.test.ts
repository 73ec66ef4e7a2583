import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  makeLive,
  planRelease,
  planRollback,
  uploadReleases,
} from "../../src/deploy/releases/deploy-release.ts";
import { LAST_REMOVAL, REMOVAL } from "../../src/deploy/releases/keys.ts";
import {
  pinnedReleases,
  pinRelease,
  type ReleaseStores,
  readRelease,
} from "../../src/deploy/releases/list-releases.ts";
import { livePointers } from "../../src/deploy/releases/pointers.ts";
import { planPrune, prune } from "../../src/deploy/releases/prune.ts";
import { compareRelease } from "../../src/deploy/releases/release.ts";
import { siteTexts, writtenFolder } from "../deploy/published-texts.ts";
import { CONTENT, MemoryReleaseBed } from "../deploy/releases/memory-release-bed.ts";
import { randomRuns, SEED } from "../support/random-runs.ts";
import { Random } from "../support/workspaces/random.ts";

const DAY = 24 * 3_600_000;
const PHOTO = "assets/aaaaaaaaaaaaaaaa/photo.png";

/** Eight releases; a prune removes the first three, and the photo, which the first one alone shows. */
let original: MemoryReleaseBed;
let first: string;
const OLD = { w: siteTexts({ [PHOTO]: "photo" }) };
const NEW = { w: siteTexts({ [PHOTO]: "photo", [CONTENT]: "new" }) };

beforeEach(async () => {
  original = new MemoryReleaseBed();
  await original.deploy(OLD);
  first = original.live("site") ?? "";
  await original.deployMany(7);
});

function bedAgain(): MemoryReleaseBed {
  const bed = new MemoryReleaseBed();
  for (const [key, stored] of original.bucket.objects) bed.bucket.objects.set(key, stored);
  for (const [key, value] of original.kvs.values) bed.kvs.write(key, value);
  return bed;
}

afterEach(() => void vi.useRealTimers());

type Act = (stores: ReleaseStores) => Promise<unknown>;

const { work } = new MemoryReleaseBed();

const pruneAll: Act = async (stores) => {
  const now = new Date(Date.now() + 2 * DAY);
  await prune(await planPrune(stores, work, { now }), stores, work, { now, maxDeletes: 1e6 });
};

const rollBack: Act = async (stores) =>
  makeLive(await planRollback(stores, work, { text: first }), stores, work);

function deployOf(texts: typeof OLD): Act {
  return async (stores) => {
    const folder = writtenFolder(texts);
    const plan = await planRelease(folder, ["w"], stores, work);
    await uploadReleases(folder, plan, stores.objects, work);
    await makeLive(plan, stores, work);
  };
}

const OTHERS: Readonly<Record<string, Act>> = {
  "a rollback": rollBack,
  "a deploy of the same version": deployOf(OLD),
  "a deploy that shows its asset": deployOf(NEW),
  "a pin": (stores) => pinRelease(stores, first),
};

/** The stores as one process sees them: it waits for its turn before and after each request. */
function observed({ objects, pointers }: ReleaseStores, turn: () => Promise<void>): ReleaseStores {
  const around = async <T>(request: () => Promise<T>): Promise<T> => {
    await turn();
    const response = await request();
    await turn();
    return response;
  };
  async function* all<T>(listing: () => AsyncIterable<T>): AsyncIterable<T> {
    const listed: T[] = [];
    await around(async () => {
      for await (const one of listing()) listed.push(one);
    });
    yield* listed;
  }
  return {
    objects: {
      ...objects,
      get: (key) => around(() => objects.get(key)),
      head: (key) => around(() => objects.head(key)),
      put: (...args) => around(() => objects.put(...args)),
      delete: (...args) => around(() => objects.delete(...args)),
      list: (prefix) => all(() => objects.list(prefix)),
      folders: (prefix) => all(() => objects.folders(prefix)),
    },
    pointers: {
      arn: pointers.arn,
      read: () => around(() => pointers.read()),
      update: (...args) => around(() => pointers.update(...args)),
    },
  };
}

/** How an act ends: done, or refused by an error that says what to do. */
async function endOf(act: Promise<unknown>): Promise<string> {
  try {
    await act;
    return "done";
  } catch (error) {
    const { code } = error as { code: string };
    expect([
      "release-being-removed",
      "release-incomplete",
      "release-not-found",
      "deployed-meanwhile",
    ]).toContain(code);
    return code;
  }
}

/** What is live or pinned has all its objects, the shared ones included. */
async function expectNothingLost({ places }: MemoryReleaseBed): Promise<void> {
  const live = new Set(livePointers(await places.pointers.read()).values());
  expect(live.size).toBe(1);
  for (const name of [...live, ...(await pinnedReleases(places.objects))]) {
    const state = await compareRelease(
      places.objects,
      await readRelease(places.objects, name),
      work,
    );
    expect(state).toEqual({ missing: [], different: [], unexpected: [], hasManifest: true });
  }
}

const MINUTE = 60_000;

/**
 * Runs `outer`, and `inner` as a whole at its turn number `at`. Whether there was one.
 *
 * @param suspended milliseconds for which `outer` is, before `inner` runs.
 */
async function interleaved(
  outer: Act,
  inner: Act,
  at: number,
  suspended = 0,
): Promise<string[] | undefined> {
  const bed = bedAgain();
  let turns = 0;
  let innerEnd: string | undefined;
  const turn = async () => {
    turns += 1;
    if (turns !== at) return;
    if (suspended > 0) vi.setSystemTime(Date.now() + suspended);
    innerEnd = await endOf(inner(bed.places));
  };
  const outerEnd = await endOf(outer(observed(bed.places, turn)));
  await expectNothingLost(bed);
  return innerEnd === undefined ? undefined : [outerEnd, innerEnd];
}

async function allInterleavings(outer: Act, inner: Act, suspended = 0): Promise<string[]> {
  const ends = new Set<string>();
  for (let at = 1; ; at += 1) {
    const end = await interleaved(outer, inner, at, suspended);
    if (end === undefined) return [...ends];
    ends.add(end.join(", "));
  }
}

describe.each(Object.entries(OTHERS))("L4a, L4b: %s and a prune", (_, other) => {
  it("lose nothing that is live or pinned, at whichever request of the prune the other runs", async () => {
    const ends = await allInterleavings(pruneAll, other);
    // The bed prunes it, if the other one comes last, and keeps it if the other one comes first.
    expect(ends).toContain("done, done");
    expect(ends.length).toBeGreaterThan(1);
  });

  it("lose nothing when the prune is suspended for an hour (SIGSTOP), and the other runs meanwhile", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const ends = await allInterleavings(pruneAll, other, 60 * MINUTE);
    expect(ends).toContain("release-being-removed, done");
  });

  it("lose nothing that is live or pinned, at whichever request of the other the prune runs", async () => {
    expect((await allInterleavings(other, pruneAll)).length).toBeGreaterThan(0);
  });

  it("lose nothing in any order of their requests", async () => {
    const random = new Random(SEED);
    for (let run = 0; run < randomRuns(150); run += 1) {
      const bed = bedAgain();
      const waiting = new Set<() => void>();
      const turn = () => new Promise<void>((resolve) => void waiting.add(resolve));
      const ends = [pruneAll, other].map((act) => endOf(act(observed(bed.places, turn))));
      let isOver = false;
      const over = Promise.all(ends).finally(() => {
        isOver = true;
      });
      while (!isOver) {
        await new Promise((resolve) => setImmediate(resolve));
        if (waiting.size === 0) continue;
        const next = random.pick([...waiting]);
        waiting.delete(next);
        next();
      }
      await over;
      await expectNothingLost(bed);
    }
  });
});

it("L4a: a slow prune renews its marks, and ends", async () => {
  vi.useFakeTimers({ toFake: ["Date", "setInterval", "clearInterval"] });
  const bed = bedAgain();
  let passing = false;
  const turn = async () => {
    if (passing) return;
    passing = true;
    await vi.advanceTimersByTimeAsync(1.5 * MINUTE);
    passing = false;
  };
  const began = Date.now();
  await pruneAll(observed(bed.places, turn));
  expect(Date.now() - began).toBeGreaterThan(60 * MINUTE);
  expect(bed.folders()).toHaveLength(5);
  expect(bed.bucket.keys(PHOTO)).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});

describe("L4a: a prune that was killed at any of its requests", () => {
  /** Runs a prune of which nothing more happens from its turn number `at` on. */
  async function killedAt(at: number): Promise<MemoryReleaseBed | undefined> {
    const bed = bedAgain();
    let turns = 0;
    let die = () => {};
    const killed = new Promise<"killed">((resolve) => {
      die = () => resolve("killed");
    });
    const turn = () => {
      turns += 1;
      if (turns < at) return Promise.resolve();
      die();
      return new Promise<void>(() => {});
    };
    const end = await Promise.race([pruneAll(observed(bed.places, turn)), killed]);
    return end === "killed" ? bed : undefined;
  }

  /** As if it had been killed half an hour ago. */
  function wait(bed: MemoryReleaseBed): void {
    for (const [key, value] of bed.kvs.values) {
      if (!key.startsWith(REMOVAL) || key === LAST_REMOVAL) continue;
      const [since, id] = value.split(" ");
      bed.kvs.write(key, `${Number(since) - 30 * 60_000} ${id}`);
    }
  }

  it("keeps a deploy of the version from going live in part, and no longer than its marks are good for", async () => {
    const ends = new Set<string>();
    let at = 1;
    for (; ; at += 1) {
      const bed = await killedAt(at);
      if (bed === undefined) break;
      ends.add(await endOf(deployOf(OLD)(bed.places)));
      await expectNothingLost(bed);
      wait(bed);
      expect(await endOf(deployOf(OLD)(bed.places))).toBe("done");
      expect(bed.live("site")).toBe(first);
      await expectNothingLost(bed);
    }
    expect(at).toBeGreaterThan(30);
    expect([...ends].sort()).toEqual(["done", "release-being-removed"]);
  });

  it("is completed by the next one, which leaves no mark", async () => {
    for (let at = 1; ; at += 1) {
      const bed = await killedAt(at);
      if (bed === undefined) break;
      wait(bed);
      await pruneAll(bed.places);
      expect(bed.folders()).toHaveLength(5);
      expect(bed.bucket.keys(PHOTO)).toEqual([]);
      const marks = [...bed.kvs.values.keys()].filter((key) => key.startsWith(REMOVAL));
      expect(marks).toEqual([LAST_REMOVAL]);
    }
  });
});
