import type { RefObject } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { isId } from "../../workspace/ids.ts";
import type { SiteState } from "../site-probe.ts";
import type { SiteView } from "../site-view.ts";
import { answerOf } from "./answers.ts";
import { listen } from "./listening.ts";
import { entryHref, route } from "./router.ts";

/** How often a site that does not answer is asked again, in milliseconds. */
const RETRY_DELAY = 2000;
/** How long the script of a site may take to answer before the site is loaded anew, in milliseconds. */
const SCRIPT_DELAY = 300;
/** No path in data has as many characters. */
const LONGEST_PLACE = 2000;

/** H46b: what a real site needs, without what leads away from the page or blocks it. */
const SANDBOX = "allow-scripts allow-same-origin allow-forms allow-popups";

export interface ShownPage {
  readonly project: string;
  readonly experience: string;
}

/** The site at an address in a frame, or why it is not there. */
export function SiteFrame({ page, view }: { page: ShownPage; view: SiteView }) {
  const { address } = view;
  const [state, ask] = useSiteState(page, address);
  const frame = useRef<HTMLIFrameElement>(null);
  const { origin } = new URL(address);
  const isShown = state === "answers" && origin !== location.origin;
  useMessages(frame, view, isShown);
  const isSame = origin === location.origin;
  const note = isSame
    ? "Your site has the address of this page. Give it another port."
    : SAID[state ?? "asked"];
  if (note !== undefined) {
    return (
      <p class="site-note" role="status">
        {note.replace("$ORIGIN", origin)}
      </p>
    );
  }
  return (
    <iframe
      key={address}
      ref={frame}
      class="site-frame"
      title="Your site"
      src={address}
      sandbox={SANDBOX}
      referrerpolicy="no-referrer"
      onLoad={ask}
    />
  );
}

const SAID: Readonly<Record<SiteState | "asked", string | undefined>> = {
  asked: "Asking your site…",
  silent: "Your site does not answer at $ORIGIN. Start it: this page tries again.",
  refuses:
    "Your site refuses to be shown in a frame (X-Frame-Options, or frame-ancestors in its Content-Security-Policy). Leave that out while you develop: this page tries again.",
  answers: undefined,
};

/** H46a: whether the site answers; asked at first, when its frame has loaded, and until it does. */
function useSiteState(page: ShownPage, address: string): [SiteState | undefined, () => void] {
  const [state, setState] = useState<SiteState>();
  const [asked, setAsked] = useState(0);
  const ask = () => setAsked((before) => before + 1);
  useEffect(() => {
    const asking = new AbortController();
    const { signal } = asking;
    let timer: ReturnType<typeof setTimeout> | undefined;
    answerOf("site-state", { ...page }, signal)
      .then((answer) => answer.state)
      // The preview does not answer itself: what is shown stays.
      .catch(() => (signal.aborted ? undefined : state))
      .then((found) => {
        if (signal.aborted) return;
        setState(found);
        if (found !== "answers") timer = setTimeout(ask, RETRY_DELAY);
      });
    return () => {
      asking.abort();
      clearTimeout(timer);
    };
  }, [address, asked]);
  return [state, ask];
}

type Frame = RefObject<HTMLIFrameElement | null>;

/** H47 to H47b: what this page and the script of the site tell each other. */
function useMessages(frame: Frame, { address, mark }: SiteView, isShown: boolean) {
  const { origin } = new URL(address);
  /** When the script last spoke. */
  const heard = useRef(0);
  const shown = useRef({ address, mark });
  const post = (message: object) => frame.current?.contentWindow?.postMessage(message, origin);

  useEffect(() => {
    const before = shown.current;
    shown.current = { address, mark };
    if (!isShown || before.address !== address || before.mark === mark) return;
    const asked = performance.now();
    post({ type: "svc:changed" });
    const timer = setTimeout(() => {
      if (heard.current < asked && frame.current) frame.current.src = address;
    }, SCRIPT_DELAY);
    return () => clearTimeout(timer);
  }, [address, mark, isShown]);

  useEffect(() => {
    const element = frame.current;
    if (!isShown || element === null) return;
    let place = "";
    const outline = () => post({ type: "svc:outline", at: place });
    const onMessage = ({ source, origin: from, data }: MessageEvent) => {
      if (from !== origin || source !== element.contentWindow) return;
      if (data?.type === "svc:hello") {
        heard.current = performance.now();
        outline();
      } else if (data?.type === "svc:open" && isClickedIn(element)) {
        open(data.at);
      }
    };
    const onPoint = ({ target }: Event) => {
      const pointed = placeOf(target);
      if (pointed === place) return;
      place = pointed;
      outline();
    };
    const ends = [
      listen(["message"], onMessage),
      listen(["pointerover", "focusin"], onPoint),
      guardFocus(element),
    ];
    return () => {
      for (const end of ends) end();
    };
  }, [address, isShown]);
}

/** Opens the field at `<entry>/<path>`, also when it is the view's already. */
function open(at: unknown) {
  if (typeof at !== "string" || at.length > LONGEST_PLACE) return;
  const [entry = "", ...path] = at.split("/");
  if (!isId(entry)) return;
  history.pushState(null, "", entryHref(entry, path.map((name) => `/${name}`).join("")));
  dispatchEvent(new HashChangeEvent("hashchange"));
}

/** The field that an element of the page shows, as `<entry>/<path>`; "" for all else. */
function placeOf(target: EventTarget | null): string {
  const field = target instanceof Element ? target.closest<HTMLElement>("main [data-path]") : null;
  const [, kind, id] = route().segments;
  const entry =
    field?.closest<HTMLElement>("[data-entry]")?.dataset.entry ??
    (kind === "entries" ? id : undefined);
  return entry === undefined || !field ? "" : entry + (field.dataset.path ?? "");
}

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
function isClickedIn(frame: HTMLIFrameElement): boolean {
  const isHurried = performance.now() - own.at < HURRY;
  return document.activeElement === frame && navigator.userActivation.isActive && !isHurried;
}

/**
 * H47b: gives the focus back to a field that the frame took it from, not the reader by pointer or key.
 *
 * @returns what ends that
 */
function guardFocus(frame: HTMLIFrameElement): () => void {
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
