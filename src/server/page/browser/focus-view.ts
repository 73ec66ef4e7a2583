/**
 * The scroll position of each view in the tab's history. The browser's own restoration would scroll
 * before the view is rendered.
 */
const scrolled = new Map<number, number>();
let current = 0;
let last = 0;

history.scrollRestoration = "manual";
addEventListener("scroll", () => scrolled.set(current, scrollY), { passive: true });

/**
 * Sets scroll position and focus in a new view: to the last position when going back, else to the
 * value at a JSON Pointer, else to the heading.
 *
 * @param at JSON Pointer into the record that the view shows
 * @param isFirst whether the page was just opened: then the focus stays at its top
 */
export function focusView(view: Element, at: string | null, isFirst: boolean) {
  centreGraph(view);
  const known = enterView();
  const target = at && known === undefined ? placeIn(view, at) : undefined;
  if (target !== undefined) {
    target.focus({ preventScroll: true });
    target.scrollIntoView({ block: "center", behavior: "instant" });
    return;
  }
  scrollTo({ top: known ?? 0, behavior: "instant" });
  // Do not interrupt typing.
  if (isFirst || document.activeElement?.id === "search") return;
  const heading = view.querySelector("h1");
  if (heading instanceof HTMLElement) heading.focus({ preventScroll: true });
}

/** Scrolls a graph that is wider than the window to its middle. */
function centreGraph(view: Element) {
  const frame = view.querySelector(".graph-frame");
  const first = frame?.querySelector(".node");
  if (!frame || !first) return;
  const [outer, inner] = [frame.getBoundingClientRect(), first.getBoundingClientRect()];
  frame.scrollLeft += inner.left - outer.left - outer.width / 2;
}

/** The element for a JSON Pointer, or for its nearest parent that has one. Opens folds on the way. */
function placeIn(view: Element, at: string): HTMLElement | undefined {
  for (let path = at; path !== ""; path = path.slice(0, path.lastIndexOf("/"))) {
    const target = view.querySelector(`[data-path="${CSS.escape(path)}"]`);
    if (!(target instanceof HTMLElement)) continue;
    const folds = path === at ? [] : target.querySelectorAll("details.rest:not([open])");
    if (folds.length === 0) return target;
    for (const fold of folds) (fold as Element & { unfold: () => void }).unfold();
    return placeIn(view, at);
  }
  return undefined;
}

/**
 * Registers a navigation to a view.
 *
 * @returns the position to restore when going back or forward; undefined in a new view
 */
function enterView(): number | undefined {
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
