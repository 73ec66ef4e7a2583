import { get, type IncomingMessage } from "node:http";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { listen, type RunningServer } from "../../src/server/listen.ts";
import type { LiveState } from "../../src/server/live.ts";
import { LiveDrafts } from "../../src/server/live-drafts.ts";
import { serveEvents } from "../../src/server/live-events.ts";
import { openStore } from "../../src/store/store.ts";
import { source, TestBed } from "../support/test-bed.ts";
import { smallWorkspace } from "../support/workspaces/small-workspace.ts";

/** A client of the event stream, with the text received so far. */
class EventClient {
  text = "";
  readonly answer: IncomingMessage;
  readonly ended: Promise<unknown>;

  private constructor(answer: IncomingMessage) {
    this.answer = answer;
    answer.setEncoding("utf8").on("data", (text) => {
      this.text += text;
    });
    this.ended = new Promise((resolve) => answer.on("error", () => {}).once("close", resolve));
    onTestFinished(() => void answer.destroy());
  }

  static async connect(url: string): Promise<EventClient> {
    return new EventClient(await new Promise((resolve) => get(url, resolve)));
  }

  async receives(passes: (text: string) => boolean): Promise<void> {
    while (!passes(this.text)) await new Promise((resolve) => this.answer.once("data", resolve));
  }
}

/** A live store that counts its listeners. */
class CountedLive extends LiveDrafts {
  listening = 0;

  override onChange(listener: (state: LiveState) => void): () => void {
    this.listening += 1;
    const end = super.onChange(listener);
    return () => {
      this.listening -= 1;
      end();
    };
  }
}

let bed: TestBed;
let live: CountedLive;
let server: RunningServer;
beforeEach(async () => {
  bed = new TestBed(smallWorkspace());
  live = new CountedLive(bed.store, (error) => expect.fail(String(error)));
  server = await listen((request, response) => serveEvents(live, request, response), {
    host: "127.0.0.1",
    port: 0,
  });
  onTestFinished(() => {
    live.close();
    return server.stop();
  });
});

let changes = 0;

function changeTheStore(): void {
  const other = openStore(bed.store.file);
  changes += 1;
  other.import(source(smallWorkspace({ name: `After ${changes} changes` })), new Date());
  other.close();
}

describe("the stream of events", () => {
  it("sends the current state at once, and each new one", async () => {
    const listener = await EventClient.connect(server.url);
    expect(listener.answer.headers).toMatchObject({
      "content-type": "text/event-stream",
      "cache-control": "no-store",
    });
    // Only the page of this server may read it.
    expect(listener.answer.headers["access-control-allow-origin"]).toBeUndefined();
    changeTheStore();
    await listener.receives((text) => text.includes("id: 2\n"));
    live.poll([{ code: "json-invalid", file: "models.json", message: "broken" }]);
    await listener.receives((text) => text.includes("id: 3\n"));
    expect(listener.text).toBe(
      "retry: 500\n\n" +
        'id: 1\nevent: change\ndata: {"revision":1,"faultCount":0}\n\n' +
        'id: 2\nevent: change\ndata: {"revision":2,"faultCount":0}\n\n' +
        'id: 3\nevent: change\ndata: {"revision":3,"faultCount":1}\n\n',
    );
  });

  it("sends the latest state to a client that reconnects", async () => {
    const first = await EventClient.connect(server.url);
    await first.receives((text) => text.includes("id: 1\n"));
    first.answer.destroy();
    changeTheStore();
    live.poll();
    const second = await EventClient.connect(server.url);
    await second.receives((text) => text.includes("id: 2\n"));
  });

  it("removes many clients that disconnect, and serves those that stay", async () => {
    const staying = await EventClient.connect(server.url);
    const leaving = await Promise.all(
      Array.from({ length: 100 }, () => EventClient.connect(server.url)),
    );
    expect(live.listening).toBe(101);
    for (const { answer } of leaving) answer.destroy();
    await Promise.all(leaving.map(({ ended }) => ended));
    live.poll([{ code: "json-invalid", file: "a.json", message: "broken" }]);
    await staying.receives((text) => text.includes('"faultCount":1'));
    // The server notices a moment later.
    while (live.listening > 1) await new Promise((resolve) => setTimeout(resolve, 5));
  });

  it("ends as soon as the server stops", async () => {
    const listeners = await Promise.all([1, 2, 3].map(() => EventClient.connect(server.url)));
    const start = Date.now();
    live.close();
    await server.stop();
    await Promise.all(listeners.map(({ ended }) => ended));
    expect(listeners.every(({ answer }) => answer.complete)).toBe(true);
    expect(Date.now() - start).toBeLessThan(1000);
  });
});
