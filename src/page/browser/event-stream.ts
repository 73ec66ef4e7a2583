export type Change = { revision: number; faultCount: number };
export type ConnectionState = "live" | "waiting" | "ended";
export type LiveMessage = { state: ConnectionState } | { change: Change };

export function eventStream(ticket: string, send: (message: LiveMessage) => void) {
  const source = new EventSource(`/_svc/events?ticket=${encodeURIComponent(ticket)}`);
  source.addEventListener("open", () => send({ state: "live" }));
  source.addEventListener("error", () => {
    send({ state: source.readyState === EventSource.CLOSED ? "ended" : "waiting" });
  });
  source.addEventListener("change", ({ data }) => send({ change: JSON.parse(data) }));
  return source;
}
