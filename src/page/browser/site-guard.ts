import { listen } from "./listening.ts";

/**
 * How soon after an input of the page none in the frame is believed, in milliseconds: browsers do not tell
 * in which of both it was, but nobody's hand is there as fast.
 */
const HURRY = 1000;
/** How long the news of a click in the frame may take, in milliseconds. */
const NEWS = 100;

/** When this page, and not the frame in it, last got an input, and by which key. */
let own = { at: Number.NEGATIVE_INFINITY, key: "" };
/** What had the focus in this page last. */
let focused: Element | null = null;

for (const type of ["pointerdown", "keydown"]) {
  const note = (event: Event) => {
    own = { at: performance.now(), key: event instanceof KeyboardEvent ? event.key : "" };
  };
  addEventListener(type, note, { capture: true, passive: true });
}
addEventListener("focusin", ({ target }) => {
  if (target instanceof Element && target.tagName !== "IFRAME") focused = target;
});

/** H47b: whether the reader has just clicked in the frame, so that it may lead to another view. */
export function isClickedIn(frame: HTMLIFrameElement): boolean {
  const isHurried = performance.now() - own.at < HURRY;
  return document.activeElement === frame && navigator.userActivation.isActive && !isHurried;
}

/**
 * H47b: gives the focus back to a field that the frame took it from, not the reader by pointer or key.
 *
 * @returns what ends that
 */
export function guardFocus(frame: HTMLIFrameElement): () => void {
  const giveBack = () => {
    if (document.activeElement !== frame || isClickedIn(frame)) return;
    if (focused instanceof HTMLElement && focused.matches("input, textarea, select")) {
      focused.focus({ preventScroll: true });
    }
  };
  const guard = () => {
    if (own.key === "Tab") return;
    setTimeout(giveBack, performance.now() - own.at < HURRY ? 0 : NEWS);
  };
  return listen(["blur"], guard);
}
