import { eventStream } from "./event-stream.js";

// Holds the event stream for every tab of the browser, as browsers open six connections to a server
// at most. The worker's name is the ticket: after a restart of the server, tabs share another one.

/** @typedef {import("./event-stream.js").LiveMessage} LiveMessage */

/** @type {Set<MessagePort>} */
const ports = new Set();
/** @type {EventSource | undefined} */
let source;
/**
 * The latest state of the connection, and the latest change, for tabs that join.
 *
 * @type {{ state?: LiveMessage, change?: LiveMessage }}
 */
let latest = {};

/** @param {LiveMessage} message */
function send(message) {
  latest = { ...latest, ...("state" in message ? { state: message } : { change: message }) };
  for (const port of ports) port.postMessage(message);
  // Tabs that join later request a new one.
  if ("state" in message && message.state === "ended") forget();
}

function forget() {
  source?.close();
  source = undefined;
  latest = {};
}

/** @param {MessagePort} port of a tab that is visible */
function join(port) {
  ports.add(port);
  source ??= eventStream(self.name, send);
  for (const message of Object.values(latest)) port.postMessage(message);
}

/** @param {MessagePort} port of a tab that is hidden or closed */
function leave(port) {
  ports.delete(port);
  if (ports.size === 0) forget();
}

addEventListener("connect", (event) => {
  const [port] = /** @type {MessageEvent} */ (event).ports;
  if (port === undefined) return;
  port.onmessage = ({ data }) => (data === "join" ? join(port) : leave(port));
});
