import {
  type Change,
  type ConnectionState,
  eventStream,
  type LiveMessage,
} from "./event-stream.ts";
import { listen } from "./listening.ts";

/** The name of the worker's bundle, which `page-files.ts` puts in. */
declare const LIVE_WORKER: string;
const WORKER = `/_svc/page/${LIVE_WORKER}`;

interface TrustedTypes {
  createPolicy(name: string, rules: object): { createScriptURL(url: string): string };
}

/** The only script URL that the page's policy lets a worker be made from. */
const workerUrl: string =
  (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes
    ?.createPolicy("live-worker", { createScriptURL: () => WORKER })
    .createScriptURL("") ?? WORKER;

/** The stream that all tabs share. */
function sharedStream(ticket: string, onMessage: (message: LiveMessage) => void) {
  const { port } = new SharedWorker(workerUrl, { name: ticket, type: "module" });
  port.onmessage = ({ data }) => onMessage(data);
  return { join: () => port.postMessage("join"), leave: () => port.postMessage("leave") };
}

/** A stream of the tab, for browsers that have no shared workers. */
function ownStream(ticket: string, onMessage: (message: LiveMessage) => void) {
  let source: EventSource | undefined;
  const leave = () => source?.close();
  const join = () => {
    leave();
    source = eventStream(ticket, onMessage);
  };
  return { join, leave };
}

let listening = { ticket: "", stop: () => {} };

/** Ends the stream, so that one of the same ticket is opened again. */
export function stopListening() {
  listening.stop();
  listening = { ticket: "", stop: () => {} };
}

/**
 * Listens for changes while the page is visible. The server sends the latest state on reconnect.
 * The browser reconnects automatically unless the server responded with an error. A stream of
 * another ticket ends; one of the same ticket continues.
 */
export function listenForChanges(
  ticket: string,
  onChange: (event: Change) => void,
  onState: (state: ConnectionState) => void,
) {
  if (listening.ticket === ticket) return;
  stopListening();
  const open = "SharedWorker" in globalThis ? sharedStream : ownStream;
  let isListening = true;
  const { join, leave } = open(ticket, (message) => {
    if (!isListening) return;
    if ("state" in message) onState(message.state);
    else onChange(message.change);
  });
  const onVisibility = () => (document.hidden ? leave() : join());
  const ends = [
    listen(["visibilitychange"], onVisibility, document),
    // A tab that is closed; one that is shown again from the browser's cache joins again.
    listen(["pagehide"], leave),
    listen(["pageshow"], onVisibility),
    leave,
  ];
  onVisibility();
  const stop = () => {
    isListening = false;
    for (const end of ends) end();
  };
  listening = { ticket, stop };
}
