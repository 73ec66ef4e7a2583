import { execFileSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { thisProcess } from "../../../src/deploy/in-place/running-process.ts";
import type { ObjectStore } from "../../../src/deploy/object-store.ts";
import { fakeClock, passing } from "../../support/deploy/fake-clock.ts";
import {
  ASSET,
  CONTENT,
  expectedTexts,
  MANIFEST,
  MemoryInPlaceBed,
  MOVED,
  SITE,
} from "./memory-in-place-bed.ts";

let bed: MemoryInPlaceBed;
beforeEach(() => {
  bed = new MemoryInPlaceBed();
  fakeClock();
});

const ELSEWHERE = { host: "ci-7", pid: 12, place: "another boot" };

/** Writes the lease of another deploy into the manifest, with these members. */
function writeLease(changes: object): void {
  const lease = { deploy: "d", by: ELSEWHERE, beat: 0, isStopped: false, workspaces: ["w"] };
  const claim = { ...lease, touches: [], ...bed.manifest().claim, ...changes };
  bed.bucket.put(MANIFEST, JSON.stringify({ ...bed.manifest(), claim }));
}

/** Deploys, and says how many seconds that took. */
async function timed(deployed: Promise<unknown>): Promise<number> {
  const begun = Date.now();
  await passing(deployed);
  return Math.round((Date.now() - begun) / 1000);
}

const held = () => bed.manifest().claim;

describe("L6: the lease of another deploy", () => {
  beforeEach(async () => {
    await bed.deploy();
  });

  it("that is silent for half a minute is taken over, and what it touched is settled", async () => {
    writeLease({ touches: ["api/v1/projects/stray", CONTENT] });
    const count = bed.bucket.changes.length;
    expect(await timed(bed.deploy())).toBeGreaterThanOrEqual(30);
    expect(bed.notes).toEqual([expect.stringMatching(/process 12 on ci-7.*30 s/)]);
    expect(bed.texts()).toEqual(expectedTexts(SITE));
    expect(bed.changesSince(count)).toEqual([]);
    expect(held()).toBeUndefined();
  });

  it("that shows its life is not taken over, and nothing is changed", async () => {
    writeLease({});
    const texts = bed.texts();
    const beats = setInterval(() => writeLease({ beat: (held()?.beat ?? 0) + 1 }), 10_000);
    await expect(passing(bed.deploy(MOVED))).rejects.toMatchObject({ code: "deploy-running" });
    clearInterval(beats);
    expect(bed.texts()).toEqual(texts);
    expect(held()).toMatchObject({ by: ELSEWHERE });
  });

  it.each([
    ["ends", undefined],
    ["is stopped", { isStopped: true }],
  ])("that %s meanwhile is not waited for any longer", async (_what, change) => {
    writeLease({});
    setTimeout(() => {
      if (change !== undefined) return writeLease(change);
      const { claim: _ended, ...free } = bed.manifest();
      bed.bucket.put(MANIFEST, JSON.stringify(free));
    }, 7_000);
    expect(await timed(bed.deploy(MOVED))).toBeLessThan(15);
    expect(bed.texts()).toEqual(expectedTexts(MOVED));
  });

  it("that was stopped, or whose process has ended here, is taken over at once", async () => {
    const pid = Number(
      execFileSync(process.execPath, ["-p", "process.pid"], { encoding: "utf8" }).trim(),
    );
    for (const [change, next] of [
      [{ isStopped: true }, MOVED],
      [{ by: { ...thisProcess(), pid } }, SITE],
    ] as const) {
      writeLease(change);
      expect(await timed(bed.deploy(next))).toBeLessThan(5);
      expect(bed.texts()).toEqual(expectedTexts(next));
    }
    expect(bed.notes).toEqual([]);
  });

  it("whose process runs here is waited for", async () => {
    writeLease({ by: thisProcess() });
    expect(await timed(bed.deploy(MOVED))).toBeGreaterThanOrEqual(30);
  });

  it("is not waited for beyond an aborted signal", async () => {
    writeLease({});
    const reason = new Error("Ctrl-C");
    const stop = new AbortController();
    setTimeout(() => stop.abort(reason), 2_000);
    const before = bed.bucket.text(MANIFEST);
    await expect(passing(bed.deploy(MOVED, { signal: stop.signal }))).rejects.toBe(reason);
    expect(bed.bucket.text(MANIFEST)).toBe(before);
  });
});

describe("L6: two deploys at once", () => {
  /** Runs both, and checks that one of them wrote and the other was refused. */
  async function expectOne(deploys: readonly Promise<unknown>[]): Promise<void> {
    const ran = await passing(Promise.allSettled(deploys));
    const refused = ran.flatMap((one) => (one.status === "rejected" ? one.reason.code : []));
    expect(refused).toEqual(["deploy-running"]);
    const winner = ran[0]?.status === "fulfilled" ? SITE : MOVED;
    expect(bed.texts()).toEqual(expectedTexts(winner));
  }

  it("into an empty bucket: one of them writes, the other is refused", async () => {
    await expectOne([bed.deploy(SITE), bed.deploy(MOVED)]);
  });

  it("over a version: the same", async () => {
    await bed.deploy({ w: { "api/v1/projects/site/index.json": "first" } });
    await expectOne([bed.deploy(SITE), bed.deploy(MOVED)]);
  });

  it("into a store that ignores conditions: the lease is read back", async () => {
    const store = bed.bucket.open();
    let planned = 0;
    const both = Promise.withResolvers<void>();
    const objects: ObjectStore = {
      ...store,
      async put(key, body, headers) {
        const stored = await store.put(key, body, headers);
        // Neither reads its lease back before the other has written.
        if (key === MANIFEST && ++planned === 2) both.resolve();
        await both.promise;
        return stored;
      },
    };
    await expectOne([bed.deploy(SITE, { objects }), bed.deploy(MOVED, { objects })]);
  });
});

describe("L6: a deploy that runs", () => {
  it("shows its life every ten seconds, and not any more when it is done", async () => {
    bed.bucket.before = ({ keys }) => keys[0] === ASSET && sleep(35_000);
    const beats: number[] = [];
    bed.bucket.after = ({ name, keys }) => {
      if (name === "put" && keys[0] === MANIFEST) beats.push(held()?.beat ?? -1);
    };
    await passing(bed.deploy());
    expect(beats.slice(0, 4)).toEqual([0, 1, 2, 3]);
    expect(beats.at(-1)).toBe(-1);
    const count = bed.bucket.changes.length;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(bed.bucket.changes).toHaveLength(count);
  });

  it("shows no life after it has failed", async () => {
    bed.bucket.before = ({ keys }) => {
      if (keys[0] === ASSET) throw new Error("cut");
    };
    await expect(bed.deploy()).rejects.toThrow("cut");
    const count = bed.bucket.changes.length;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(bed.bucket.changes).toHaveLength(count);
  });

  it("writes nothing more when another has taken over, which a heartbeat finds", async () => {
    bed.bucket.before = ({ keys }) => keys[0] === ASSET && sleep(35_000);
    setTimeout(() => writeLease({ deploy: "other", by: ELSEWHERE }), 5_000);
    await expect(passing(bed.deploy())).rejects.toMatchObject({ code: "deploy-running" });
    expect(bed.bucket.text(CONTENT)).toBeUndefined();
    expect(held()).toMatchObject({ by: ELSEWHERE });
  });

  it("that was asleep writes nothing when another has taken over", async () => {
    bed.bucket.after = ({ name, keys }) => {
      if (name !== "put" || keys[0] !== "404.json") return;
      // No timer has fired, as in a process that was stopped.
      vi.setSystemTime(Date.now() + 60_000);
      writeLease({ deploy: "other", by: ELSEWHERE });
    };
    const deployed = bed.deploy();
    await expect(deployed).rejects.toMatchObject({ code: "deploy-running" });
    expect(bed.bucket.keys().filter((key) => key !== MANIFEST)).toEqual(["404.json"]);
  });

  it("that was asleep goes on when no other has come", async () => {
    bed.bucket.after = ({ name, keys }) => {
      if (name === "put" && keys[0] === "404.json") vi.setSystemTime(Date.now() + 60_000);
    };
    await bed.deploy();
    expect(bed.texts()).toEqual(expectedTexts(SITE));
  });

  it("takes its own manifest for written when only the answer was lost", async () => {
    const store = bed.bucket.open();
    const objects: ObjectStore = {
      ...store,
      async put(key, ...rest) {
        const stored = await store.put(key, ...rest);
        return key === MANIFEST ? undefined : stored;
      },
    };
    await bed.deploy(SITE, { objects });
    await bed.deploy(MOVED, { objects });
    expect(bed.texts()).toEqual(expectedTexts(MOVED));
    expect(held()).toBeUndefined();
  });
});
