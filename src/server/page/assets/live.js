/**
 * Hears of changes for as long as the page is seen. A browser has few connections to a server, so
 * a tab that is hidden holds none; it is told the newest state when it is seen again. The browser
 * connects again by itself, unless the server refused.
 *
 * @param {string} ticket
 * @param {(event: { revision: number, faultCount: number }) => void} onChange
 * @param {(state: "live" | "waiting" | "ended") => void} onState
 * @returns {() => void} ends it
 */
export function listen(ticket, onChange, onState) {
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
