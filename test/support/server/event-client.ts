import { get, type IncomingMessage } from "node:http";
import { onTestFinished } from "vitest";
import type { LiveState } from "../../../src/server/live.ts";
import { LiveDrafts } from "../../../src/server/live-drafts.ts";

/** A client of the event stream, with the text received so far. */
export class EventClient {
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

  static async connect(url: string, headers: Record<string, string> = {}): Promise<EventClient> {
    return new EventClient(await new Promise((resolve) => get(url, { headers }, resolve)));
  }

  /** The ids and the data of events, as far as they were received. */
  get events(): { readonly id: string; readonly data?: unknown }[] {
    return this.text.split("\n\n").flatMap((event) => {
      const [, id] = /^id: (.*)$/m.exec(event) ?? [];
      const [, data] = /^data: (.*)$/m.exec(event) ?? [];
      return id === undefined
        ? []
        : [{ id, ...(data !== undefined && { data: JSON.parse(data) }) }];
    });
  }

  /** Waits for so many. */
  async receivesEvents(count: number): Promise<EventClient["events"]> {
    while (this.events.length < count) {
      await new Promise((resolve) => this.answer.once("data", resolve));
    }
    return this.events;
  }

  async receives(part: string): Promise<void> {
    while (!this.text.includes(part)) {
      await new Promise((resolve) => this.answer.once("data", resolve));
    }
  }
}

/** A live store that counts its listeners. */
export class CountedLive extends LiveDrafts {
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
