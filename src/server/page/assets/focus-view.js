import { enterView } from "./scroll-positions.js";

/**
 * Brings the reader to a view: to where they were if they come back to it, else to the place that
 * a problem names, or to its heading.
 *
 * @param {Element} view
 * @param {string | null} at JSON Pointer into the record that the view shows
 * @param {boolean} isFirst whether the page was just opened: then the keyboard starts at its top
 */
export function arrive(view, at, isFirst) {
  centreGraph(view);
  const known = enterView();
  const target = at && known === undefined ? placeIn(view, at) : undefined;
  if (target !== undefined) {
    target.focus({ preventScroll: true });
    target.scrollIntoView({ block: "center", behavior: "instant" });
    return;
  }
  scrollTo({ top: known ?? 0, behavior: "instant" });
  // Whoever is typing goes on.
  if (isFirst || document.activeElement?.id === "search") return;
  const heading = view.querySelector("h1");
  if (heading instanceof HTMLElement) heading.focus({ preventScroll: true });
}

/**
 * Where a picture is wider than the window, its middle is seen first.
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
 * The element of a place; where nothing is shown for it, of what is around it. What is folded on
 * the way is opened.
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
