import type { IncomingMessage, ServerResponse } from "node:http";
import type { Live, LiveState } from "./live.ts";

/** How long a browser waits before it connects again, in milliseconds. */
const RETRY = 500;
/** How often a comment tells proxies and the system that the stream is alive, in milliseconds. */
const HEARTBEAT = 15_000;
/** More than this, in bytes, is not kept for a client that does not read. */
const UNREAD = 64 * 1024;

/**
 * Answers with a stream of server-sent events: `change` with `{ revision, faultCount }` now and at
 * each new state, so that nothing is missed between two connections. It ends with the live state.
 */
export function serveEvents(live: Live, request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(200, {
    "Content-Type": "text/event-stream",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    // nginx would hold events back.
    "X-Accel-Buffering": "no",
  });
  if (request.method === "HEAD") return void response.end();
  const send = (text: string) => {
    response.write(text);
    // Whoever comes back is told the newest state.
    if (response.writableLength > UNREAD) response.destroy();
  };
  send(`retry: ${RETRY}\n\n${eventOf(live.state())}`);
  const heartbeat = setInterval(() => send(":\n\n"), HEARTBEAT);
  const endListening = live.onChange((state) => send(eventOf(state)));
  const endWaiting = live.onClose(() => response.end());
  response.once("close", () => {
    clearInterval(heartbeat);
    endListening();
    endWaiting();
  });
}

function eventOf({ revision, faults }: LiveState): string {
  const data = JSON.stringify({ revision, faultCount: faults.length });
  return `id: ${revision}\nevent: change\ndata: ${data}\n\n`;
}
