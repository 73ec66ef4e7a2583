import type { Overview, WorkspaceLine } from "../project-view.ts";
import { onNewKey, RequestError, request, storeKeyFromAddress } from "./access.ts";
import { type Child, el } from "./element.ts";
import type { ConnectionState } from "./event-stream.ts";
import { focusView } from "./focus-view.ts";
import { navigation, topBar } from "./frame-parts.ts";
import { listenForChanges, stopListening } from "./live.ts";
import { morph } from "./morph.ts";
import {
  awayBanner,
  disconnectedBanner,
  errorState,
  faultsBanner,
  noDraft,
  noWorkspace,
} from "./notices.ts";
import { announce, type Counts } from "./parts.ts";
import { route, viewHref } from "./router.ts";
import { type KeptState, viewAt } from "./views.ts";

/** When a view or the event stream that the server did not answer is requested again, in milliseconds. */
const RETRY_DELAY = 1000;

let overview: Answer | undefined;
let connection: ConnectionState = "waiting";
let isNavOpen = false;
/** The view's state across redraws at the same address. */
let kept: { hash: string; values: KeptState } = { hash: "", values: {} };
/** Of the draw in progress. */
let drawing: AbortController | undefined;
/** Whether another draw was requested meanwhile. */
let isStale = false;
/** Whether the next draw follows a navigation, and whether it is the page's first. */
let isNavigating = false;
let isFirst = true;
let retryTimer: ReturnType<typeof setTimeout> | undefined;

type Answer = Overview & { eventsTicket: string };
interface Showing {
  isNew?: boolean;
  isAtOnce?: boolean;
  /** The overview, when it need not be requested. */
  known?: Answer | undefined;
}

const main = document.getElementById("main") as HTMLElement;

/**
 * Shows the view at the current address. A navigation aborts the draw in progress; redraws for
 * changes that arrive during a draw are combined into one.
 */
async function show({ isNew = false, isAtOnce = isNew, known }: Showing = {}) {
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
  if (kept.hash !== location.hash) kept = { hash: location.hash, values: {} };
  try {
    await draw(mine.signal, known);
  } catch (error) {
    if (!mine.signal.aborted) showError(error);
  }
  if (drawing === mine) drawing = undefined;
  if (drawing === undefined && isStale) await show();
}

async function draw(signal: AbortSignal, known?: Answer): Promise<void> {
  const here = route();
  const workspaceId = here.segments[0] ?? "";
  const asked = known ? Promise.resolve(known) : request<Answer>("data/overview", {}, { signal });
  const loaded = asked.then((data) => {
    overview = data;
    listen(data.eventsTicket);
    return data.workspaces.find(({ id }) => id === workspaceId);
  });
  const found = loaded.then((one) => one ?? Promise.reject(new Error("no such workspace")));
  const viewed = viewAt(here, {
    workspaceId,
    workspace: found,
    problems: counts.get(workspaceId),
    redraw: () => void show(),
    kept: kept.values,
    signal,
  });
  // Without the workspace these reject, but `showNoWorkspace` handles that.
  for (const one of [found, viewed]) one.catch(() => undefined);
  const workspace = await loaded;
  const [first] = overview?.workspaces ?? [];
  if (first && here.segments.length === 0) {
    history.replaceState(null, "", viewHref([first.id]));
    return draw(signal, overview);
  }
  if (workspace === undefined) return showNoWorkspace(first);
  const { title, element } = await viewed;
  if (signal.aborted) return;
  document.title = `${title} · ${workspace.name}`;
  drawFrame();
  drawMain([faultsBanner(overview), element]);
  const wasNavigating = isNavigating;
  if (isNavigating) focusView(main, here.query.get("at"), isFirst);
  isNavigating = false;
  isFirst = false;
  if (known !== undefined && !wasNavigating) return;
  countProblems(workspaceId, () => {
    drawFrame();
    if (route().segments.length === 1) void show({ known: overview });
  });
}

function drawMain(content: readonly Child[]) {
  morph(main, el("main", { id: "main", tabindex: -1 }, content));
}

function drawFrame() {
  const { segments, query } = route();
  const workspace = overview?.workspaces.find(({ id }) => id === segments[0]);
  const problems = workspace && counts.get(workspace.id);
  const onNav = () => {
    isNavOpen = !isNavOpen;
    drawFrame();
  };
  const faultCount = overview?.faults.length ?? 0;
  const more = { query: query.get("q") ?? "", connection, isNavOpen, faultCount, onNav };
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

function replace(id: string, fresh: Element) {
  const old = document.getElementById(id);
  if (old) morph(old, fresh);
}

function showNoWorkspace(first: WorkspaceLine | undefined) {
  drawFrame();
  drawMain([
    faultsBanner(overview),
    first ? noWorkspace(first) : noDraft(overview?.faults.length !== 0),
  ]);
}

function showError(error: unknown) {
  const status = error instanceof RequestError ? error.status : -1;
  if (status === 401) {
    stopListening();
    connection = "ended";
  }
  const isAway = status === 0 || status === 503;
  if (isAway) retryTimer = setTimeout(show, RETRY_DELAY);
  // H14: the last view stays while the server does not answer, or has another key.
  if (overview !== undefined && (isAway || (status === 401 && !isNavigating))) {
    main.removeAttribute("aria-busy");
    drawFrame();
    return warnAbove(isAway ? awayBanner() : disconnectedBanner());
  }
  isNavigating = false;
  drawFrame();
  const [workspaceId] = route().segments;
  drawMain([faultsBanner(overview), errorState(error, workspaceId)]);
}

/** @param banner above the view that stays */
function warnAbove(banner: Element) {
  const shown = main.querySelector('[data-key="lost"]');
  if (shown?.textContent === banner.textContent) return;
  shown?.remove();
  main.prepend(banner);
}

function listen(ticket: string) {
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

/** The minimum delay after a change, in milliseconds, so that the view is loaded first. */
const MINIMUM_DELAY = 150;
/** The delay is at least this many times the duration of the last count, to spare the server. */
const DELAY_FACTOR = 5;

/** The last problem counts of each workspace. */
const counts = new Map<string, Counts>();
let countTimer: ReturnType<typeof setTimeout> | undefined;
/** Of the last count, in milliseconds. */
let countDuration = 0;

/**
 * Counts the problems of the complete draft after a delay: what the view itself asks of the draft
 * comes first.
 *
 * @param onNew called when the counts have changed
 */
function countProblems(workspace: string, onNew: () => void) {
  clearTimeout(countTimer);
  countTimer = setTimeout(
    async () => {
      const started = performance.now();
      const asked = request<Counts>("data/problem-counts", { workspace });
      const found = await asked.catch(() => undefined);
      countDuration = performance.now() - started;
      const known = counts.get(workspace);
      if (found === undefined || JSON.stringify(found) === JSON.stringify(known)) return;
      counts.set(workspace, found);
      onNew();
    },
    Math.max(MINIMUM_DELAY, DELAY_FACTOR * countDuration),
  );
}

async function start(options: Showing = { isNew: true }) {
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
  const isTyping = (event.target as Element).closest("input, textarea, select");
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
  event.preventDefault();
  document.getElementById("search")?.focus();
});

void start();
