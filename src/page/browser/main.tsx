import { render, type VNode } from "preact";
import type { Overview } from "../project-view.ts";
import { onNewKey, RequestError, request, storeKeyFromAddress } from "./access.ts";
import { Shown } from "./answers.ts";
import { AsOfBar } from "./as-of.tsx";
import { WithStanding } from "./changed-since.tsx";
import { NewEntry } from "./edit-new.tsx";
import { MakesEntry } from "./edit-pointer.tsx";
import { EditBar, isEditing } from "./edit-state.tsx";
import type { ConnectionState } from "./event-stream.ts";
import { focusView } from "./focus-view.ts";
import { Navigation, TopBar } from "./frame-parts.tsx";
import { listenForChanges, stopListening } from "./live.ts";
import { ErrorState, FaultsBanner, LostBanner, NoDraft, NoWorkspace } from "./notices.tsx";
import { announce } from "./parts.tsx";
import { route, shownWorkspace, workspaceHref } from "./router.ts";
import { SitePane } from "./site-pane.tsx";
import { viewAt } from "./views.tsx";

/** When a view or the event stream that the server did not answer is requested again, in milliseconds. */
const RETRY_DELAY = 1000;

let overview: Answer | undefined;
let connection: ConnectionState = "waiting";
let isNavOpen = false;
let isBusy = false;
let view: VNode | undefined;
/** Why the view is no longer updated. */
let lost: "away" | "refused" | "gone" | undefined;
let drawing: AbortController | undefined;
/** Whether another draw was requested meanwhile. */
let isStale = false;
/** Whether the next draw follows a navigation, and whether it is the page's first. */
let isNavigating = false;
let isFirst = true;
let retryTimer: ReturnType<typeof setTimeout> | undefined;

type Answer = Overview & { eventsTicket: string; hasSite: boolean; actions: readonly string[] };
const NOTHING = { workspaces: [], faults: [], revision: 0, source: "folder", actions: [] } as const;

interface Showing {
  isNew?: boolean;
  isAtOnce?: boolean;
}

/**
 * Shows the view at the current address. A navigation aborts the draw in progress; redraws for
 * changes that arrive during a draw are combined into one.
 */
async function show({ isNew = false, isAtOnce = isNew }: Showing = {}) {
  clearTimeout(retryTimer);
  if (isAtOnce) drawing?.abort();
  else if (drawing !== undefined) {
    isStale = true;
    return;
  }
  if (isNew) {
    isBusy = true;
    drawPage();
  }
  isNavigating ||= isNew;
  isStale = false;
  const mine = new AbortController();
  drawing = mine;
  try {
    await draw(mine.signal);
  } catch (error) {
    if (!mine.signal.aborted) showError(error);
  }
  if (drawing === mine) drawing = undefined;
  if (drawing === undefined && isStale) await show();
}

async function draw(signal: AbortSignal, known?: Answer): Promise<void> {
  const here = route();
  const workspaceId = here.segments[0] ?? "";
  const asked = known ? Promise.resolve(known) : request<Answer>("data/overview", {}, signal);
  const loaded = asked.then((data) => {
    overview = data;
    listen(data.eventsTicket);
    return data.workspaces.find(({ id }) => id === workspaceId);
  });
  const found = loaded.then((one) => one ?? Promise.reject(new Error("no such workspace")));
  const viewed = viewAt(here, { workspace: found, signal });
  // Without the workspace these reject, but `NoWorkspace` is shown then.
  for (const one of [found, viewed]) one.catch(() => undefined);
  const workspace = await loaded;
  // A newer view must not lose its address.
  if (signal.aborted) return;
  const [first] = overview?.workspaces ?? [];
  if (first && here.segments.length === 0) {
    // Nor one whose `hashchange` is yet to come.
    if (route().segments.length > 0) return;
    history.replaceState(null, "", workspaceHref(first.id));
    return draw(signal, overview);
  }
  if (workspace === undefined) {
    const hasFaults = overview?.faults.length !== 0;
    return drawView(first ? <NoWorkspace first={first} /> : <NoDraft hasFaults={hasFaults} />);
  }
  const [title, element] = await viewed;
  if (signal.aborted) return;
  document.title = `${title} · ${workspace.name}`;
  drawView(element);
  const main = document.getElementById("main");
  if (isNavigating && main) focusView(main, here.query.get("at"), isFirst);
  isNavigating = false;
  isFirst = false;
}

function drawView(element: VNode) {
  view = element;
  lost = undefined;
  isBusy = false;
  drawPage();
}

/** Renders the page as it now is; what has not changed stays as it is, with focus and folds. */
function drawPage() {
  const workspaceId = shownWorkspace();
  const { workspaces, faults, revision, source, actions } = overview ?? NOTHING;
  const workspace = workspaces.find(({ id }) => id === workspaceId);
  const onNav = () => {
    isNavOpen = !isNavOpen;
    drawPage();
  };
  document.body.classList.toggle("is-nav-open", isNavOpen);
  render(
    <Shown.Provider
      value={{
        ...{ workspaceId, revision, source, actions },
        draft: workspace?.revision ?? 0,
        faults: faults.length,
      }}
    >
      <WithStanding isLost={lost !== undefined}>
        {/* biome-ignore lint/a11y/useValidAnchor: it moves the focus, as such a link does. */}
        <a class="skip" href="#main" onClick={skip}>
          Skip to the content
        </a>
        <TopBar
          {...{ workspaces, workspace, connection, isNavOpen, onNav }}
          faultCount={faults.length}
        />
        {workspace ? <Navigation workspace={workspace} /> : <nav id="nav" aria-label="Workspace" />}
        <main id="main" tabIndex={-1} aria-busy={isBusy || undefined}>
          {lost && <LostBanner reason={lost} />}
          <FaultsBanner overview={overview} />
          <AsOfBar />
          <MakesEntry.Provider value={NewEntry}>{view}</MakesEntry.Provider>
        </main>
        {overview?.hasSite && <SitePane route={route()} />}
        <EditBar />
        <p id="status" class="unseen" role="status" />
      </WithStanding>
    </Shown.Provider>,
    document.body,
  );
}

/** Not to the fragment, as that is the page's address. */
function skip(event: Event) {
  event.preventDefault();
  document.getElementById("main")?.focus();
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
  if (overview !== undefined && (isAway || status === 401)) {
    isBusy = false;
    lost = isAway ? "away" : "refused";
    drawPage();
    if (isNavigating && !isAway) scrollTo({ top: 0, behavior: "instant" });
    return;
  }
  // H42: so does one in which a value is being changed.
  if (status === 404 && !isNavigating && isEditing()) {
    lost = "gone";
    return drawPage();
  }
  isNavigating = false;
  drawView(<ErrorState error={error} />);
}

function listen(ticket: string) {
  listenForChanges(
    ticket,
    async ({ revision }) => {
      if (revision === overview?.revision) return;
      await show();
      announce(`Updated at ${new Date().toLocaleTimeString("en-GB")}.`);
    },
    (state) => {
      connection = state;
      drawPage();
      if (state === "waiting") announce("The connection was lost. Reconnecting.");
      if (state !== "ended") return;
      // The server refuses the ticket (it was restarted with another key), or one more stream.
      stopListening();
      clearTimeout(retryTimer);
      retryTimer = setTimeout(show, RETRY_DELAY);
    },
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

flashChanges();
void start();

/** Highlights an element with `data-flash` briefly when a text in it changes. */
function flashChanges() {
  const observer = new MutationObserver((changes) => {
    for (const { target } of changes) {
      const element = target.parentElement?.closest("[data-flash]");
      element?.setAttribute("data-flash", "on");
      const off = () => element?.setAttribute("data-flash", "");
      element?.addEventListener("animationend", off, { once: true });
    }
  });
  observer.observe(document.body, { characterData: true, subtree: true });
}
