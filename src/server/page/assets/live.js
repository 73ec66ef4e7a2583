/**
 * Listens for changes while the page is visible. Browsers limit the connections to a server, so a
 * hidden tab closes its own; the server sends the latest state on reconnect. The browser reconnects
 * automatically unless the server responded with an error.
 *
 * @param {string} ticket
 * @param {(event: { revision: number, faultCount: number }) => void} onChange
 * @param {(state: "live" | "waiting" | "ended") => void} onState
 * @returns {() => void} stops listening
 */
export function listenForChanges(ticket, onChange, onState) {
  /** @type {EventSource | undefined} */
  let source;
  const connect = () => {
    const made = new EventSource(`/_svc/events?ticket=${encodeURIComponent(ticket)}`);
    made.addEventListener("open", () => onState("live"));
    made.addEventListener("error", () => {
      onState(made.readyState === EventSource.CLOSED ? "ended" : "waiting");
    });
    made.addEventListener("change", ({ data }) => onChange(JSON.parse(data)));
    source = made;
  };
  const onVisibility = () => {
    source?.close();
    if (!document.hidden) connect();
  };
  document.addEventListener("visibilitychange", onVisibility);
  onVisibility();
  return () => {
    document.removeEventListener("visibilitychange", onVisibility);
    source?.close();
  };
}
