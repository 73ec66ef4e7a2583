import { eventStream } from "./event-stream.js";

/** @typedef {import("./event-stream.js").Change} Change */
/** @typedef {import("./event-stream.js").ConnectionState} ConnectionState */
/** @typedef {import("./event-stream.js").LiveMessage} LiveMessage */

const WORKER = "/_svc/page/live-worker.js";

/**
 * The only script URL that the page's policy lets a worker be made from.
 *
 * @type {string}
 */
const workerUrl =
  /** @type {any} */ (globalThis).trustedTypes
    ?.createPolicy("live-worker", { createScriptURL: () => WORKER })
    .createScriptURL("") ?? WORKER;

/**
 * The stream that all tabs share.
 *
 * @param {string} ticket
 * @param {(message: LiveMessage) => void} onMessage
 */
function sharedStream(ticket, onMessage) {
  const { port } = new SharedWorker(workerUrl, { name: ticket, type: "module" });
  port.onmessage = ({ data }) => onMessage(data);
  return { join: () => port.postMessage("join"), leave: () => port.postMessage("leave") };
}

/**
 * A stream of the tab, for browsers that have no shared workers.
 *
 * @param {string} ticket
 * @param {(message: LiveMessage) => void} onMessage
 */
function ownStream(ticket, onMessage) {
  /** @type {EventSource | undefined} */
  let source;
  const leave = () => source?.close();
  const join = () => {
    leave();
    source = eventStream(ticket, onMessage);
  };
  return { join, leave };
}

/** The stream that is listened to. */
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
 *
 * @param {string} ticket
 * @param {(event: Change) => void} onChange
 * @param {(state: ConnectionState) => void} onState
 */
export function listenForChanges(ticket, onChange, onState) {
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
  document.addEventListener("visibilitychange", onVisibility);
  // A tab that is closed; one that is shown again from the browser's cache joins again.
  addEventListener("pagehide", leave);
  addEventListener("pageshow", onVisibility);
  onVisibility();
  const stop = () => {
    isListening = false;
    document.removeEventListener("visibilitychange", onVisibility);
    removeEventListener("pagehide", leave);
    removeEventListener("pageshow", onVisibility);
    leave();
  };
  listening = { ticket, stop };
}
