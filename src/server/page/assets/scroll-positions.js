/**
 * The scroll position of each view in the tab's history. The browser's own restoration would scroll
 * before the view is rendered.
 *
 * @type {Map<number, number>}
 */
const scrolled = new Map();
let current = 0;
let last = 0;

history.scrollRestoration = "manual";
addEventListener("scroll", () => scrolled.set(current, scrollY), { passive: true });

/**
 * Registers a navigation to a view.
 *
 * @returns {number | undefined} the position to restore when going back or forward; undefined in a
 *   new view
 */
export function enterView() {
  const known = history.state?.view;
  if (typeof known === "number" && scrolled.has(known)) {
    current = known;
    return scrolled.get(known);
  }
  last += 1;
  current = last;
  scrolled.set(current, 0);
  history.replaceState({ view: current }, "");
  return undefined;
}
