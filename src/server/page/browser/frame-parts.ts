import type { WorkspaceLine } from "../project-view.ts";
import { type Child, el } from "./element.ts";
import type { ConnectionState } from "./event-stream.ts";
import type { Counts } from "./parts.ts";
import { route, viewHref } from "./router.ts";
import { counted, number } from "./words.ts";

/** The debounce of the search input, in milliseconds. */
const SEARCH_DELAY = 80;

let timer: ReturnType<typeof setTimeout> | undefined;

interface FrameState {
  query: string;
  connection: ConnectionState;
  isNavOpen: boolean;
  faultCount: number;
  onNav: () => void;
}

/** The bar above every view. */
export function topBar(
  workspaces: readonly WorkspaceLine[],
  workspace: WorkspaceLine | undefined,
  { query, connection, isNavOpen, faultCount, onNav }: FrameState,
) {
  const states = { live: "Live", waiting: "Reconnecting…", ended: "Not connected" };
  return el(
    "header",
    { id: "top" },
    el(
      "button.quiet.nav-button",
      {
        type: "button",
        "aria-expanded": String(isNavOpen),
        "aria-controls": "nav",
        onclick: onNav,
      },
      "Menu",
    ),
    workspaces.length > 1 && workspace
      ? workspaceChoice(workspaces, workspace)
      : el(
          "a.brand",
          { href: viewHref(workspace ? [workspace.id] : []) },
          workspace?.name ?? "Preview",
        ),
    workspace &&
      el(
        "search",
        el("input", {
          id: "search",
          type: "search",
          placeholder: "Search entries",
          "aria-label": "Search entries by text and id",
          "aria-keyshortcuts": "/",
          autocomplete: "off",
          spellcheck: "false",
          value: query,
          oninput: ({ currentTarget }: InputEvent) => onSearch(currentTarget, false),
          onkeydown: ({ key, currentTarget }: KeyboardEvent) => {
            if (key === "Enter") onSearch(currentTarget, true);
          },
        }),
      ),
    faultCount > 0 &&
      el(
        "button.fault-button",
        { type: "button", onclick: showFaults },
        counted(faultCount, "fault"),
      ),
    el(`p.connection.is-${connection}`, states[connection]),
  );
}

function showFaults() {
  scrollTo({ top: 0, behavior: "instant" });
  const banner = document.querySelector('[data-key="faults"]');
  if (banner instanceof HTMLElement) banner.focus({ preventScroll: true });
}

/** Shows the entries that match; submitting moves the focus to the first. */
function onSearch(input: EventTarget | null, isSubmitted: boolean) {
  clearTimeout(timer);
  const query = (input as HTMLInputElement).value;
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

function workspaceChoice(workspaces: readonly WorkspaceLine[], workspace: WorkspaceLine) {
  return el(
    "select",
    {
      "aria-label": "Workspace",
      onchange: ({ currentTarget }: Event) => {
        location.hash = viewHref([(currentTarget as HTMLSelectElement).value]);
      },
    },
    workspaces.map(({ id, name }) => {
      const isOnlyOne = workspaces.filter((other) => other.name === name).length === 1;
      const text = isOnlyOne ? name : `${name} (${id})`;
      return el("option", { value: id, dir: "auto", selected: id === workspace.id }, text);
    }),
  );
}

/** @param problems undefined until counted */
export function navigation(
  workspace: WorkspaceLine,
  segments: readonly string[],
  problems: Counts | undefined,
) {
  const { id, counts, projects } = workspace;
  const { errors, warnings } = problems ?? { errors: 0, warnings: 0 };
  const kind = errors > 0 ? "is-bad" : "is-warn";
  const count = errors + warnings;
  return el(
    "nav",
    { id: "nav", "aria-label": "Workspace" },
    el(
      "ul",
      place([id], segments, "Overview"),
      place([id, "entries"], segments, "Entries", el("span.soft", number(counts.entries))),
      place([id, "changes"], segments, "Changes"),
      place(
        [id, "problems"],
        segments,
        "Problems",
        count > 0 && el(`span.count.${kind}`, { "data-flash": "" }, number(count)),
      ),
    ),
    projects.map(({ id: project, name, experiences, experienceCount }) => {
      const base = [id, "projects", project];
      const isCut = experienceCount > experiences.length;
      return el(
        "section",
        { "data-key": project },
        el(
          "h2",
          el("a", { href: viewHref(base), "aria-current": isAt(base, segments) && "page" }, name),
        ),
        el(
          "ul",
          experiences.map(({ id: experience, name: title }) =>
            place([...base, "experiences", experience], segments, title),
          ),
          isCut && place(base, [], `All ${counted(experienceCount, "experience")}`),
        ),
      );
    }),
  );
}

function place(
  target: readonly string[],
  segments: readonly string[],
  title: string,
  beside?: Child,
) {
  // The parts of an experience count as the experience.
  const here = target[3] === "experiences" ? segments.slice(0, 5) : segments;
  return el(
    "li",
    el(
      "a",
      { href: viewHref(target), "aria-current": isAt(target, here) && "page" },
      el("span", { dir: "auto" }, title),
      beside,
    ),
  );
}

function isAt(target: readonly string[], segments: readonly string[]) {
  return (
    target.length === segments.length && target.every((segment, at) => segment === segments[at])
  );
}
