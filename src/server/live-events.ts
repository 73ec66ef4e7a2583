import type { IncomingMessage, ServerResponse } from "node:http";
import type { Live, LiveState } from "./live.ts";

/** How long a browser waits before it reconnects, in milliseconds. */
const RETRY = 500;
/** How often a comment is sent, so that proxies keep the connection open, in milliseconds. */
const HEARTBEAT = 15_000;
/** A client with more unread bytes than this is disconnected. */
const MAXIMUM_UNREAD = 64 * 1024;

/**
 * Responds with server-sent events: `change` with `{ revision, faultCount }` at once and for each
 * new state, so that a client that reconnects misses none. The stream ends when `live` is closed.
 */
export function serveEvents(live: Live, request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200, {
    "Content-Type": "text/event-stream",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    // nginx would buffer events.
    "X-Accel-Buffering": "no",
  });
  if (request.method === "HEAD") return void response.end();
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
    clearInterval(heartbeat);
    offChange();
    offClose();
  });
}

function eventOf({ revision, faults }: LiveState): string {
  const data = JSON.stringify({ revision, faultCount: faults.length });
  return `id: ${revision}\nevent: change\ndata: ${data}\n\n`;
}
