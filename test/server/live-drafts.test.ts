import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { LiveState } from "../../src/server/live.ts";
import { LiveDrafts } from "../../src/server/live-drafts.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { CliBed } from "../support/cli-bed.ts";
import { source, TestBed } from "../support/test-bed.ts";
import { page, smallWorkspace } from "../support/workspaces/small-workspace.ts";

let bed: TestBed;
let live: LiveDrafts;
let other: Store;
beforeEach(() => {
  bed = new TestBed(smallWorkspace());
  other = openStore(bed.store.file);
  live = new LiveDrafts(bed.store, (error) => expect.fail(String(error)));
  onTestFinished(() => {
    live.close();
    other.close();
  });
});

const nextState = () =>
  new Promise<LiveState>((resolve) => {
    const end = live.onChange((state) => {
      end();
      resolve(state);
    });
  });

describe("the live state of a store", () => {
  it("changes after each commit by another connection", async () => {
    const draft = smallWorkspace({ entries: [page("home", "Changed")] });
    const work = [
      () => other.import(source(draft), new Date()),
      () => other.write(() => other.tokens.create(1, { name: "a", createdAt: new Date() })),
    ];
    let { revision } = live.state();
    for (const change of work) {
      const next = nextState();
      change();
      const state = await next;
      expect(state).toEqual(live.state());
      expect(state).toMatchObject({ revision: revision + 1, faults: [] });
      expect(Date.now() - Date.parse(state.changedAt)).toBeLessThan(1000);
      revision = state.revision;
    }
  });

  it("changes after a publish by another process", { timeout: 30_000 }, async () => {
    const cli = new CliBed();
    const next = nextState();
    cli.ok("publish", "--store", bed.store.file);
    expect((await next).revision).toBe(2);
  });

  it("stays the same while nothing is committed, however often it is polled", async () => {
    const before = live.state();
    other.read(() => other.workspaces());
    expect(() =>
      other.write(() => {
        other.import(source(smallWorkspace()), new Date());
        throw new Error("undone");
      }),
    ).toThrow("undone");
    for (let turn = 0; turn < 3; turn += 1) live.poll();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(live.state()).toBe(before);
  });

  it("changes when the folder's faults change, and when they are fixed", () => {
    const states: LiveState[] = [];
    const end = live.onChange((state) => states.push(state));
    const fault = {
      code: "json-invalid",
      file: "models.json",
      line: 1,
      column: 2,
      message: "broken",
    };
    live.poll([fault]);
    live.poll([{ ...fault }]);
    live.poll();
    live.poll([]);
    end();
    live.poll([fault]);
    expect(states.map(({ revision, faults }) => [revision, faults])).toEqual([
      [2, [fault]],
      [3, []],
    ]);
  });

  it("rests for a second after a failed poll, and reports the failure once", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    let polls = 0;
    const failing = {
      changeMark: "",
      checkInPlace() {
        polls += 1;
        throw new Error("the store was replaced");
      },
    };
    const failures: string[] = [];
    const lost = new LiveDrafts(failing, ({ message }) => failures.push(message));
    onTestFinished(() => lost.close());
    vi.advanceTimersByTime(100);
    expect(polls).toBe(1);
    vi.advanceTimersByTime(10_000);
    expect(polls).toBeLessThanOrEqual(11);
    expect(polls).toBeGreaterThan(8);
    expect(failures).toEqual(["the store was replaced"]);
    expect(lost.state().faults).toMatchObject([{ message: "the store was replaced" }]);
  });

  it("calls no listener after it was closed", async () => {
    const calls: unknown[] = [];
    live.onChange((state) => calls.push(state));
    live.onClose(() => calls.push("closed"));
    live.onClose(() => calls.push("removed listener"))();
    live.close();
    live.close();
    other.import(source(smallWorkspace()), new Date());
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(calls).toEqual(["closed"]);
  });
});
