/**
 * What the stream says.
 *
 * @typedef {{ revision: number, faultCount: number }} Change
 * @typedef {"live" | "waiting" | "ended"} ConnectionState
 * @typedef {{ state: ConnectionState } | { change: Change }} LiveMessage
 */

/**
 * Opens the event stream.
 *
 * @param {string} ticket
 * @param {(message: LiveMessage) => void} send
 */
export function eventStream(ticket, send) {
  const source = new EventSource(`/_svc/events?ticket=${encodeURIComponent(ticket)}`);
  source.addEventListener("open", () => send({ state: "live" }));
  source.addEventListener("error", () => {
    send({ state: source.readyState === EventSource.CLOSED ? "ended" : "waiting" });
  });
  source.addEventListener("change", ({ data }) => send({ change: JSON.parse(data) }));
  return source;
}
