import { useEffect, useState } from "preact/hooks";

/**
 * Listens to events, of the window if of nothing else.
 *
 * @returns what ends that
 */
export function listen<One extends Event>(
  types: readonly string[],
  listener: (event: One) => void,
  target: EventTarget = window,
): () => void {
  const end = new AbortController();
  const options = { signal: end.signal };
  for (const type of types) target.addEventListener(type, listener as EventListener, options);
  return () => end.abort();
}

/** The component is drawn again at each such event of the window; how often that was. */
export function useEvents(...types: readonly string[]): number {
  const [times, setTimes] = useState(0);
  const again = () => setTimes((count) => count + 1);
  useEffect(() => listen(types, again), []);
  return times;
}
