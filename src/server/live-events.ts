import type { IncomingMessage, ServerResponse } from "node:http";
import type { Headers } from "../http/published-headers.ts";
import type { LiveDrafts, LiveState } from "./live-drafts.ts";
import { respondProblem } from "./respond.ts";

/** H11: open event streams of one source. */
export const MAX_EVENT_STREAMS = 200;
/** How long a browser waits before it reconnects, in milliseconds. */
const RETRY = 500;
/** How often a comment is sent, so that proxies keep the connection open, in milliseconds. */
const HEARTBEAT = 15_000;
/** A client with more unread bytes than this is disconnected. */
const MAXIMUM_UNREAD = 64 * 1024;

/** How many streams each source has. */
const streams = new WeakMap<object, number>();

/** A stream that is open. */
export interface EventStream {
  /** Sends an event, as long as the client may read it. */
  send(event: string): void;
  /** Ends the stream of a client that may no longer read it. */
  check(): void;
}

/** Where events come from. */
interface EventSource {
  /** Called for each stream; returns what to do when it is closed. */
  start(stream: EventStream): () => void;
  readonly headers?: Headers;
  /** Whether the client may still read events. */
  mayRead?(): boolean;
}

/**
 * Responds with server-sent events, until `live` is closed or the client may no longer read them. H11:
 * with `MAX_EVENT_STREAMS` of this owner open, it responds with 503.
 */
export function streamEvents(
  { owner, live }: { readonly owner: object; readonly live: LiveDrafts },
  { start, headers, mayRead = () => true }: EventSource,
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
  const check = () => {
    if (!mayRead()) response.end();
  };
  const send = (text: string) => {
    check();
    if (response.writableEnded || response.destroyed) return;
    response.write(text);
    // A client that reconnects gets the latest state.
    if (response.writableLength > MAXIMUM_UNREAD) response.destroy();
  };
  send(`retry: ${RETRY}\n\n`);
  const heartbeat = setInterval(() => send(":\n\n"), HEARTBEAT);
  const stop = start({ send, check });
  const offClose = live.onClose(() => response.end());
  response.once("close", () => {
    streams.set(owner, (streams.get(owner) ?? 1) - 1);
    clearInterval(heartbeat);
    stop();
    offClose();
  });
}

/**
 * The page's events: `change` with `{ revision, faultCount }` at once and for each new state, so that a
 * client that reconnects misses none.
 */
export function serveEvents(
  live: LiveDrafts,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const start = ({ send }: EventStream) => {
    send(eventOf(live.state()));
    return live.onChange((state) => send(eventOf(state)));
  };
  streamEvents({ owner: live, live }, { start }, request, response);
}

function eventOf({ revision, faults }: LiveState): string {
  const data = { revision, faultCount: faults.length };
  return changeEvent(String(revision), JSON.stringify(data));
}

/** @param id of the state, which a client that reconnects names */
export function changeEvent(id: string, data: string): string {
  return `id: ${id}\nevent: change\ndata: ${data}\n\n`;
}
