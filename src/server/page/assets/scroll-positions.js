/**
 * How far the reader had scrolled in each view of the tab's history. The browser knows it too, but
 * it scrolls before the view is there.
 *
 * @type {Map<number, number>}
 */
const scrolled = new Map();
let current = 0;
let last = 0;

history.scrollRestoration = "manual";
addEventListener("scroll", () => scrolled.set(current, scrollY), { passive: true });

/**
 * Says that another view is shown now.
 *
 * @returns {number | undefined} how far to scroll where the reader came back; undefined in a view
 *   to which they came anew
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
