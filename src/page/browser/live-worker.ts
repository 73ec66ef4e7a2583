import { eventStream, type LiveMessage } from "./event-stream.ts";

// H13: holds the event stream for every tab of the browser, as browsers open six connections to a server
// at most. The worker's name is the ticket: after a restart of the server, tabs share another one.

const ports = new Set<MessagePort>();
let source: EventSource | undefined;
/** The latest state of the connection, and the latest change, for tabs that join. */
let latest: { state?: LiveMessage; change?: LiveMessage } = {};

function send(message: LiveMessage) {
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

/** @param port of a tab that is visible */
function join(port: MessagePort) {
  ports.add(port);
  source ??= eventStream(self.name, send);
  for (const message of Object.values(latest)) port.postMessage(message);
}

/** @param port of a tab that is hidden or closed */
function leave(port: MessagePort) {
  ports.delete(port);
  if (ports.size === 0) forget();
}

addEventListener("connect", (event) => {
  const [port] = (event as MessageEvent).ports;
  if (port === undefined) return;
  port.onmessage = ({ data }) => (data === "join" ? join(port) : leave(port));
});
