import { enterView } from "./scroll-positions.js";

/**
 * Sets scroll position and focus in a new view: to the last position when going back, else to the
 * value at a JSON Pointer, else to the heading.
 *
 * @param {Element} view
 * @param {string | null} at JSON Pointer into the record that the view shows
 * @param {boolean} isFirst whether the page was just opened: then the focus stays at its top
 */
export function focusView(view, at, isFirst) {
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

/**
 * Scrolls a graph that is wider than the window to its middle.
 *
 * @param {Element} view
 */
function centreGraph(view) {
  const frame = view.querySelector(".graph-frame");
  const first = frame?.querySelector(".node");
  if (!frame || !first) return;
  const [outer, inner] = [frame.getBoundingClientRect(), first.getBoundingClientRect()];
  frame.scrollLeft += inner.left - outer.left - outer.width / 2;
}

/**
 * The element for a JSON Pointer, or for its nearest parent that has one. Opens folds on the way.
 *
 * @param {Element} view
 * @param {string} at
 * @returns {HTMLElement | undefined}
 */
function placeIn(view, at) {
  for (let path = at; path !== ""; path = path.slice(0, path.lastIndexOf("/"))) {
    const target = view.querySelector(`[data-path="${CSS.escape(path)}"]`);
    if (!(target instanceof HTMLElement)) continue;
    const folds = path === at ? [] : target.querySelectorAll("details.rest:not([open])");
    if (folds.length === 0) return target;
    for (const fold of folds) /** @type {Element & { unfold: () => void }} */ (fold).unfold();
    return placeIn(view, at);
  }
  return undefined;
}
