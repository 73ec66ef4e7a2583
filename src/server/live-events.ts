import type { IncomingMessage, ServerResponse } from "node:http";
import type { Headers } from "../http/published-headers.ts";
import type { Live, LiveState } from "./live.ts";
import { respondProblem } from "./respond.ts";

/** H11: open event streams of one owner. */
export const MAX_EVENT_STREAMS = 200;
/** How long a browser waits before it reconnects, in milliseconds. */
const RETRY = 500;
/** How often a comment is sent, so that proxies keep the connection open, in milliseconds. */
export const HEARTBEAT = 15_000;
/** A client with more unread bytes than this is disconnected. */
const MAXIMUM_UNREAD = 64 * 1024;

/** How many streams each owner has. */
const streams = new WeakMap<object, number>();

interface EventSource {
  /** Whose streams are counted together (H11). */
  readonly owner: object;
  readonly live: Live;
  readonly headers?: Headers;
  /** Called for each stream; returns what to do when it is closed. */
  readonly start: (send: (text: string) => void, end: () => void) => () => void;
}

/**
 * The page's events: `change` with `{ revision, faultCount }` at once and for each new state, so that a
 * client that reconnects misses none.
 */
export function serveEvents(live: Live, request: IncomingMessage, response: ServerResponse): void {
  const start = (send: (text: string) => void) => {
    send(eventOf(live.state()));
    return live.onChange((state) => send(eventOf(state)));
  };
  streamEvents({ owner: live, live, start }, request, response);
}

/**
 * Responds with server-sent events, until `live` is closed. H11: with `MAX_EVENT_STREAMS` open, it
 * responds with 503.
 */
export function streamEvents(
  { owner, live, headers, start }: EventSource,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const open = streams.get(owner) ?? 0;
  if (open >= MAX_EVENT_STREAMS) {
    respondProblem(response, "service-unavailable", { ...headers, "Retry-After": 5 });
    return;
  }
  response.writeHead(200, {
    ...headers,
    "Content-Type": "text/event-stream",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    // nginx would buffer events.
    "X-Accel-Buffering": "no",
  });
  if (request.method === "HEAD") return void response.end();
  streams.set(owner, open + 1);
  const send = (text: string) => {
    if (response.writableEnded || response.destroyed) return;
    response.write(text);
    // A client that reconnects gets the latest state.
    if (response.writableLength > MAXIMUM_UNREAD) response.destroy();
  };
  send(`retry: ${RETRY}\n\n`);
  const heartbeat = setInterval(() => send(":\n\n"), HEARTBEAT);
  const end = () => void response.end();
  const stop = start(send, end);
  const offClose = live.onClose(end);
  response.once("close", () => {
    streams.set(owner, (streams.get(owner) ?? 1) - 1);
    clearInterval(heartbeat);
    stop();
    offClose();
  });
}

function eventOf({ revision, faults }: LiveState): string {
  return changeEvent(String(revision), JSON.stringify({ revision, faultCount: faults.length }));
}

/** @param id of the state, which a client that reconnects names */
export function changeEvent(id: string, data: string): string {
  return `id: ${id}\nevent: change\ndata: ${data}\n\n`;
}
