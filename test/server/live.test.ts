import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { LIMITS, listen, type RunningServer } from "../../src/server/listen.ts";
import type { LiveState } from "../../src/server/live.ts";
import { LiveDrafts } from "../../src/server/live-drafts.ts";
import { serveEvents } from "../../src/server/live-events.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { CountedLive, EventClient } from "../support/server/event-client.ts";
import { source, TestBed } from "../support/test-bed.ts";
import { page, smallWorkspace } from "../support/workspaces/small-workspace.ts";

let live: CountedLive;
let other: Store;
beforeEach(() => {
  const bed = new TestBed(smallWorkspace());
  other = openStore(bed.store.file);
  live = new CountedLive(bed.store, (error) => expect.fail(String(error)));
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

const importInto = (store: Store, title: string) =>
  store.import(source(smallWorkspace({ entries: [page("home", title)] })), new Date());
const fault = { code: "json-invalid", file: "models.json", line: 1, column: 2, message: "broken" };

describe("the live state of a store", () => {
  it("changes after each commit by another connection", async () => {
    let { revision } = live.state();
    for (const change of [
      () => importInto(other, "Changed"),
      () => other.write(() => other.tokens.create(1, { name: "a", createdAt: new Date() })),
    ]) {
      const next = nextState();
      change();
      const state = await next;
      expect(state).toEqual(live.state());
      expect(state).toMatchObject({ revision: revision + 1, faults: [] });
      expect(Date.now() - Date.parse(state.changedAt)).toBeLessThan(10_000);
      revision = state.revision;
    }
  });

  it("stays the same while nothing is committed, however often it is polled", async () => {
    const before = live.state();
    other.read(() => other.workspaces());
    const undone = () => {
      importInto(other, "Undone");
      throw new Error("undone");
    };
    expect(() => other.write(undone)).toThrow("undone");
    for (let turn = 0; turn < 3; turn += 1) live.poll();
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(live.state()).toBe(before);
  });

  it("changes when the folder's faults change, and when they are fixed", () => {
    const states: LiveState[] = [];
    const end = live.onChange((state) => states.push(state));
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
    importInto(other, "Changed");
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(calls).toEqual(["closed"]);
  });
});

describe("the stream of events", () => {
  let server: RunningServer;
  beforeEach(async () => {
    const limits = { ...LIMITS, keepAliveTimeout: 3_600_000, idleTimeout: 3_600_000 };
    const address = { host: "127.0.0.1", port: 0, limits };
    server = await listen((request, response) => serveEvents(live, request, response), address);
    onTestFinished(() => {
      live.close();
      return server.stop();
    });
  });

  it("sends the current state at once, also after a reconnection, and each new one", async () => {
    const client = await EventClient.connect(server.url);
    expect(client.answer.headers).toMatchObject({
      "content-type": "text/event-stream",
      "cache-control": "no-store",
    });
    // Only the page of this server may read it.
    expect(client.answer.headers["access-control-allow-origin"]).toBeUndefined();
    importInto(other, "Changed");
    await client.receives("id: 2\n");
    live.poll([fault]);
    await client.receives("id: 3\n");
    const event = (revision: number, faultCount: number) =>
      `id: ${revision}\nevent: change\ndata: ${JSON.stringify({ revision, faultCount })}\n\n`;
    expect(client.text).toBe(`retry: 500\n\n${event(1, 0)}${event(2, 0)}${event(3, 1)}`);
    client.answer.destroy();
    await (await EventClient.connect(server.url)).receives("id: 3\n");
  });

  it("removes many clients that disconnect, and serves those that stay", async () => {
    const staying = await EventClient.connect(server.url);
    const leaving = await Promise.all(
      Array.from({ length: 100 }, () => EventClient.connect(server.url)),
    );
    expect(live.listening).toBe(101);
    for (const { answer } of leaving) answer.destroy();
    await Promise.all(leaving.map(({ ended }) => ended));
    live.poll([fault]);
    await staying.receives('"faultCount":1');
    // The server notices a moment later.
    while (live.listening > 1) await new Promise((resolve) => setTimeout(resolve, 5));
  });

  it("ends as soon as the server stops", async () => {
    const listeners = await Promise.all([1, 2, 3].map(() => EventClient.connect(server.url)));
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    live.close();
    // Neither at the end of its grace period, nor when Node closes idle connections.
    await server.stop();
    await Promise.all(listeners.map(({ ended }) => ended));
    expect(listeners.every(({ answer }) => answer.complete)).toBe(true);
  });
});
