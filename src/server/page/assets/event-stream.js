/**
 * Opens the event stream.
 *
 * @param {string} ticket
 * @param {(message: import("./live.js").LiveMessage) => void} send
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
