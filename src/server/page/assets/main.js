import { onNewKey, RequestError, request, storeKeyFromAddress } from "./access.js";
import { banners } from "./banners.js";
import { el } from "./element.js";
import {
  awayBanner,
  disconnectedBanner,
  errorState,
  noDraft,
  noWorkspace,
} from "./error-states.js";
import { focusView } from "./focus-view.js";
import { navigation, topBar } from "./frame-parts.js";
import { listenForChanges, stopListening } from "./live.js";
import { morph } from "./morph.js";
import { announce } from "./parts.js";
import { countProblems, problemCountsOf } from "./problem-counts.js";
import { route, viewHref } from "./router.js";
import { onSearch } from "./search-input.js";
import { viewAt } from "./views.js";

/** @typedef {import("../overview.ts").Overview & { eventsTicket: string }} Overview */

/** When a view or the event stream that the server did not answer is requested again, in milliseconds. */
const RETRY_DELAY = 1000;

/** @type {Overview | undefined} */
let overview;
/** @type {"live" | "waiting" | "ended"} */
let connection = "waiting";
let isNavOpen = false;
/** The view's state across redraws at the same address. */
let kept = { hash: "", values: new Map() };
/**
 * Of the draw in progress.
 *
 * @type {AbortController | undefined}
 */
let drawing;
/** Whether another draw was requested meanwhile. */
let isStale = false;
/** Whether the next draw follows a navigation, and whether it is the page's first. */
let isNavigating = false;
let isFirst = true;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let retryTimer;

const main = /** @type {HTMLElement} */ (document.getElementById("main"));

/**
 * Shows the view at the current address. A navigation aborts the draw in progress; redraws for
 * changes that arrive during a draw are combined into one.
 *
 * @param {{ isNew?: boolean, isAtOnce?: boolean }} [options]
 */
async function show({ isNew = false, isAtOnce = isNew } = {}) {
  clearTimeout(retryTimer);
  if (isAtOnce) drawing?.abort();
  else if (drawing !== undefined) {
    isStale = true;
    return;
  }
  if (isNew) main.setAttribute("aria-busy", "true");
  isNavigating ||= isNew;
  isStale = false;
  const mine = new AbortController();
  drawing = mine;
  if (kept.hash !== location.hash) kept = { hash: location.hash, values: new Map() };
  try {
    await draw(mine.signal);
  } catch (error) {
    if (!mine.signal.aborted) showError(error);
  }
  if (drawing === mine) drawing = undefined;
  if (drawing === undefined && isStale) await show();
}

/** @param {AbortSignal} signal */
async function draw(signal) {
  const here = route();
  const workspaceId = here.segments[0] ?? "";
  const loaded = request("data/overview", {}, { signal }).then((/** @type {Overview} */ data) => {
    overview = data;
    listen(data.eventsTicket);
    return data.workspaces.find(({ id }) => id === workspaceId);
  });
  const found = loaded.then((one) => one ?? Promise.reject(new Error("no such workspace")));
  const viewed = viewAt(here, {
    workspaceId,
    workspace: found,
    problems: problemCountsOf(workspaceId),
    redraw: () => void show(),
    kept: kept.values,
    signal,
  });
  // Without the workspace these reject, but `showNoWorkspace` handles that.
  for (const one of [found, viewed]) one.catch(() => undefined);
  const workspace = await loaded;
  if (workspace === undefined) return showNoWorkspace(here.segments);
  const { title, element } = await viewed;
  if (signal.aborted) return;
  document.title = `${title} · ${workspace.name}`;
  drawFrame();
  drawMain([banners(overview, workspaceId), element]);
  if (isNavigating) focusView(main, here.query.get("at"), isFirst);
  isNavigating = false;
  isFirst = false;
  countProblems(workspaceId, () => {
    drawFrame();
    if (route().segments.length === 1) void show();
  });
}

/** @param {readonly import("./element.js").Child[]} content */
function drawMain(content) {
  morph(main, el("main", { id: "main", tabindex: -1 }, content));
}

/** Draws the bar and the navigation around the view. */
function drawFrame() {
  const { segments, query } = route();
  const workspace = overview?.workspaces.find(({ id }) => id === segments[0]);
  const problems = workspace && problemCountsOf(workspace.id);
  const onNav = () => {
    isNavOpen = !isNavOpen;
    drawFrame();
  };
  const faultCount = overview?.faults.length ?? 0;
  const more = { query: query.get("q") ?? "", connection, isNavOpen, faultCount, onSearch, onNav };
  document.body.classList.toggle("is-nav-open", isNavOpen);
  replace("top", topBar(overview?.workspaces ?? [], workspace, more));
  if (workspace) replace("nav", navigation(workspace, segments, problems));
  // User input is not in the attributes that `morph` updates.
  const input = document.getElementById("search");
  if (input instanceof HTMLInputElement && input !== document.activeElement)
    input.value = more.query;
  const choice = document.querySelector("#top select");
  if (choice instanceof HTMLSelectElement && workspace) choice.value = workspace.id;
}

/**
 * @param {string} id
 * @param {Element} fresh
 */
function replace(id, fresh) {
  const old = document.getElementById(id);
  if (old) morph(old, fresh);
}

/** @param {readonly string[]} segments */
function showNoWorkspace(segments) {
  const [first] = overview?.workspaces ?? [];
  if (first && segments.length === 0) return location.replace(viewHref([first.id]));
  drawFrame();
  drawMain([
    banners(overview, segments[0]),
    first ? noWorkspace(first) : noDraft(overview?.faults.length !== 0),
  ]);
}

/** @param {unknown} error */
function showError(error) {
  const status = error instanceof RequestError ? error.status : -1;
  if (status === 401) {
    stopListening();
    connection = "ended";
  }
  const isAway = status === 0 || status === 503;
  if (isAway) retryTimer = setTimeout(show, RETRY_DELAY);
  // The last view stays while the server does not answer, or has another key.
  if (overview !== undefined && (isAway || (status === 401 && !isNavigating))) {
    main.removeAttribute("aria-busy");
    drawFrame();
    return warnAbove(isAway ? awayBanner() : disconnectedBanner());
  }
  isNavigating = false;
  drawFrame();
  const [workspaceId] = route().segments;
  drawMain([banners(overview, workspaceId), errorState(error, workspaceId)]);
}

/** @param {Element} banner above the view that stays */
function warnAbove(banner) {
  const shown = main.querySelector('[data-key="lost"]');
  if (shown?.textContent === banner.textContent) return;
  shown?.remove();
  main.prepend(banner);
}

/** @param {string} ticket */
function listen(ticket) {
  listenForChanges(
    ticket,
    async ({ revision }) => {
      if (revision === overview?.revision) return;
      await show();
      announce(`Updated at ${new Date().toLocaleTimeString("en")}.`);
    },
    (state) => {
      connection = state;
      drawFrame();
      if (state === "waiting") announce("The connection was lost. Reconnecting.");
      if (state !== "ended") return;
      // The server refuses the ticket (it was restarted with another key), or one more stream.
      stopListening();
      clearTimeout(retryTimer);
      retryTimer = setTimeout(show, RETRY_DELAY);
    },
  );
}

/** @param {Parameters<typeof show>[0]} [options] */
async function start(options = { isNew: true }) {
  await storeKeyFromAddress();
  await show(options);
}

onNewKey(() => void start({ isAtOnce: true }));

addEventListener("hashchange", () => {
  if (location.hash.startsWith("#key=")) return void start();
  isNavOpen = false;
  void show({ isNew: true });
});

document.querySelector(".skip")?.addEventListener("click", (event) => {
  // The fragment is the page's address: do not replace it.
  event.preventDefault();
  main.focus();
});

addEventListener("keydown", (event) => {
  const target = /** @type {Element} */ (event.target);
  if (
    event.key !== "/" ||
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    target.closest("input, textarea, select")
  )
    return;
  event.preventDefault();
  document.getElementById("search")?.focus();
});

void start();
