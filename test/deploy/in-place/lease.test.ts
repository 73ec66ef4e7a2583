import { execFileSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { thisProcess } from "../../../src/deploy/in-place/running-process.ts";
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
  const initial = { deploy: "d", by: ELSEWHERE, beat: 0, isStopped: false, workspaces: ["w"] };
  const claim = { ...initial, touches: [], ...bed.manifest().claim, ...changes };
  bed.bucket.put(MANIFEST, JSON.stringify({ ...bed.manifest(), claim }));
}

/** The seconds that a deploy takes. */
async function timed(deployed: Promise<unknown>): Promise<number> {
  const start = Date.now();
  await passing(deployed);
  return Math.round((Date.now() - start) / 1000);
}

const lease = () => bed.manifest().claim;

describe("L6: the lease of another deploy", () => {
  beforeEach(async () => {
    await bed.deploy();
  });

  it("is taken over after 30 s without a heartbeat, and its unfinished writes are completed or removed", async () => {
    writeLease({ touches: ["api/v1/projects/stray", CONTENT] });
    const count = bed.bucket.changes.length;
    expect(await timed(bed.deploy())).toBeGreaterThanOrEqual(30);
    expect(bed.notes).toEqual([expect.stringMatching(/process 12 on ci-7.*30 s/)]);
    expect(bed.texts()).toEqual(expectedTexts(SITE));
    expect(bed.changesSince(count)).toEqual([]);
    expect(lease()).toBeUndefined();
  });

  it("is not taken over while it has heartbeats, and nothing is changed", async () => {
    writeLease({});
    const texts = bed.texts();
    const heartbeats = setInterval(() => writeLease({ beat: (lease()?.beat ?? 0) + 1 }), 10_000);
    await expect(passing(bed.deploy(MOVED))).rejects.toMatchObject({ code: "deploy-running" });
    clearInterval(heartbeats);
    expect(bed.texts()).toEqual(texts);
    expect(lease()).toMatchObject({ by: ELSEWHERE });
  });

  it.each([
    ["is released", undefined],
    ["is stopped", { isStopped: true }],
  ])("ends the wait when it %s", async (_what, change) => {
    writeLease({});
    setTimeout(() => {
      if (change !== undefined) return writeLease(change);
      const { claim: _released, ...free } = bed.manifest();
      bed.bucket.put(MANIFEST, JSON.stringify(free));
    }, 7_000);
    expect(await timed(bed.deploy(MOVED))).toBeLessThan(15);
    expect(bed.texts()).toEqual(expectedTexts(MOVED));
  });

  it("is taken over at once when its deploy was stopped, or its local process has ended", async () => {
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

  it("is waited for while its local process runs", async () => {
    writeLease({ by: thisProcess() });
    expect(await timed(bed.deploy(MOVED))).toBeGreaterThanOrEqual(30);
  });

  it("is not waited for after an aborted signal", async () => {
    writeLease({});
    const reason = new Error("Ctrl-C");
    const stop = new AbortController();
    setTimeout(() => stop.abort(reason), 2_000);
    const before = bed.bucket.text(MANIFEST);
    await expect(passing(bed.deploy(MOVED, { signal: stop.signal }))).rejects.toBe(reason);
    expect(bed.bucket.text(MANIFEST)).toBe(before);
  });
});

describe("L6: two concurrent deploys", () => {
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

  it("into a bucket with a version: one of them writes, the other is refused", async () => {
    await bed.deploy({ w: { "api/v1/projects/site/index.json": "first" } });
    await expectOne([bed.deploy(SITE), bed.deploy(MOVED)]);
  });
});

describe("L6: a running deploy", () => {
  it("writes a heartbeat every ten seconds, and none after it has ended", async () => {
    bed.bucket.before = ({ keys }) => keys[0] === ASSET && sleep(35_000);
    const heartbeats: number[] = [];
    bed.bucket.after = ({ name, keys }) => {
      const beat = lease()?.beat ?? -1;
      if (name === "put" && keys[0] === MANIFEST && beat !== heartbeats.at(-1))
        heartbeats.push(beat);
    };
    await passing(bed.deploy());
    expect(heartbeats.slice(0, 4)).toEqual([0, 1, 2, 3]);
    expect(heartbeats.at(-1)).toBe(-1);
    const count = bed.bucket.changes.length;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(bed.bucket.changes).toHaveLength(count);
  });

  it("writes no heartbeat after it has failed", async () => {
    bed.bucket.before = ({ keys }) => {
      if (keys[0] === ASSET) throw new Error("cut");
    };
    await expect(bed.deploy()).rejects.toThrow("cut");
    const count = bed.bucket.changes.length;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(bed.bucket.changes).toHaveLength(count);
  });

  it("stops writing when a heartbeat detects that another has taken over its lease", async () => {
    bed.bucket.before = ({ keys }) => keys[0] === ASSET && sleep(35_000);
    setTimeout(() => writeLease({ deploy: "other", by: ELSEWHERE }), 5_000);
    await expect(passing(bed.deploy())).rejects.toMatchObject({ code: "deploy-superseded" });
    expect(bed.bucket.text(CONTENT)).toBeUndefined();
    expect(lease()).toMatchObject({ by: ELSEWHERE });
  });

  it("that was suspended writes nothing when another has taken over its lease", async () => {
    bed.bucket.after = ({ name, keys }) => {
      if (name !== "put" || keys[0] !== "404.json") return;
      // No timer fires, as in a suspended process.
      vi.setSystemTime(Date.now() + 60_000);
      writeLease({ deploy: "other", by: ELSEWHERE });
    };
    const deployed = bed.deploy();
    await expect(deployed).rejects.toMatchObject({ code: "deploy-superseded" });
    expect(bed.bucket.keys().filter((key) => key !== MANIFEST)).toEqual(["404.json"]);
  });

  it("that was suspended continues when its lease was not taken over", async () => {
    bed.bucket.after = ({ name, keys }) => {
      if (name === "put" && keys[0] === "404.json") vi.setSystemTime(Date.now() + 60_000);
    };
    await bed.deploy();
    expect(bed.texts()).toEqual(expectedTexts(SITE));
  });

  it("recognises its own manifest when only the response was lost", async () => {
    const objects = bed.losingResponses(MANIFEST);
    await bed.deploy(SITE, { objects });
    await bed.deploy(MOVED, { objects });
    expect(bed.texts()).toEqual(expectedTexts(MOVED));
    expect(lease()).toBeUndefined();
  });
});
