const STORAGE_ITEM = "svc-preview-scrolled";
/** Of how many views the position is kept. */
const KEPT = 50;

/**
 * H23: the scroll position of each view in the tab's history, also after the page was loaded again. The
 * browser's own restoration would scroll before the view is rendered.
 */
const scrolled = new Map<number, number>(JSON.parse(sessionStorage.getItem(STORAGE_ITEM) ?? "[]"));
let current = 0;
let last = Math.max(0, ...scrolled.keys());

history.scrollRestoration = "manual";
addEventListener("scroll", remember, { passive: true });
addEventListener("pagehide", () => {
  // Of the last scrolling there may have been no event yet: those come with the next frame.
  remember();
  sessionStorage.setItem(STORAGE_ITEM, JSON.stringify([...scrolled].slice(-KEPT)));
});

function remember() {
  if (restoring.signal.aborted) scrolled.set(current, scrollY);
}

/** Ends what is left of a restoration: at another view, and once the reader does something. */
let restoring = new AbortController();

/** Scrolls to a position, again while the view grows, as rows of a long list come later. */
function restore(view: Element, top: number) {
  restoring = new AbortController();
  const { signal } = restoring;
  const growing = new ResizeObserver(() => {
    scrollTo({ top, behavior: "instant" });
    if (scrollY > top - 1) restoring.abort();
  });
  signal.addEventListener("abort", () => growing.disconnect());
  for (const input of ["wheel", "keydown", "pointerdown"] as const) {
    addEventListener(input, () => restoring.abort(), { signal, passive: true });
  }
  growing.observe(view);
}

/**
 * Sets scroll position and focus in a new view: to the last position when going back, else to the
 * value at a JSON Pointer, else to the heading.
 *
 * @param at JSON Pointer into the record that the view shows
 * @param isFirst whether the page was just opened: then the focus stays at its top
 */
export async function focusView(view: Element, at: string | null, isFirst: boolean) {
  restoring.abort();
  const before = enterView();
  const target = at && before === undefined ? await placeIn(view, at) : undefined;
  if (target !== undefined) {
    target.focus({ preventScroll: true });
    target.scrollIntoView({ block: "center", behavior: "instant" });
    return;
  }
  if (before) restore(view, before);
  scrollTo({ top: before ?? 0, behavior: "instant" });
  // Do not interrupt typing.
  if (isFirst || document.activeElement?.id === "search") return;
  const heading = view.querySelector("h1");
  if (heading instanceof HTMLElement) heading.focus({ preventScroll: true });
}

/** The element for a JSON Pointer, or for its nearest parent that has one. Opens folds on the way. */
async function placeIn(view: Element, at: string): Promise<HTMLElement | undefined> {
  for (let path = at; path !== ""; path = path.slice(0, path.lastIndexOf("/"))) {
    const target = view.querySelector(`[data-path="${CSS.escape(path)}"]`);
    if (!(target instanceof HTMLElement)) continue;
    const closed = path === at ? [] : target.querySelectorAll("details.rest:not([open])");
    // Not those of blocks in it, which have places of their own.
    const folds = [...closed].filter((one) => one.parentElement?.closest("[data-path]") === target);
    if (folds.length === 0) return target;
    for (const fold of folds) {
      fold.setAttribute("open", "");
      fold.dispatchEvent(new Event("toggle"));
    }
    // Their contents are rendered before the next task.
    await new Promise((resolve) => setTimeout(resolve));
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
  const before = history.state?.view;
  if (typeof before === "number" && scrolled.has(before)) {
    current = before;
    return scrolled.get(before);
  }
  last += 1;
  current = last;
  scrolled.set(current, 0);
  history.replaceState({ view: current }, "");
  return undefined;
}
