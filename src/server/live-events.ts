import type { IncomingMessage, ServerResponse } from "node:http";
import type { LiveDrafts, LiveState } from "./live-drafts.ts";
import { respondProblem } from "./respond.ts";

/** H11: open event streams of a preview. */
export const MAX_EVENT_STREAMS = 200;
/** How long a browser waits before it reconnects, in milliseconds. */
const RETRY = 500;
/** How often a comment is sent, so that proxies keep the connection open, in milliseconds. */
const HEARTBEAT = 15_000;
/** A client with more unread bytes than this is disconnected. */
const MAXIMUM_UNREAD = 64 * 1024;

/** How many streams each source has. */
const streams = new WeakMap<LiveDrafts, number>();

/**
 * Responds with server-sent events: `change` with `{ revision, faultCount }` at once and for each
 * new state, so that a client that reconnects misses none. The stream ends when `live` is closed.
 * H11: with `MAX_EVENT_STREAMS` open, it responds with 503.
 */
export function serveEvents(
  live: LiveDrafts,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const open = streams.get(live) ?? 0;
  if (open >= MAX_EVENT_STREAMS) {
    respondProblem(response, "service-unavailable", { "Retry-After": 5 });
    return;
  }
  response.writeHead(200, {
    "Content-Type": "text/event-stream",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    // nginx would buffer events.
    "X-Accel-Buffering": "no",
  });
  if (request.method === "HEAD") return void response.end();
  streams.set(live, open + 1);
  const send = (text: string) => {
    response.write(text);
    // A client that reconnects gets the latest state.
    if (response.writableLength > MAXIMUM_UNREAD) response.destroy();
  };
  send(`retry: ${RETRY}\n\n${eventOf(live.state())}`);
  const heartbeat = setInterval(() => send(":\n\n"), HEARTBEAT);
  const offChange = live.onChange((state) => send(eventOf(state)));
  const offClose = live.onClose(() => response.end());
  response.once("close", () => {
    streams.set(live, (streams.get(live) ?? 1) - 1);
    clearInterval(heartbeat);
    offChange();
    offClose();
  });
}

function eventOf({ revision, faults }: LiveState): string {
  const data = JSON.stringify({ revision, faultCount: faults.length });
  return `id: ${revision}\nevent: change\ndata: ${data}\n\n`;
}
