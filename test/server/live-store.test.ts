import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import type { LiveState } from "../../src/server/live.ts";
import { LiveStore } from "../../src/server/live-store.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { CliBed } from "../support/cli-bed.ts";
import { source, TestBed } from "../support/test-bed.ts";
import { page, smallWorkspace } from "../support/workspaces/small-workspace.ts";

let bed: TestBed;
let live: LiveStore;
let other: Store;
beforeEach(() => {
  bed = new TestBed(smallWorkspace());
  other = openStore(bed.store.file);
  live = new LiveStore(bed.store, (error) => expect.fail(String(error)));
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
  it("is a new one after whatever another connection commits: imports, publishes, rollbacks", async () => {
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

  it("is a new one after what a process of its own does", { timeout: 30_000 }, async () => {
    const cli = new CliBed();
    const next = nextState();
    cli.ok("publish", "--store", bed.store.file);
    expect((await next).revision).toBe(2);
  });

  it("stays the same while nothing is committed, however often it is looked at", async () => {
    const before = live.state();
    other.read(() => other.workspaces());
    expect(() =>
      other.write(() => {
        other.import(source(smallWorkspace()), new Date());
        throw new Error("undone");
      }),
    ).toThrow("undone");
    for (let turn = 0; turn < 3; turn += 1) live.look();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(live.state()).toBe(before);
  });

  it("is a new one when the folder's faults are others, and when they are mended", () => {
    const told: LiveState[] = [];
    const end = live.onChange((state) => told.push(state));
    const fault = { file: "models.json", line: 1, column: 2, message: "broken" };
    live.look([fault]);
    live.look([{ ...fault }]);
    live.look();
    live.look([]);
    end();
    live.look([fault]);
    expect(told.map(({ revision, faults }) => [revision, faults])).toEqual([
      [2, [fault]],
      [3, []],
    ]);
  });

  it("that is closed is told no more", async () => {
    const told: unknown[] = [];
    live.onChange((state) => told.push(state));
    live.onClose(() => told.push("closed"));
    live.onClose(() => told.push("not asked for any more"))();
    live.close();
    live.close();
    other.import(source(smallWorkspace()), new Date());
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(told).toEqual(["closed"]);
  });
});
