import { AskError, ask, onNewKey, takeKey } from "./access.js";
import { banners } from "./banners.js";
import { el } from "./element.js";
import { errorState, lostBanner, noDraft, noWorkspace } from "./error-states.js";
import { arrive } from "./focus-view.js";
import { navigation, topBar } from "./frame-parts.js";
import { listen } from "./live.js";
import { morph } from "./morph.js";
import { say } from "./parts.js";
import { countProblems, problemCountsOf } from "./problem-counts.js";
import { route, to } from "./router.js";
import { viewAt } from "./views.js";

/** @typedef {import("../overview.ts").Overview & { eventsTicket: string }} Overview */

/** How long the search waits for the next letter, in milliseconds. */
const TYPING = 80;

/** @type {Overview | undefined} */
let overview;
/** @type {"live" | "waiting" | "ended"} */
let connection = "waiting";
/** Whether the server has another key than this page. */
let isRefused = false;
let isNavOpen = false;
let endListening = () => {};
/** What the view at this address keeps. */
let kept = { hash: "", values: new Map() };
/**
 * The drawing that is under way.
 *
 * @type {AbortController | undefined}
 */
let asking;
/** Whether something changed since it began. */
let isBehind = false;
/** Whether the reader comes to a new place, and whether that is the first one. */
let isArriving = false;
let isFirst = true;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let typing;

const main = /** @type {HTMLElement} */ (document.getElementById("main"));

/**
 * Shows what the address says: a new place from its top, the same place where the reader is. A new
 * place is shown at once; changes that come while one is shown are shown together.
 *
 * @param {{ isNew?: boolean, isAtOnce?: boolean }} [how]
 */
async function show({ isNew = false, isAtOnce = isNew } = {}) {
  if (isAtOnce) asking?.abort();
  else if (asking !== undefined) {
    isBehind = true;
    return;
  }
  if (isNew) main.setAttribute("aria-busy", "true");
  isArriving ||= isNew;
  isBehind = false;
  const mine = new AbortController();
  asking = mine;
  if (kept.hash !== location.hash) kept = { hash: location.hash, values: new Map() };
  try {
    await draw(mine.signal);
  } catch (error) {
    if (!mine.signal.aborted) failed(error);
  }
  if (asking === mine) asking = undefined;
  if (asking === undefined && isBehind) await show();
}

/** @param {AbortSignal} signal */
async function draw(signal) {
  const here = route();
  const workspaceId = here.segments[0] ?? "";
  const asked = ask("data/overview", {}, { signal }).then((/** @type {Overview} */ found) => {
    overview = found;
    isRefused = false;
    return found.workspaces.find(({ id }) => id === workspaceId);
  });
  const known = asked.then((found) => found ?? Promise.reject(new Error("no such workspace")));
  const viewed = viewAt(here, {
    workspaceId,
    workspace: known,
    problems: problemCountsOf(workspaceId),
    redraw: () => void show(),
    kept: kept.values,
    signal,
  });
  // Whatever the view says of a workspace that is not there, the overview says it better.
  for (const one of [known, viewed]) one.catch(() => undefined);
  const workspace = await asked;
  if (workspace === undefined) return elsewhere(here.segments);
  const { title, element } = await viewed;
  if (signal.aborted) return;
  document.title = `${title} · ${workspace.name}`;
  frame();
  place([banners(overview, workspaceId), element]);
  if (isArriving) arrive(main, here.query.get("at"), isFirst);
  isArriving = false;
  isFirst = false;
  countProblems(workspaceId, () => {
    frame();
    if (route().segments.length === 1) void show();
  });
}

/** @param {readonly import("./element.js").Child[]} content */
function place(content) {
  morph(main, el("main", { id: "main", tabindex: -1 }, content));
}

/** What stands around the view. */
function frame() {
  const { segments, query } = route();
  const workspace = overview?.workspaces.find(({ id }) => id === segments[0]);
  const problems = workspace && problemCountsOf(workspace.id);
  const onNav = () => {
    isNavOpen = !isNavOpen;
    frame();
  };
  const faultCount = overview?.faults.length ?? 0;
  const more = { query: query.get("q") ?? "", connection, isNavOpen, faultCount, onSearch, onNav };
  document.body.classList.toggle("is-nav-open", isNavOpen);
  replace("top", topBar(overview?.workspaces ?? [], workspace, more));
  if (workspace) replace("nav", navigation(workspace, segments, problems));
  // What the reader has typed or chosen is no attribute.
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
function elsewhere(segments) {
  const [first] = overview?.workspaces ?? [];
  if (first && segments.length === 0) return location.replace(to([first.id]));
  frame();
  place([
    banners(overview, segments[0]),
    first ? noWorkspace(first) : noDraft(overview?.faults.length !== 0),
  ]);
}

/** @param {unknown} error */
function failed(error) {
  const status = error instanceof AskError ? error.status : -1;
  if (status === 401) {
    endListening();
    connection = "ended";
    isRefused = true;
  }
  // What is shown stays when the server is away for a moment, or was started anew.
  const isKept = !isArriving && overview !== undefined;
  if (status === 0 && isKept) return say("The preview server does not answer.");
  if (status === 401 && isKept) {
    frame();
    if (main.querySelector('[data-key="lost"]') === null) main.prepend(lostBanner());
    return;
  }
  isArriving = false;
  frame();
  const [workspaceId] = route().segments;
  place([banners(overview, workspaceId), errorState(error, workspaceId)]);
}

/**
 * @param {string} query
 * @param {boolean} isDone
 */
function onSearch(query, isDone) {
  clearTimeout(typing);
  const workspace = route().segments[0];
  if (workspace === undefined) return;
  const target = to([workspace, "entries"], query.trim() === "" ? {} : { q: query });
  const go = () => {
    const isSearching = route().segments[1] === "entries" && route().segments.length === 2;
    if (isSearching) location.replace(target);
    else location.hash = target;
  };
  if (!isDone) typing = setTimeout(go, TYPING);
  else {
    go();
    const first = main.querySelector("windowed-list a");
    if (first instanceof HTMLElement) first.focus();
  }
}

/** @param {Parameters<typeof show>[0]} [how] */
async function start(how = { isNew: true }) {
  await takeKey();
  await show(how);
  endListening();
  if (overview === undefined || isRefused) return;
  endListening = listen(
    overview.eventsTicket,
    async ({ revision }) => {
      if (revision === overview?.revision) return;
      await show();
      say(`Updated at ${new Date().toLocaleTimeString("en")}.`);
    },
    (state) => {
      connection = state;
      frame();
      if (state === "waiting") say("The connection was lost. Trying again.");
      // The server is there and refuses: it was started anew, with another key.
      if (state === "ended") void show();
    },
  );
}

onNewKey(() => void start({ isAtOnce: true }));

addEventListener("hashchange", () => {
  if (location.hash.startsWith("#key=")) return void start();
  isNavOpen = false;
  void show({ isNew: true });
});

document.querySelector(".skip")?.addEventListener("click", (event) => {
  // The address says where the reader is, so it stays.
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
