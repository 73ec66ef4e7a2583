import { route, viewHref } from "./router.js";

/** The debounce of the search input, in milliseconds. */
const SEARCH_DELAY = 80;

/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/**
 * Shows the entries that match; submitting moves the focus to the first.
 *
 * @param {string} query
 * @param {boolean} isSubmitted
 */
export function onSearch(query, isSubmitted) {
  clearTimeout(timer);
  const workspace = route().segments[0];
  if (workspace === undefined) return;
  const target = viewHref([workspace, "entries"], query.trim() === "" ? {} : { q: query });
  const go = () => {
    const isSearching = route().segments[1] === "entries" && route().segments.length === 2;
    if (isSearching) location.replace(target);
    else location.hash = target;
  };
  if (!isSubmitted) timer = setTimeout(go, SEARCH_DELAY);
  else {
    go();
    const first = document.querySelector("main windowed-list a");
    if (first instanceof HTMLElement) first.focus();
  }
}
